const WORTH = { k: 0, q: 9, r: 5, b: 3, n: 3, p: 1 };
/** The time between two moves of a line that is played, in milliseconds. */
const PACE = 900;

/**
 * A game that one can step through: board, evaluation bar, bars of the players, list of moves and chart. Its data are those of
 * `Played` in the program, with `values`, `depths`, `percents`, `marks` and `phases` if it is analysed. A page extends the class.
 * Text from the PGN file is inserted as text, never as HTML.
 */
class Game {
  constructor(section, flipped = false) {
    this.section = section;
    this.data = JSON.parse(section.querySelector(".data").textContent);
    this.positions = new Positions(this.data);
    this.last = this.positions.last;
    this.percents = this.data.percents || sharesSaid(this.data.reported);
    this.flipped = flipped;
    this.columns = document.createElement("div");
    this.columns.className = "columns";
    (section.querySelector("table") || section.querySelector(".data")).before(this.columns);
    this.makeStage(make("div", this.columns, { className: "stage" }));
    const side = make("div", this.columns, { className: "side" });
    this.state = make("div", side, { className: "state" });
    this.state.setAttribute("aria-live", "polite");
    this.list = make("div", side, { className: "moves" });
    this.list.setAttribute("role", "group");
    this.list.setAttribute("aria-label", "Moves; arrow up and down reach all of them");
    this.makeList();
    for (const place of [this.state, this.list]) place.addEventListener("keydown", event => rove(event, place));
    this.makeChart(side);
    this.makeLinks(section);
    section.addEventListener("click", event => {
      const move = event.target.closest("[data-n]");
      if (move) this.show(Number(move.dataset.n));
    });
    this.show(0);
  }

  /** Appends what is to be said of the move before a position of the game. */
  judge() {}
  /** More options for the board. */
  boardOptions() { return {}; }

  /** Plays the reader's move; a pawn that became a queen can become another piece. */
  try(move) {
    const before = this.node, others = this.positions.legal(before).filter(other => other !== move && other.startsWith(move.slice(0, 4)));
    this.show(this.positions.after(before, move));
    this.bringWordsIntoView();
    if (!others.length) return;
    const text = make("p", this.state, { textContent: "Or " });
    for (const other of others) button(text, readMove(other).san, () => {
      this.node = before;
      this.try(other);
    });
  }

  /** Scrolls the page if the board and what is said of it are not both to be seen. */
  bringWordsIntoView() {
    const [{ top }, ...below] = [this.columns, this.place, this.state].map(one => one.getBoundingClientRect());
    if (top < 0 || below.some(({ bottom }) => bottom > innerHeight)) this.columns.scrollIntoView();
  }

  /** The mark of the move before a position of the game, if it is bad or praised. */
  mark(number) { return this.data.marks?.find(({ at }) => at === number); }

