const START_MEN = { p: 8, n: 2, b: 2, r: 2, q: 1 }, WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9 };
/** The time between two moves of a line that is played, in milliseconds. */
const PACE = 900;

/**
 * A game that one can step through: board, evaluation bar, bars of the players, list of moves and chart. Its data are those of
 * `Played` in the program, with `values`, `depths`, `percents` and `phases` if it is analysed. A page extends the class.
 * Text from the PGN file is inserted as text, never as HTML.
 */
class Game {
  constructor(section) {
    this.section = section;
    this.data = JSON.parse(section.querySelector(".data").textContent);
    this.positions = new Positions(this.data);
    this.last = this.positions.last;
    this.node = 0;
    this.flipped = false;
    this.prepare();
    const columns = document.createElement("div");
    columns.className = "columns";
    (section.querySelector("table") || section.querySelector(".data")).before(columns);
    this.makeStage(make("div", columns, { className: "stage" }));
    const side = make("div", columns, { className: "side" });
    this.state = make("div", side, { className: "state" });
    this.state.setAttribute("aria-live", "polite");
    this.list = make("div", side, { className: "moves" });
    this.buttons = new Map();
    this.makeList();
    this.makeChart(side);
    this.makeLinks(section);
    section.addEventListener("click", event => {
      const move = event.target.closest("[data-n]");
      if (move) this.show(Number(move.dataset.n));
    });
    this.show(0);
  }

  /** Called before the parts are made. */
  prepare() {}
  /** The bad move before a position of the game: its `fault` and `sign`. */
  mark() {}
  /** Appends what is to be said of the move before a position of the game. */
  judge() {}
  /** More options for the board. */
  boardOptions() { return {}; }

  makeStage(stage) {
    this.bars = [make("div", stage, { className: "player" })];
    const row = make("div", stage, { className: "board-row" });
    this.evaluation = make("div", row, { className: "evaluation", hidden: !this.data.percents });
    this.share = make("div", this.evaluation);
    this.place = make("div", row, { className: "board-place" });
    this.bars.push(make("div", stage, { className: "player" }));
    const steps = make("div", stage, { className: "steps" });
    for (const [text, label, act] of this.steps()) button(steps, text, act, label);
  }

  /** The buttons below the board: text, name, action. */
  steps() {
    return [
      ["|◀", "To the beginning (Home)", () => this.show(0)],
      ["◀", "One move back (left arrow)", () => this.back()],
      ["▶", "One move on (right arrow)", () => this.on()],
      ["▶|", "To the end (End)", () => this.show(this.last)],
      ["⇅", "Turn the board (f)", () => this.flip()],
    ];
  }

  makeList() {
    this.say(this.list, this.data.line.before || [], 0);
    let below = [];
    const endPair = () => {
      for (const [number, said] of below) {
        const box = make("div", this.list, { className: "said" });
        make("span", box, { className: "number", textContent: this.positions.all[number].label + " " });
        box.append(...said.childNodes);
      }
      below = [];
    };
    this.data.line.moves.forEach((move, index) => {
      const number = index + 1, { label } = this.positions.all[number], isBlack = label.includes("...");
      if (!isBlack) endPair();
      if (!isBlack || !index) make("span", this.list, { className: "number", textContent: parseInt(label, 10) + "." });
      if (isBlack && !index) make("span", this.list, { textContent: "…" });
      this.makeMove(this.list, number, move, true);
      const said = document.createElement("div");
      this.judge(said, number);
      this.say(said, move.said || [], index);
      this.setShapes(number, move.said);
      if (said.hasChildNodes()) below.push([number, said]);
    });
    endPair();
    make("span", this.list, { className: "result", textContent: this.data.result });
  }

  /** Appends the button of a move; one of the game has its mark, value and time. */
  makeMove(place, number, move, isOfGame, isFirst) {
    const { positions, data } = this;
    const made = make("button", place, { type: "button", className: "move", tabIndex: -1 });
    made.dataset.n = number;
    made.append(isOfGame ? positions.all[number].san : positions.labelIn(number, isFirst), make("span", made, { className: "signs", textContent: move?.signs || "" }));
    if (isOfGame) {
      const mark = this.mark(number), time = data.times?.[number - 1];
      if (mark) {
        made.classList.add(mark.fault);
        if (move.signs !== mark.sign) make("span", made, { className: "ours", textContent: mark.sign });
      }
      const words = [this.value(number), time !== null && time !== undefined ? timeInWords(time) : ""];
      make("small", made, { textContent: words.filter(Boolean).join(" ") }).dataset.at = number;
    }
    if (!this.buttons.has(number)) this.buttons.set(number, made);
  }

