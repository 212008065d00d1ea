/** The course of a game: curves of White's expected score, its phases, marks, the time of each move, and a slider over them. */
class Chart {
  /**
   * `options`: last (the number of the last position), shares (White's share of the area), curves ({ name, kind, percents } each), phases ([first position, name] each),
   * dots ([position, class] each, on the first curve), times (seconds of each move), labels (of the positions),
   * describe (says what is at a position), onChoose (called with a position).
   */
  constructor(place, options) {
    this.last = options.last;
    this.describe = options.describe;
    this.box = make("div", place, { className: "chart" });
    const area = make("div", this.box, { className: "area" });
    this.drawCurves(make("div", area, { className: "plot" }), options);
    if (options.times) this.drawTimes(make("div", area, { className: "times" }), options.times);
    this.drawNumbers(make("div", area, { className: "numbers" }), options.labels);
    this.cursor = make("span", area, { className: "cursor" });
    this.bubble = make("span", area, { className: "bubble", hidden: true });
    this.makeSlider(area, options.onChoose);
    if (options.curves.some(({ kind }) => kind !== "own")) {
      const legend = make("p", this.box, { className: "facts legend" });
      for (const { name, kind } of options.curves) {
        make("span", legend, { className: "sample " + kind });
        legend.append(" " + name + " ");
      }
    }
  }

  left(number) { return 100 * number / Math.max(this.last, 1) + "%"; }

  drawCurves(plot, { shares, curves, phases = [], dots }) {
    const width = Math.max(this.last, 1);
    const svg = element("svg", { viewBox: `0 0 ${width} 100`, preserveAspectRatio: "none", "aria-hidden": true });
    plot.append(svg);
    if (shares) element("path", { class: "white", d: `M0 100${shares.map((share, number) => `L${number} ${(100 - share).toFixed(1)}`).join("")}V100Z` }, svg);
    for (const { kind, percents } of curves) {
      let line = "", isOpen = false;
      percents.forEach((percent, number) => {
        if (percent !== null) line += `${isOpen ? "L" : "M"}${number} ${(100 - percent).toFixed(1)}`;
        isOpen = percent !== null;
      });
      element("path", { class: "curve " + kind, d: line }, svg);
    }
    element("line", { class: "middle", x2: width, y1: 50, y2: 50 }, svg);
    for (const [number, name] of phases) {
      element("line", { class: "phase", x1: number, x2: number, y2: 100 }, svg);
      const isLate = number > 0.8 * width;
      make("span", plot, { className: "phase-name" + (isLate ? " leftwards" : ""), textContent: name }).style.left = this.left(number);
    }
    for (const [share, text] of [[0, "100 %"], [50, "50 %"], [100, "0 %"]])
      make("span", plot, { className: "scale", textContent: text }).style.top = share + "%";
    for (const [number, kind] of dots) {
      const dot = make("span", plot, { className: "dot " + kind });
      dot.style.left = this.left(number);
      dot.style.top = 100 - curves[0].percents[number] + "%";
    }
  }

  drawTimes(place, times) {
    const longest = Math.max(...times.map(Number)) || 1;
    const svg = element("svg", { viewBox: `0 0 ${this.last} 100`, preserveAspectRatio: "none", "aria-hidden": true });
    place.append(svg);
    for (const [first, kind] of [[0, "first"], [1, "second"]]) {
      const bars = times.map((time, index) => index % 2 === first && time ? `M${index + 0.1} 100h.8v${(-100 * time / longest).toFixed(1)}h-.8Z` : "");
      element("path", { class: kind, d: bars.join("") }, svg);
    }
    make("span", place, { className: "scale", textContent: timeInWords(longest) }).style.top = "10%";
    make("span", place, { className: "scale", textContent: "0" }).style.top = "90%";
  }

  drawNumbers(place, labels) {
    const step = [5, 10, 20, 50, 100, 200, 500].find(one => this.last / 2 / one <= 10) || 1000;
    labels.forEach((label, number) => {
      const move = parseInt(label, 10);
      if (number && move % step === 0 && !label.includes("..."))
        make("span", place, { textContent: move }).style.left = this.left(number);
    });
  }

  makeSlider(area, onChoose) {
    this.slider = make("input", area, { type: "range", min: 0, max: this.last, value: 0 });
    this.slider.setAttribute("aria-label", "Position in the game");
    this.slider.addEventListener("input", () => onChoose(Number(this.slider.value)));
    const point = event => {
      const { left, width } = this.slider.getBoundingClientRect(), share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
      const number = Math.round(share * this.last);
      this.bubble.textContent = this.describe(number);
      this.bubble.style.left = this.left(number);
      this.bubble.classList.toggle("leftwards", share > 0.5);
      this.bubble.hidden = false;
    };
    this.slider.addEventListener("pointermove", point);
    this.slider.addEventListener("pointerleave", () => { this.bubble.hidden = true; });
  }

  show(number) {
    this.slider.value = number;
    this.slider.setAttribute("aria-valuetext", this.describe(number));
    this.cursor.style.left = this.left(number);
  }
}

/** Seconds as `42ms`, `4.2s`, `58s`, `2:05`, `1:02:05`. */
function timeInWords(time) {
  const seconds = Math.floor(time), two = number => String(number).padStart(2, "0");
  if (time < 0.1) return Math.round(1000 * time) + "ms";
  if (seconds < 10) return time.toFixed(1) + "s";
  if (seconds < 60) return seconds + "s";
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