  makeStage(stage) {
    this.bars = [make("div", stage, { className: "player" })];
    const row = make("div", stage, { className: "board-row" });
    this.evaluation = make("div", row, { className: "evaluation", hidden: !this.percents });
    this.share = make("div", this.evaluation);
    this.place = make("div", row, { className: "board-place" });
    this.bars.push(make("div", stage, { className: "player" }));
    const steps = make("div", stage, { className: "steps" });
    for (const [text, name, act] of this.steps()) button(steps, text, act, name);
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

  /** Two columns of moves; what is said of them is below their pair. */
  makeList() {
    const { list, data, positions } = this;
    this.makeRemarks(list, data.line.before || [], 0);
    let below = [];
    const endPair = () => {
      list.append(...below);
      below = [];
    };
    data.line.moves.forEach((move, index) => {
      const number = index + 1, { label } = positions.all[number], isBlack = label.includes("...");
      if (!isBlack) endPair();
      if (!isBlack || !index) make("span", list, { className: "number", textContent: parseInt(label, 10) + "." });
      if (isBlack && !index) make("span", list, { textContent: "…" });
      this.makeMoveOfGame(number);
      const said = document.createElement("div");
      said.className = "said";
      const [opening, book] = data.opening || [];
      if (number === book) make("span", said, { className: "opening", textContent: opening + " " });
      this.judge(said, number);
      this.makeRemarks(said, move.said || [], index);
      if (!said.hasChildNodes()) return;
      said.prepend(Object.assign(document.createElement("span"), { className: "number", textContent: label + " " }));
      below.push(said);
    });
    endPair();
    make("span", list, { className: "result", textContent: data.result });
    if (list.querySelector(":scope > .move > .signs:not(:empty) + .ours"))
      make("p", list, { className: "facts key", textContent: "A sign behind a move is that of the file, the one in a field that of Zugwerk." });
    // A move of the game comes before the same move in a line.
    this.buttons = new Map([...list.querySelectorAll(".move")].reverse().map(one => [Number(one.dataset.n), one]));
  }

  /** Appends the button of a move of the game, with its mark, value and time. */
  makeMoveOfGame(number) {
    const { san } = this.positions.all[number], made = this.makeMove(this.list, number, san), mark = this.mark(number);
    made.classList.toggle("book", number <= this.data.opening?.[1]);
    if (mark) {
      made.classList.add(mark.fault);
      made.append(" ");
      make("span", made, { className: "ours " + mark.fault, textContent: mark.sign });
    }
    make("span", make("small", made, { textContent: this.value(number) }), { textContent: " " + this.time(number) });
    const words = [valueInWords(this.value(number)), mark && (mark.fault === "praise" ? "very good" : mark.fault)];
    made.setAttribute("aria-label", [made.getAttribute("aria-label"), ...words.filter(Boolean)].join("; "));
  }

  /** Appends the button of a move. It is reached by the arrows. */
  makeMove(place, number, text) {
    const made = make("button", place, { type: "button", className: "move", tabIndex: -1, textContent: text }), { signs } = this.positions.all[number];
    made.dataset.n = number;
    made.setAttribute("aria-label", this.positions.inWords(number) + (signs && `; in the file ${signs}`));
    make("span", made, { className: "signs", textContent: signs });
    return made;
  }

  /** Appends the buttons of the moves of a line; outside the list of moves Tab leads to the first. */
  makeMoves(place, line) {
    line.forEach((number, index) => {
      const made = this.makeMove(place, number, this.positions.labelIn(number, index === 0));
      if (!index && !this.list.contains(place)) made.tabIndex = 0;
      place.append(" ");
    });
  }

  /** Appends comments and variations; these begin in position `parent`. */
  makeRemarks(place, remarks, parent) {
    for (const remark of remarks) {
      if (typeof remark === "string") make("span", place, { className: "comment", textContent: remark + " " });
      if (remark.moves) this.makeVariation(place, remark, parent);
      if (remark.computer) {
        const details = make("details", place, { className: "computer" });
        make("summary", details, { textContent: "In the file" });
        details.append(remark.computer + " ");
        if (remark.better) this.makeVariation(details, remark.better, parent);
      }
    }
  }

  /** Appends a variation of the file. */
  makeVariation(place, { before = [], moves }, parent) {
    const line = make("span", place, { className: "variation", textContent: "(" });
    this.makeRemarks(line, before, parent);
    let last = parent;
    moves.forEach((move, index) => {
      const from = last;
      last = this.positions.add(from, move);
      this.makeMove(line, last, this.positions.labelIn(last, index === 0));
      line.append(" ");
      this.makeRemarks(line, move.said || [], from);
    });
    line.append(") ");
  }

  makeChart(side) {
    const { reported, filed, percents, players, phases, times, fen } = this.data, numbers = [...Array(this.last + 1).keys()], first = sideOf(fen);
    // A player's score stays until that player's next move.
    const scores = player => [null, ...reported.map((_, index) => reported[(index + first) % 2 === player ? index : index - 1]?.[0] ?? null)];
    const curves = percents ? [{ name: "Zugwerk", kind: "own", percents }] : [];
    if (filed) curves.push({ name: "in the file", kind: "filed", percents: filed.map(known => known?.[0] ?? null) });
    if (reported) players.forEach(({ name }, player) =>
      curves.push({ name: `${name}, own score`, kind: ["reported-white", "reported-black"][player], percents: scores(player) }));
    this.chart = new Chart(side, {
      last: this.last, shares: this.percents, curves, phases, times, labels: numbers.map(number => this.positions.all[number].label),
      dots: numbers.filter(number => this.mark(number)).map(number => [number, this.mark(number).fault]),
      describe: number => `${this.positions.all[number].label} ${this.facts(number)}`, onChoose: number => this.show(number),
    });
  }

  makeLinks(section) {
    const links = make("div", section, { className: "links" });
    this.links = ["Lichess", "Chess.com"].map(name =>
      make("a", links, { textContent: "Open at " + name, target: "_blank", rel: "noopener noreferrer" }));
    this.fen = make("input", links, { type: "text", readOnly: true });
    this.fen.setAttribute("aria-label", "FEN of the position");
    this.fen.addEventListener("focus", () => this.fen.select());
    const [form, field] = makeField(links, text => this.tryText(text) && (field.value = ""));
    form.classList.add("typed");
  }

  /** Plays a move that the reader has typed; returns whether it is legal. */
  tryText(text) {
    const move = moveMeant(text, this.positions.legal(this.node));
    this.tell();
    if (move) this.try(move);
    else this.state.prepend(Object.assign(document.createElement("p"), { textContent: `“${text}” is no legal move here.` }));
    return Boolean(move);
  }

  /** The value of a position, or what its player said. */
  value(number) { return this.data.values?.[number] ?? this.data.reported?.[number - 1]?.[1] ?? this.positions.all[number].value ?? ""; }

  /** White's expected score in a position, in percent; nothing where it is not known. */
  percent(number) { return number > this.last ? this.positions.all[number].percent : this.percents?.[number]; }

  /** The time of the move before a position of the game, if it is known and not next to nothing. */
  time(number) {
    const seconds = this.data.times?.[number - 1];
    return seconds >= 0.1 ? timeInWords(seconds) : "";
  }

  /** The value and the time of a position of the game: `-0.14, 42s`. */
  facts(number) { return [this.value(number), this.time(number)].filter(Boolean).join(", "); }

  /** Shows a position. */
  show(number) {
    this.display(number);
    this.tell();
  }

  /** Shows a position without words. */
  display(number) {
    clearTimeout(this.timer);
    this.node = number;
    this.chosen = "";
    this.draw();
    const { buttons, list } = this, move = buttons.get(number) || buttons.get(this.positions.inGame(number)), stop = move || buttons.get(1);
    const isFocused = list.contains(document.activeElement);
    for (const one of list.querySelectorAll("[tabindex='0']")) {
      one.removeAttribute("aria-current");
      one.tabIndex = -1;
    }
    if (stop) stop.tabIndex = 0;
    if (stop && isFocused) stop.focus({ preventScroll: true });
    if (buttons.has(number)) move.setAttribute("aria-current", "true");
    if (move) keepInView(move, list);
    else list.scrollTop = 0;
  }

  draw() {
    const node = this.positions.all[this.node], { fen } = node, main = this.positions.inGame(this.node);
    const shapes = length => node.shapes.filter(shape => shape.length === length).map(shape => [shape.slice(1), shape[0]]);
    const { arrows = [], ...options } = this.boardOptions(), percent = this.percent(this.node);
    drawBoard(this.place, fen, {
      flipped: this.flipped, last: node.squares, check: node.check, circles: shapes(3), arrows: [...shapes(5), ...arrows],
      chosen: this.chosen, targets: this.targets(), onSquare: square => this.choose(square), ...options,
    });
    this.share.style.height = percent + "%";
    this.evaluation.classList.toggle("unknown", percent === undefined);
    this.evaluation.classList.toggle("flipped", this.flipped);
    const depth = this.data.depths?.[this.node];
    this.evaluation.title = percent === undefined ? "" : this.value(this.node) + (depth ? ` at depth ${depth}` : "");
    this.bars.forEach((bar, place) => this.drawPlayer(bar, place === Number(this.flipped) ? 1 : 0, node, main));
    this.chart.show(main);
    this.links[0].href = this.atLichess();
    this.links[1].href = "https://www.chess.com/analysis?fen=" + encodeURIComponent(fen);
    this.fen.value = fen;
  }

  atLichess() {
    const { fen } = this.positions.all[this.node];
    return `https://lichess.org/analysis/${this.data.chess960 ? "chess960" : "standard"}/${encodeURI(fen.replace(/ /g, "_"))}`;
  }

  /** The targets of the chosen piece. */
  targets() {
    if (!this.chosen) return [];
    return this.positions.legal(this.node).filter(move => move.startsWith(this.chosen)).map(move => readMove(move).squares.slice(2));
  }

  /** Chooses a piece, or the target of the chosen one. */
  choose(square) {
    const moves = this.positions.legal(this.node), move = this.chosen && moveBetween(moves, this.chosen + square);
    if (move) return this.try(move);
    this.chosen = square !== this.chosen && moves.some(one => one.startsWith(square)) ? square : "";
    this.draw();
  }

  /** Draws the bar of a player: name, rating, the men taken, the balance of material, and the clock. */
  drawPlayer(bar, side, { fen, taken }, main) {
    const { name, elo } = this.data.players[side], first = sideOf(this.data.fen);
    bar.replaceChildren();
    bar.classList.toggle("turn", side === sideOf(fen));
    make("b", bar, { textContent: name });
    if (elo) make("span", bar, { className: "number", textContent: elo });
    const men = make("span", bar, { className: "taken" });
    for (const man of [..."pnbrq"].map(letter => (side ? letter.toUpperCase() : letter)))
      for (const letter of taken)
        if (letter === man) element("use", { href: "#piece-" + man, width: SQUARE, height: SQUARE }, element("svg", { viewBox: "8 4 29 36", "aria-hidden": true }, men));
    const ahead = piecesOf(fen).reduce((sum, [, letter]) => sum + WORTH[letter.toLowerCase()] * ((letter < "a") === !side ? 1 : -1), 0);
    if (ahead > 0) make("span", bar, { className: "number", textContent: "+" + ahead });
    const clocks = (this.data.clocks || []).slice(0, main).filter((clock, move) => (move + first) % 2 === side && clock !== null);
    if (clocks.length) make("span", bar, { className: "clock", textContent: timeInWords(clocks.at(-1)) });
  }

  /** Describes the position shown. */
  tell() {
    const { all } = this.positions, main = this.positions.inGame(this.node);
    this.state.replaceChildren();
    const first = make("p", this.state);
    make("b", first, { textContent: all[this.node].label });
    if (main === this.node) return first.append(" " + this.facts(main));
    const value = this.value(this.node);
    first.append(`${value && " " + value} in a variation of `);
    button(first, all[main].label, () => this.show(main)).className = "move";
    if (!value) this.tellElsewhere();
  }

  /** Says where a position that has no value here can be analysed. */
  tellElsewhere() {
    const isOver = !this.positions.legal(this.node).length;
    const text = make("p", this.state, { textContent: isOver ? "The game is over." : "Not analysed here. " });
    if (isOver) return;
    make("a", text, { textContent: "Ask Lichess", href: this.atLichess(), target: "_blank", rel: "noopener noreferrer" });
    text.append(", or ");
    make("code", text, { textContent: `zugwerk analyse --fen '${this.positions.all[this.node].fen}'` });
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

/** White's share in each position by what the players said of their moves, in percent: that of the last one. */
function sharesSaid(reported) {
  let last = 50;
  return reported && [last, ...reported.map(said => last = said?.[0] ?? last)];
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

/** Gives the focus to a game that the reader has opened, unless that was by a field in which the reader may go on. */
function enter(section) {
  section.tabIndex = -1;
  section.setAttribute("aria-label", section.querySelector("h2, h3")?.textContent.trim());
  if (!document.activeElement?.matches("select")) section.focus({ preventScroll: true });
}

/** Appends a field for a move and its button; returns the form and the field. */
function makeField(place, tried) {
  const form = make("form", place), field = make("input", form, { type: "text", placeholder: "Your move, e.g. Nf3", autocomplete: "off" });
  field.setAttribute("aria-label", "Your move");
  make("button", form, { type: "submit", textContent: "Try" });
  form.addEventListener("submit", event => { event.preventDefault(); tried(field.value.trim()); });
  return [form, field];
}

/** Arrow up and down lead to all moves in `place`, of which one is reached by Tab. */
function rove(event, place) {
  const moves = [...place.querySelectorAll(".move")].filter(one => one.offsetParent), by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const from = moves.indexOf(event.target), to = by && from >= 0 && moves[from + by];
  if (!to) return;
  event.preventDefault();
  for (const one of place.querySelectorAll("[tabindex='0']")) one.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

/** What the browser keeps under a name; `otherwise` if that is nothing, or if it keeps nothing for this page. */
function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // It lasts as long as the page is open.
  }
}

/** The switch for keys of one letter; returns whether they count. */
function makeSwitch() {
  const name = "zugwerk letters", label = make("label", document.querySelector("header, .how"), { className: "letters" });
  const box = make("input", label, { type: "checkbox", checked: kept(name, true) });
  label.append(" keys of one letter");
  box.setAttribute("aria-label", "keys of one letter");
  box.addEventListener("change", () => keep(name, box.checked));
  return () => box.checked;
}

/**
 * The keys of a page with games. `shown` returns the game that is shown; `more` are keys of the page. In a field only Escape counts,
 * and elsewhere on the page, such as in a table that scrolls, only letters do.
 */
function listenToKeys(shown, more = {}) {
  const areLettersOn = makeSwitch();
  addEventListener("keydown", event => {
    const game = shown(), { key, target } = event, isLetter = key.length === 1;
    if (!game || event.ctrlKey || event.altKey || event.metaKey || isLetter && !areLettersOn()) return;
    if (target.matches("input[type=text], select") && key !== "Escape") return;
    if (!isLetter && key !== "Escape" && target !== document.body && !game.section.contains(target)) return;
    const keys = { ArrowLeft: () => game.back(), ArrowRight: () => game.on(), Home: () => game.show(0), End: () => game.show(game.last), f: () => game.flip(), ...more };
    if (!keys[key]) return;
    event.preventDefault();
    keys[key]();
  });
}
