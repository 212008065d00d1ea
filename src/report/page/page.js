// The page of a game report: marks, better lines and exercises of each game, and the list of games.

class AnalysedGame extends Game {
  constructor(section, number, exercises) {
    super(section);
    this.number = number;
    this.exercises = exercises;
    const below = make("div", section, { className: "below" });
    this.exerciseList = make("div", below);
    below.append(section.querySelector("table"));
    section.append(section.querySelector(".links"));
  }

  steps() { return [...super.steps(), ["?!", "Next mark (n)", () => this.nextMark()]]; }

  judge(place, number) {
    const mark = this.mark(number);
    if (!mark) return;
    const words = make("span", place, { className: "verdict " + mark.fault, textContent: inWords(mark) + " " });
    if (mark.fault === "praise") return;
    words.append("Better: ");
    this.makeMoves(words, this.best(number - 1));
  }

  /** The best line in a position of the game, and the one that answers the bad move before it. */
  best(number) { return this.line(number, this.data.best[number]); }
  refutation({ at, refutation }) { return this.line(at, refutation); }

  /** A line from a position of the game, with the worth of that position. */
  line(number, line) { return this.positions.line(number, line, { value: this.value(number), percent: this.percents[number] }); }

  show(number) {
    if (this.exercise) this.flipped = this.exercise.wasFlipped;
    this.exercise?.end();
    this.exercise = null;
    super.show(number);
  }

  /** Follows the reader's move; in an exercise it is an answer. */
  try(move) {
    if (this.isSolving()) return this.exercise.tryWritten(move);
    if (this.node <= this.last) this.knowMoves(this.node);
    super.try(move);
  }

  /** Plays all lines that are known in a position of the game. */
  knowMoves(number) {
    const mark = this.mark(number), exercise = this.data.exercises.find(({ ply }) => ply === number);
    this.best(number);
    if (mark) this.refutation(mark);
    for (const { line, value } of exercise?.moves || []) this.positions.line(number, line, { value });
  }

  isSolving() { return Boolean(this.exercise && !this.exercise.isOver); }

  percent(number) { return this.isSolving() ? undefined : super.percent(number); }

  boardOptions() {
    if (this.exercise) return this.exercise.boardOptions();
    if (this.node > this.last) return {};
    const mark = this.mark(this.node), firstOf = line => line ? [[readMove(line).squares, "best"]] : [];
    if (!mark) return { arrows: firstOf(this.data.best[this.node]) };
    const { squares } = this.positions.all[this.node];
    return {
      arrows: [[squares, mark.fault], ...firstOf(this.data.best[this.node - 1])], badge: [squares.slice(2), mark.sign, mark.fault],
    };
  }

  tell() {
    super.tell();
    const number = this.node, mark = this.mark(number);
    if (number > this.last) return;
    if (mark) {
      const before = number - 1;
      make("p", this.state, { className: mark.fault, textContent: inWords(mark) });
      const buttons = make("p", this.state, { hidden: mark.fault === "praise" });
      if (mark.refutation)
        button(buttons, "▶ Refutation", () => this.play([number, ...this.refutation(mark)])).className = "refute";
      button(buttons, "▶ Better line", () => this.play([before, ...this.best(before)])).className = "improve";
    }
    const line = this.data.best[number], text = make("p", this.state);
    const isBad = mark && mark.fault !== "praise" && this.data.best[number - 1];
    const better = isBad ? this.best(number - 1).slice(0, 1) : [];
    if (better.length) {
      text.append("Better: ");
      this.makeMoves(text, better);
      text.append(" Now: ");
    }
    if (line) {
      if (!better.length) text.append("Best: ");
      this.makeMoves(text, this.best(number));
    } else if (number < this.last) {
      text.append((better.length ? "" : "Best is what was played: ") + this.positions.all[number + 1].label);
    } else text.append("The game is over.");
  }

  nextMark() {
    const marks = this.data.marks.map(({ at }) => at);
    if (marks.length) this.show(marks.find(mark => mark > this.positions.inGame(this.node)) ?? marks[0]);
  }

  /** Begins an exercise. */
  begin(index) {
    this.show(this.data.exercises[index].ply);
    this.exercise = new Exercise(this, this.exercises.of(this.number, index), this.exercises);
    this.exercise.begin();
  }

  listExercises() {
    const place = this.exerciseList, { exercises } = this;
    place.replaceChildren();
    if (!exercises.all.length) return;
    make("h3", place, { textContent: "Find the better move" });
    const sides = make("p", place, { className: "sides" });
    for (const [side, name] of [["", "All"], ["w", "White’s"], ["b", "Black’s"]]) {
      const { length } = exercises.ofSide(side), choice = button(sides, `${name} ${length}`, () => this.choosePlayer(side));
      choice.setAttribute("aria-pressed", side === exercises.side);
      choice.disabled = !length;
    }
    button(place, "Solve the exercises of this page (e)", () => exercises.next());
    const list = make("ol", place, { className: "exercises" });
    this.data.exercises.forEach(({ ply, moves }, index) => {
      const { side, result } = exercises.of(this.number, index), item = make("li", list, { hidden: exercises.side && side !== exercises.side });
      button(item, `Move ${this.positions.all[ply].fen.split(" ")[5]}, ${SIDES["wb".indexOf(side)]} to move`, () => this.begin(index)).className = "exercise";
      const words = { first: "✓ at the first try", later: "✓ later", shown: "shown" }[result];
      item.append(` instead of ${readMove(moves[1].line).san} ${words || ""}`);
    });
  }

  /** Wants the exercises of one side, or of both. */
  choosePlayer(side) {
    this.exercises.side = side;
    this.listExercises();
    this.exerciseList.querySelector("[aria-pressed=true]").focus();
  }
}

/** A mark in words: `Blunder: loses the knight on f6: 31. Qxf6.` */
function inWords({ fault, why }) {
  const words = fault === "praise" ? why : fault + (why ? ": " + why : "");
  return words[0].toUpperCase() + words.slice(1) + ".";
}

/** The page: one game is shown at a time, and is made when it is shown for the first time. */
document.addEventListener("DOMContentLoaded", () => {
  const sections = [...document.querySelectorAll("section.game")];
  const games = new Map();
  const asked = () => Math.max(sections.findIndex(section => "#" + section.id === location.hash), 0);
  let shown = null;
  const nav = document.getElementById("games");
  const pick = make("div", nav, { className: "pick" });
  const select = make("select", pick);
  select.setAttribute("aria-label", "Game");
  const open = index => {
    sections.forEach((section, other) => { section.hidden = other !== index; });
    if (!games.has(index)) games.set(index, new AnalysedGame(sections[index], index, exercises));
    shown = games.get(index);
    shown.listExercises();
    select.value = String(index);
    if (asked() !== index) history.replaceState(null, "", "#" + sections[index].id);
    return shown;
  };
  const exercises = new Exercises(sections, open);
  sections.forEach(({ dataset: { number, players, result, accuracy } }, index) =>
    make("option", select, { value: String(index), textContent: `${number}. ${players} ${result} (${accuracy})` }));
  select.addEventListener("change", () => open(Number(select.value)));
  document.querySelector("main").append(...document.querySelectorAll(".unread"));
  nav.hidden = sections.length < 2;
  if (sections.length) open(asked());
  addEventListener("hashchange", () => open(asked()));
  listenToPrinter(() => shown);
  listenToKeys(() => shown, {
    n: () => shown.nextMark(), e: () => exercises.next(), a: () => shown.exercise?.giveUp(), Escape: () => shown.show(shown.positions.inGame(shown.node)),
  });
});
