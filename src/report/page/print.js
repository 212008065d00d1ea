/** What the printed page of a game has besides: a diagram at each mistake, and its exercises, with the solutions on the last page. */
class Sheet {
  constructor(game) {
    this.game = game;
    const verdicts = game.list.querySelectorAll(".verdict");
    this.diagrams = game.data.marks.flatMap((mark, index) => ["inaccuracy", "praise"].includes(mark.fault) ? [] : this.explain(mark, verdicts[index].parentElement));
    this.sheet = make("div", game.section, { className: "sheet" });
    this.exercises = game.exercises.wanted().filter(one => one.game === game.number).map(({ index }) => game.data.exercises[index]);
    if (!this.exercises.length) return;
    this.addPage("Find the better move", "div", (place, exercise, number) => this.ask(place, exercise, number));
    this.addPage("Solutions", "ol", (place, exercise) => this.solve(place, exercise));
  }

  remove() { for (const one of [this.sheet, ...this.diagrams]) one.remove(); }

  addPage(title, list, add) {
    const page = make("div", this.sheet, { className: "sheet-page" });
    make("h3", page, { textContent: `${this.game.section.dataset.players}: ${title}` });
    const place = make(list, page, { className: list === "div" ? "diagrams" : "" });
    this.exercises.forEach((exercise, index) => add(place, exercise, index + 1));
  }

  /** Appends the position in which a game can go on, seen by the side to move. */
  diagram(place, ply, options = {}) {
    const { fen, squares, check } = this.game.positions.all[ply], figure = make("figure", place);
    drawBoard(make("div", figure), fen, { flipped: sideOf(fen) === 1, last: squares, check, ...options });
    return make("figcaption", figure);
  }

  /** A diagram at a bad move, with the move and the better one. */
  explain({ at, fault }, place) {
    const { positions, data } = this.game, { squares, label } = positions.all[at];
    const caption = this.diagram(place, at - 1, { arrows: [[squares, fault], [readMove(data.best[at - 1]).squares, "best"]] });
    caption.textContent = `before ${label}`;
    return caption.parentElement;
  }

  ask(place, { ply }, number) {
    const { fen } = this.game.positions.all[ply];
    this.diagram(place, ply).textContent = `${number}. ${SIDES[sideOf(fen)]} to move. Better than ${this.game.positions.labelIn(ply + 1, true)}?`;
  }

  /** The better moves and what follows the best one. */
  solve(place, { ply, moves: [best, played, ...others] }) {
    const { positions } = this.game, good = others.filter(({ is_good }) => is_good).map(({ line, value }) => `${readMove(line).san} (${value})`);
    const line = positions.line(ply, best.line).map((number, index) => positions.labelIn(number, index === 0)).join(" ");
    make("li", place, {
      textContent: `${line} (${best.value}) is better than ${readMove(played.line).san} (${played.value}).` + (good.length ? ` Also right: ${good.join(", ")}.` : ""),
    });
  }
}

/** Prepares the game that `shown` returns for the printer. */
function listenToPrinter(shown) {
  let sheet = null;
  addEventListener("beforeprint", () => {
    sheet?.remove();
    sheet = shown() && new Sheet(shown());
  });
  addEventListener("afterprint", () => sheet?.remove());
}
