// The page of a game report: marks, better lines and exercises of each game, and the list of games.

class AnalysedGame extends Game {
  /** `side` is that of the player of the page, `w` or `b`; its board is turned. */
  constructor(section, number, exercises, side) {
    super(section, side === "b");
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
    for (const name of exercises.choices.keys()) {
      const { length } = exercises.wanted(name), choice = button(sides, `${name} ${length}`, () => this.chooseExercises(name));
      choice.setAttribute("aria-pressed", name === exercises.choice);
      choice.disabled = !length;
    }
    const wanted = exercises.wanted();
    button(place, "Solve the exercises of this page (e)", () => exercises.next()).disabled = wanted.every(({ result }) => result);
    if (wanted.some(({ result }) => result)) button(place, "Begin again", () => { exercises.forget(); this.listExercises(); });
    const list = make("ol", place, { className: "exercises" });
    this.data.exercises.forEach(({ ply, moves }, index) => {
      const entry = exercises.of(this.number, index), item = make("li", list, { hidden: !wanted.includes(entry) });
      button(item, `Move ${this.positions.all[ply].fen.split(" ")[5]}, ${SIDES["wb".indexOf(entry.side)]} to move`, () => this.begin(index)).className = "exercise";
      const words = { first: "✓ at the first try", later: "✓ later", shown: "shown" }[entry.result];
      item.append(` instead of ${readMove(moves[1].line).san} ${words || ""}`);
    });
  }

  /** Wants the exercises of one side, or others. */
  chooseExercises(name) {
    this.exercises.choose(name);
    this.listExercises();
    this.exerciseList.querySelector("[aria-pressed=true]").focus();
  }
}

/** A mark in words: `Blunder: loses the knight on f6: 31. Qxf6.` */
function inWords({ fault, why }) {
  const words = fault === "praise" ? why : fault + (why ? ": " + why : "");
  return words[0].toUpperCase() + words.slice(1) + ".";
}

/** The page: the table of the games or one of them is shown, as the address says. A game is made when it is shown for the first time. */
document.addEventListener("DOMContentLoaded", () => {
  const sections = [...document.querySelectorAll("section.game")], games = new Map(), nav = document.getElementById("games");
  const main = document.querySelector("main"), table = document.getElementById("overview"), player = table?.dataset.player;
  main.append(...document.querySelectorAll(".unread"));
  const sides = new Map([...table?.querySelectorAll("tr[data-game]") ?? []].map(({ dataset: { game, side } }) => [game, side]));
  let shown = null;
  const open = (index, position) => {
    const section = sections[index];
    if (!games.has(index)) games.set(index, new AnalysedGame(section, index, exercises, sides.get(section.dataset.number)));
    const isFromTable = table && !shown;
    if (shown !== games.get(index)) only(section);
    shown = games.get(index);
    shown.listExercises();
    if (asked()[0] !== index) history[isFromTable ? "pushState" : "replaceState"](null, "", "#" + section.id);
    if (position) shown.show(Math.min(position, shown.last));
    bar.show(section, location.hash.slice(5));
    return shown;
  };
  const only = section => {
    for (const one of [...sections, ...(table ? [table] : [])]) one.hidden = one !== section;
    scrollTo(0, 0);
    enter(section);
  };
  /** The index of the game in the address, and the position. */
  const asked = () => {
    const [, number, position] = location.hash.match(/^#game(\d+)(?:\.(\d+))?$/) || [];
    return [sections.findIndex(({ dataset }) => dataset.number === number), Number(position)];
  };
  const openAsked = () => {
    const [index, position] = asked();
    if (index < 0 && table) {
      shown = null;
      only(table);
      bar.show(table, "");
      overview.come();
    } else if (sections.length) open(Math.max(index, 0), position);
  };
  const exercises = new Exercises(sections, open, player, sides);
  const overview = table && new Overview(table, exercises);
  const bar = new Bar(nav, sections, overview);
  if (table) main.prepend(table);
  main.classList.add("ready");
  openAsked();
  addEventListener("hashchange", openAsked);
  // A link to where the address leads already.
  addEventListener("click", ({ target }) => target.closest("a")?.getAttribute("href") === location.hash && openAsked());
  listenToPrinter(() => shown);
  listenToKeys(() => shown, {
    n: () => shown.nextMark(), e: () => exercises.next(), a: () => shown.exercise?.giveUp(), Escape: () => shown.show(shown.positions.inGame(shown.node)),
  });
});
