// Lets the user step through the games of the page. Text from the PGN file is inserted as text, never as HTML.

/** One game of the page and its display. */
class Game {
  constructor(section) {
    this.section = section;
    this.data = JSON.parse(section.querySelector(".data").textContent);
    this.node = this.data.moves;
    this.flipped = false;
    this.exercise = null;
    // The next position after each position, on the line in which it occurs first.
    this.next = new Map();
    this.data.nodes.forEach((node, index) => {
      if (node.p !== undefined && !this.next.has(node.p)) this.next.set(node.p, index);
    });
    this.place = section.querySelector(".board-place");
    this.slider = section.querySelector(".chart input");
    this.cursor = section.querySelector(".cursor");
    this.buttons = new Map();
    for (const button of section.querySelectorAll("[data-n]"))
      if (!this.buttons.has(Number(button.dataset.n))) this.buttons.set(Number(button.dataset.n), button);
    this.makeTools();
    section.addEventListener("click", event => {
      const move = event.target.closest("[data-n]"), exercise = event.target.closest("[data-exercise]");
      if (move) this.show(Number(move.dataset.n));
      if (exercise) this.begin(Number(exercise.dataset.exercise));
    });
    this.slider.disabled = false;
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    for (const button of section.querySelectorAll("[data-exercise]")) button.disabled = false;
    this.show(this.node);
  }

  makeTools() {
    const tools = this.section.querySelector(".tools");
    tools.hidden = false;
    this.scale = make("div", tools, { className: "scale" });
    this.share = make("div", this.scale);
    const steps = make("div", tools, { className: "steps" });
    const step = (text, label, act) => {
      const button = make("button", steps, { type: "button", textContent: text, title: label });
      button.setAttribute("aria-label", label);
      button.addEventListener("click", act);
    };
    step("|◀", "To the beginning (Home)", () => this.show(0));
    step("◀", "One move back (left arrow)", () => this.back());
    step("▶", "One move on (right arrow)", () => this.on());
    step("▶|", "To the end (End)", () => this.show(this.data.moves));
    step("?!", "Next mark (n)", () => this.nextMark());
    step("⇅", "Turn the board (f)", () => this.flip());
    this.state = make("div", tools, { className: "state" });
    this.state.setAttribute("aria-live", "polite");
    this.trial = make("form", tools, { className: "try", hidden: true });
    this.answer = make("input", this.trial, { type: "text", placeholder: "Your move, e.g. Nf3", autocomplete: "off" });
    this.answer.setAttribute("aria-label", "Your move");
    make("button", this.trial, { type: "submit", textContent: "Try" });
    make("button", this.trial, { type: "button", textContent: "Show the answer" }).addEventListener("click", () => this.solve());
    this.trial.addEventListener("submit", event => { event.preventDefault(); this.tryText(this.answer.value); });
    const links = make("div", tools, { className: "links" });
    this.links = ["Lichess", "Chess.com"].map(name =>
      make("a", links, { textContent: "Open at " + name, target: "_blank", rel: "noopener noreferrer" }));
    this.fen = make("input", links, { type: "text", readOnly: true });
    this.fen.setAttribute("aria-label", "FEN of the position");
    this.fen.addEventListener("focus", () => this.fen.select());
  }

  /** Shows a position and ends an exercise. */
  show(number) {
    this.exercise = null;
    this.node = number;
    this.draw();
    const main = this.mainNode();
    this.slider.value = main;
    for (const button of this.section.querySelectorAll("[aria-current]")) {
      button.removeAttribute("aria-current");
      button.tabIndex = -1;
    }
    const button = this.buttons.get(number);
    if (button) {
      button.setAttribute("aria-current", "true");
      button.tabIndex = 0;
      keepInView(button, this.section.querySelector(".moves"));
    }
    this.slider.setAttribute("aria-valuetext", `${this.data.nodes[main].s || "start"} ${this.data.values[main]}`);
    this.tell();
  }

  /** The last position of the game on the path to the position shown. */
  mainNode() {
    let node = this.node;
    while (node > this.data.moves) node = this.data.nodes[node].p;
    return node;
  }

