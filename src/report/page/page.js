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
    this.listExercises();
  }

  steps() { return [...super.steps(), ["?!", "Next mark (n)", () => this.nextMark()]]; }

  judge(place, number) {
    const mark = this.mark(number);
    if (!mark) return;
    const words = make("span", place, { className: "verdict " + mark.fault, textContent: inWords(mark) + " Better: " });
    this.makeLine(words, number - 1, this.data.best[number - 1]);
  }

  show(number) {
    this.exercise?.end();
    this.exercise = null;
    super.show(number);
  }

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
      const buttons = make("p", this.state);
      if (mark.refutation)
        button(buttons, "▶ Refutation", () => this.play([number, ...this.positions.line(number, mark.refutation)])).className = "refute";
      button(buttons, "▶ Better line", () => this.play([before, ...this.positions.line(before, this.data.best[before])])).className = "improve";
    }
    const line = this.data.best[number], text = make("p", this.state);
    if (line) {
      text.append("Best: ");
      this.makeLine(text, number, line);
    } else text.append(number < this.last ? "Best is what was played: " + this.positions.all[number + 1].label : "The game is over.");
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
    this.place.scrollIntoView({ block: "nearest" });
  }

  listExercises() {
    const place = this.exerciseList, { all } = this.exercises;
    place.replaceChildren();
    if (!all.length) return;
    make("h3", place, { textContent: "Find the better move" });
    button(place, `Solve all ${all.length} exercises of this page (e)`, () => this.exercises.next());
    const list = make("ol", place, { className: "exercises" });
    this.data.exercises.forEach(({ ply, moves }, index) => {
      const { fen } = this.positions.all[ply], item = make("li", list);
      button(item, `Move ${fen.split(" ")[5]}, ${SIDES[sideOf(fen)]} to move`, () => this.begin(index)).className = "exercise";
      const words = { first: "✓ at the first try", later: "✓ later", shown: "shown" }[this.exercises.of(this.number, index).result];
      item.append(` instead of ${readMove(moves[1].line).san} ${words || ""}`);
    });
  }
}

/** A mark in words: `Blunder: loses the knight on f6: 31. Qxf6.` */
function inWords({ fault, why }) { return fault[0].toUpperCase() + fault.slice(1) + (why ? ": " + why : "") + "."; }

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
  listenToKeys(() => shown, {
    n: () => shown.nextMark(), e: () => exercises.next(), a: () => shown.exercise?.giveUp(), Escape: () => shown.show(shown.positions.inGame(shown.node)),
  });
});