  /** Appends remarks on the move after position `parent`. */
  say(place, remarks, parent) {
    for (const remark of remarks) {
      if (typeof remark === "string") make("span", place, { className: "comment", textContent: remark + " " });
      if (remark.moves) {
        const line = make("span", place, { className: "variation", textContent: "(" });
        this.say(line, remark.before || [], parent);
        let last = parent;
        remark.moves.forEach((move, index) => {
          const before = last;
          last = this.positions.add(last, move.m ?? move);
          this.makeMove(line, last, move, false, index === 0);
          line.append(" ");
          this.say(line, move.said || [], before);
          this.setShapes(last, move.said);
        });
        line.append(") ");
      }
    }
    if (place === this.list) this.setShapes(0, remarks);
  }

  setShapes(number, said) {
    this.positions.all[number].shapes = (said || []).flatMap(remark => remark.shapes || []);
  }

  /** Appends the buttons of a line that begins in position `parent`. */
  makeLine(place, parent, text) {
    this.positions.line(parent, text).forEach((number, index) => {
      this.makeMove(place, number, null, false, index === 0);
      place.append(" ");
    });
  }

  makeChart(side) {
    const { data } = this, told = data.told;
    const curves = data.percents ? [{ name: "Zugwerk", kind: "own", percents: data.percents }] : [];
    const own = (first, kind) => ({
      name: `${data.players[kind === "white" ? 0 : 1].name}, own score`, kind: "told-" + kind,
      // A player's score stays until that player's next move.
      percents: [null, ...told.map((_, index) => told[index % 2 === first ? index : index - 1]?.[0] ?? null)],
    });
    const whiteFirst = data.fen.split(" ")[1] === "w" ? 0 : 1;
    if (told) curves.push(own(whiteFirst, "white"), own(1 - whiteFirst, "black"));
    this.chart = new Chart(side, {
      last: this.last, curves, phases: data.phases, times: data.times,
      labels: this.positions.all.slice(0, this.last + 1).map(({ label }) => label),
      dots: [...Array(this.last + 1).keys()].filter(number => this.mark(number)).map(number => [number, this.mark(number).fault]),
      describe: (number, isLong) => this.describe(number, isLong), onChoose: number => this.show(number),
    });
  }

  makeLinks(section) {
    const links = make("div", section, { className: "links" });
    this.links = ["Lichess", "Chess.com"].map(name =>
      make("a", links, { textContent: "Open at " + name, target: "_blank", rel: "noopener noreferrer" }));
    this.fen = make("input", links, { type: "text", readOnly: true });
    this.fen.setAttribute("aria-label", "FEN of the position");
    this.fen.addEventListener("focus", () => this.fen.select());
  }

  /** The value of a position of the game, or what its player said. */
  value(number) { return this.data.values?.[number] ?? this.data.told?.[number - 1]?.[1] ?? ""; }

  /** A position of the game in one line: `24. Rxd4 -0.14 at depth 12, 42s`. */
  describe(number, isLong = true) {
    const time = this.data.times?.[number - 1], value = this.value(number), depth = this.data.depths?.[number];
    const words = `${this.positions.all[number].label || "The first position"} ${value}${depth && isLong ? ` at depth ${depth}` : ""}`;
    return words.trim() + (time !== null && time !== undefined ? `, ${timeInWords(time)}` : "");
  }

  /** Shows a position. */
  show(number) {
    this.display(number);
    this.tell();
  }

  /** Shows a position without words. */
  display(number) {
    clearTimeout(this.timer);
    this.node = number;
    this.draw();
    for (const one of this.section.querySelectorAll("[aria-current]")) {
      one.removeAttribute("aria-current");
      one.tabIndex = -1;
    }
    const current = this.buttons.get(number) || this.buttons.get(this.positions.inGame(number)), first = current || this.buttons.get(1);
    if (first) first.tabIndex = 0;
    if (number === 0) this.list.scrollTop = 0;
    else if (current) {
      if (this.buttons.has(number)) current.setAttribute("aria-current", "true");
      keepInView(current, this.list);
    }
  }