  draw(options = {}) {
    const node = this.data.nodes[this.node], main = this.mainNode();
    const best = !this.exercise && this.node <= this.data.moves ? this.data.best[this.node][0] : undefined;
    const arrow = best === undefined ? null : this.data.nodes[best].m;
    drawBoard(this.place, node.f, { flipped: this.flipped, last: node.m, arrow, ...options });
    this.scale.hidden = Boolean(this.exercise);
    this.share.style.width = this.data.percents[main] + "%";
    this.cursor.hidden = false;
    this.cursor.style.left = 100 * main / Math.max(this.data.moves, 1) + "%";
    const chess960 = this.data.chess960 ? "chess960" : "standard";
    this.links[0].href = `https://lichess.org/analysis/${chess960}/${encodeURI(node.f.replace(/ /g, "_"))}`;
    this.links[1].href = "https://www.chess.com/analysis?fen=" + encodeURIComponent(node.f);
    this.fen.value = node.f;
    this.trial.hidden = !this.exercise;
  }

  /** Describes the position shown as text. */
  tell() {
    const number = this.node, node = this.data.nodes[number];
    this.state.replaceChildren();
    const first = make("p", this.state);
    make("b", first, { textContent: node.s || "The first position" });
    if (number > this.data.moves) {
      first.append(" in a variation of ");
      const back = make("button", first, { type: "button", className: "move", textContent: this.data.nodes[this.mainNode()].s || "the first position" });
      back.addEventListener("click", () => this.show(this.mainNode()));
      return;
    }
    first.append(" " + this.data.values[number]);
    const words = number > 0 && this.data.words[number - 1];
    if (words) make("p", this.state, { textContent: words, className: words.split(",")[0] });
    const line = this.data.best[number], text = make("p", this.state);
    if (!line.length) {
      text.append(number < this.data.moves ? "Best is what was played: " + this.data.nodes[number + 1].s : "The game is over.");
      return;
    }
    text.append("Best: ");
    for (const one of line) {
      const label = this.data.nodes[one].s;
      const short = one !== line[0] && label.includes("... ") ? label.split("... ")[1] : label;
      make("button", text, { type: "button", className: "move", textContent: short }).dataset.n = one;
    }
  }

  back() { const { p } = this.data.nodes[this.node]; if (p !== undefined) this.show(p); }
  on() {
    const next = this.next.get(this.node);
    if (next !== undefined && (this.node !== this.data.moves || next <= this.data.moves)) this.show(next);
  }
  nextMark() {
    const marks = this.data.words.flatMap((words, index) => words ? [index + 1] : []);
    if (marks.length) this.show(marks.find(mark => mark > this.mainNode()) ?? marks[0]);
  }
  flip() {
    this.flipped = !this.flipped;
    if (this.exercise) this.ask();
    else this.draw();
  }

  /** Begins an exercise. */
  begin(index) {
    this.show(this.data.exercises[index].ply);
    this.exercise = this.data.exercises[index];
    this.answer.value = "";
    this.ask();
    const side = this.data.nodes[this.node].f.split(" ")[1] === "w" ? "White" : "Black";
    this.say(`${side} to move. ${this.exercise.played} was played. Find a better move: click on the board, or type it.`);
    this.place.scrollIntoView({ block: "nearest" });
  }

  /** Draws the board of the exercise, with the moves of the piece on `chosen`. */
  ask(chosen = null) {
    const { legal } = this.exercise;
    const targets = chosen ? legal.filter(([squares]) => squares.startsWith(chosen)).map(([squares]) => squares.slice(2)) : [];
    this.draw({
      chosen, targets, onSquare: square => {
        const moves = legal.filter(([squares]) => squares === chosen + square);
        if (moves.length) this.judge((moves.find(([, , san]) => san === this.exercise.best) || moves[0])[2]);
        else this.ask(legal.some(([squares]) => squares.startsWith(square)) ? square : null);
      },
    });
  }

  tryText(text) {
    const plain = san => san.replace(/0/g, "O").replace(/[+#x=!?\s-]/g, "");
    const uci = ([squares, role]) => squares + (role || "");
    const wanted = text.trim();
    const fits = [
      move => plain(move[2]) === plain(wanted),
      move => uci(move) === wanted.toLowerCase(),
      move => plain(move[2]).toLowerCase() === plain(wanted).toLowerCase(),
    ];
    const found = fits.map(fit => this.exercise.legal.find(fit)).find(Boolean);
    if (found) this.judge(found[2]);
    else this.say(`“${wanted}” is no legal move here.`);
  }

  judge(san) {
    const { best, best_value, played, played_value, others } = this.exercise;
    const other = others.find(([name]) => name === san);
    if (san === best) return this.solve("Right! ");
    if (other && other[2]) return this.solve(`Right! ${san} (${other[1]}) will do. `);
    this.ask();
    const better = `is better: ${best_value} for White`;
    if (san === played) this.say(`${san} was played: ${played_value} for White. Another move ${better}. Try again.`);
    else if (other) this.say(`${san} is worth ${other[1]} for White. Another move ${better}. Try again.`);
    else if (others.length) this.say(`${san} is worse than ${others.at(-1)[0]}, which is worth ${others.at(-1)[1]} for White. Try again.`);
    else this.say(`${san} is not what Zugwerk would play. Try again.`);
  }

  solve(praise = "") {
    const { ply, best, best_value, played, played_value, others } = this.exercise;
    const number = this.data.best[ply][0];
    this.show(number ?? ply);
    make("p", this.state, { textContent: `${praise}${best} (${best_value}) is better than ${played} (${played_value}).` });
    const good = others.filter(([, , isGood]) => isGood).map(([name, value]) => `${name} (${value})`);
    if (good.length) make("p", this.state, { textContent: `Also right: ${good.join(", ")}.` });
  }

  say(text) { this.state.replaceChildren(); make("p", this.state, { textContent: text }); }
}

/** Scrolls the list of moves, not the page, and only where the list scrolls. */
function keepInView(button, list) {
  if (list.scrollHeight <= list.clientHeight) return;
  const [inner, outer] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** The page: one game is shown at a time. */
document.addEventListener("DOMContentLoaded", () => {
  const sections = [...document.querySelectorAll("section.game")];
  const games = new Map();
  let shown = null;
  const nav = document.getElementById("games");
  const pick = make("div", nav, { className: "pick" });
  const select = make("select", pick);
  select.setAttribute("aria-label", "Game");
  const open = (index, remember = true) => {
    sections.forEach((section, other) => { section.hidden = other !== index; });
    if (!games.has(index)) games.set(index, new Game(sections[index]));
    shown = games.get(index);
    select.value = String(index);
    if (remember) history.replaceState(null, "", "#" + sections[index].id);
  };
  for (const [index, { dataset }] of sections.entries())
    make("option", select, { value: String(index), textContent: `${dataset.number}. ${dataset.players} ${dataset.result}` });
  select.addEventListener("change", () => open(Number(select.value)));
  overview(nav, sections, open);
  nav.hidden = sections.length < 2;
  const asked = () => Math.max(sections.findIndex(section => "#" + section.id === location.hash), 0);
  if (sections.length) open(asked(), false);
  addEventListener("hashchange", () => open(asked(), false));
  addEventListener("keydown", event => {
    const typing = event.target.matches("input[type=text], select");
    if (!shown || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = {
      ArrowLeft: () => shown.back(), ArrowRight: () => shown.on(), Home: () => shown.show(0),
      End: () => shown.show(shown.data.moves), n: () => shown.nextMark(), f: () => shown.flip(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
});

/** A table of all games. */
function overview(nav, sections, open) {
  const details = make("details", nav, { open: sections.length <= 12 });
  make("summary", details, { textContent: `${sections.length} games` });
  const table = make("table", details), head = make("tr", table);
  for (const name of ["#", "Players", "Result", "Accuracy"]) make("th", head, { textContent: name }).scope = "col";
  sections.forEach((section, index) => {
    const row = make("tr", table), { number, players, result, accuracy } = section.dataset;
    make("td", row, { textContent: number });
    const link = make("a", make("td", row), { textContent: players, href: "#" + section.id });
    link.addEventListener("click", event => { event.preventDefault(); open(index); });
    make("td", row, { textContent: result });
    make("td", row, { textContent: accuracy });
  });
}