  draw() {
    const node = this.positions.all[this.node], main = this.positions.inGame(this.node);
    const shapes = node.shapes || [];
    const { arrows = [], ...options } = this.boardOptions();
    drawBoard(this.place, node.fen, {
      flipped: this.flipped, last: node.squares, check: node.check,
      circles: shapes.filter(shape => shape.length === 3).map(shape => [shape.slice(1), shape[0]]),
      arrows: [...shapes.filter(shape => shape.length === 5).map(shape => [shape.slice(1), shape[0]]), ...arrows], ...options,
    });
    if (this.data.percents) this.share.style.height = this.data.percents[main] + "%";
    this.evaluation.classList.toggle("flipped", this.flipped);
    this.evaluation.title = this.value(main);
    this.drawPlayers(node.fen, main);
    this.chart.show(main);
    this.links[0].href = `https://lichess.org/analysis/${this.data.chess960 ? "chess960" : "standard"}/${encodeURI(node.fen.replace(/ /g, "_"))}`;
    this.links[1].href = "https://www.chess.com/analysis?fen=" + encodeURIComponent(node.fen);
    this.fen.value = node.fen;
  }

  /** Draws the bars of the players: name, rating, the men taken, the balance of material, and the clock. */
  drawPlayers(fen, main) {
    const letters = piecesOf(fen).map(([, letter]) => letter);
    const count = letter => letters.filter(one => one === letter).length;
    const worth = side => Object.entries(WORTH).reduce((sum, [letter, value]) => sum + value * count(side ? letter : letter.toUpperCase()), 0);
    const turn = fen.split(" ")[1] === "w" ? 0 : 1, first = this.data.fen.split(" ")[1] === "w" ? 0 : 1;
    this.bars.forEach((bar, index) => {
      const side = index === (this.flipped ? 1 : 0) ? 1 : 0, { name, elo } = this.data.players[side];
      bar.replaceChildren();
      bar.classList.toggle("turn", side === turn);
      make("b", bar, { textContent: name });
      if (elo) make("span", bar, { className: "number", textContent: elo });
      const taken = make("span", bar, { className: "taken" });
      const theirs = letter => side ? letter.toUpperCase() : letter;
      const men = Object.entries(START_MEN).flatMap(([letter, all]) => Array(Math.max(all - count(theirs(letter)), 0)).fill(theirs(letter)));
      for (const letter of men) element("use", { href: "#piece-" + letter }, element("svg", { viewBox: "8 4 29 36", "aria-hidden": true }, taken));
      const ahead = worth(side) - worth(1 - side);
      if (ahead > 0) make("span", bar, { className: "number", textContent: "+" + ahead });
      let move = main - 1;
      while (move >= 0 && ((move + first) % 2 !== side || typeof this.data.clocks?.[move] !== "number")) move--;
      if (move >= 0) make("span", bar, { className: "clock", textContent: timeInWords(this.data.clocks[move]) });
    });
  }

  /** Describes the position shown. */
  tell() {
    const number = this.node, { label } = this.positions.all[number], main = this.positions.inGame(number);
    this.state.replaceChildren();
    const first = make("p", this.state);
    make("b", first, { textContent: label || "The first position" });
    if (number <= this.last) {
      first.append(this.describe(number).slice((label || "The first position").length));
      return;
    }
    first.append(" in a variation of ");
    button(first, this.positions.all[main].label || "the first position", () => this.show(main)).className = "move";
  }

  /** Shows one position after the other. */
  play([number, ...rest], show = one => this.show(one)) {
    show(number);
    if (rest.length) this.timer = setTimeout(() => this.play(rest, show), PACE);
  }

  back() {
    const { parent } = this.positions.all[this.node];
    if (parent !== undefined) this.show(parent);
  }

  on() {
    const { next } = this.positions.all[this.node];
    if (next !== undefined && this.node !== this.last) this.show(next);
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }
}

/** Appends a button with a text and, where the text is a sign, a name. */
function button(place, text, act, name) {
  const made = make("button", place, { type: "button", textContent: text });
  if (name) {
    made.title = name;
    made.setAttribute("aria-label", name);
  }
  made.addEventListener("click", act);
  return made;
}

/** Scrolls the list of moves, not the page. */
function keepInView(shown, list) {
  const [inner, outer] = [shown.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** The keys of a page with games. `shown` returns the game that is shown; `more` are keys of the page. */
function listenToKeys(shown, more = {}) {
  addEventListener("keydown", event => {
    const game = shown(), typing = event.target.matches("input[type=text], select");
    if (!game || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = { ArrowLeft: () => game.back(), ArrowRight: () => game.on(), Home: () => game.show(0), End: () => game.show(game.last), f: () => game.flip(), ...more };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}
