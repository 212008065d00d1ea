/**
 * The exercises of all games of the page, in their order: the side that plays, `w` or `b`, and how it was solved: `first`, `later` or
 * `shown`. The reader may want those of one side.
 */
class Exercises {
  constructor(sections, open) {
    this.all = sections.flatMap((section, game) => [...section.dataset.exercises].map((side, index) => ({ game, index, side, result: "" })));
    this.side = "";
    this.open = open;
  }

  /** The exercises of a side, or of both. */
  ofSide(side = this.side) { return this.all.filter(one => !side || one.side === side); }

  of(game, index) { return this.all.find(one => one.game === game && one.index === index); }

  /** Begins the first exercise behind the last one that is not solved yet. */
  next() {
    const all = this.ofSide(), begin = all.indexOf(this.current) + 1;
    const found = [...all.slice(begin), ...all.slice(0, begin)].find(({ result }) => !result);
    if (found) this.open(found.game).begin(found.index);
  }

  score() {
    const all = this.ofSide(), count = wanted => all.filter(({ result }) => result === wanted).length;
    const [first, later, shown, open] = ["first", "later", "shown", ""].map(count);
    const score = `${first} of ${all.length - open} solved at the first try, ${later} later, ${shown} shown.`;
    return open ? `${score} ${open} to go.` : `All exercises done: ${score}`;
  }
}

/** An exercise that is open: a better move to find than the one played. */
class Exercise {
  constructor(game, entry, exercises) {
    this.game = game;
    this.entry = entry;
    this.exercises = exercises;
    exercises.current = entry;
    const { ply, moves } = game.data.exercises[entry.index];
    this.ply = ply;
    const first = ({ line }) => line.split(" ")[0], known = new Set(moves.map(first));
    const others = game.positions.legal(ply).filter(move => !known.has(move)).map(line => ({ line, value: "" }));
    this.moves = [...moves, ...others].map(move => ({ ...move, ...readMove(move.line), written: first(move) }));
    [this.best, this.played] = this.moves;
    this.tries = 0;
    this.isOver = false;
  }

  begin() {
    const { game } = this;
    game.section.classList.add("solving");
    const listed = [...game.list.children], later = listed.indexOf(game.buttons.get(this.ply + 1));
    listed.forEach((one, index) => one.classList.toggle("later", index >= later));
    const side = sideOf(game.positions.all[this.ply].fen), all = this.exercises.ofSide();
    this.wasFlipped = game.flipped;
    game.flipped = side === 1;
    this.ask();
    this.say(`Exercise ${all.indexOf(this.entry) + 1} of ${all.length}. ${SIDES[side]} to move. ${this.played.san} was played. Find a better move: click on the board, or type it.`);
  }

  end() {
    this.game.section.classList.remove("solving");
    this.isOver = true;
  }

  /** Shows the position. */
  ask() {
    this.isAnswered = false;
    this.game.display(this.ply);
  }

  /** What the board shows of the exercise. */
  boardOptions() {
    if (this.isOver) return { arrows: [[this.best.squares, "best"]] };
    return this.isAnswered ? { badge: this.badge, onSquare: () => this.again() } : {};
  }

  /** Tries a written move. */
  tryWritten(written) { this.try(this.moves.find(move => move.written === written)); }

  tryText(text) {
    const plain = words => words.replace(/0/g, "O").replace(/[+#x=!?\s-]/g, ""), lower = words => plain(words).toLowerCase();
    const move = this.moves.find(({ san }) => plain(san) === plain(text))
      || this.moves.find(({ san, squares }) => [lower(san), squares + lower(san.split("=")[1] || "")].includes(lower(text)));
    if (move) this.try(move);
    else this.say(`“${text}” is no legal move here.`);
  }

  /** Shows the reader's move; a wrong one is answered. */
  try(move) {
    const { game } = this, line = game.positions.line(this.ply, move.line, { value: move.value });
    if (move.is_good) return this.solve(this.tries ? "later" : "first", move, line[0]);
    this.tries++;
    this.isAnswered = true;
    this.say(`${this.judge(move, game.positions.all[line[1]])} Another move is worth ${this.best.value} for White.`);
    game.play(line, number => {
      this.badge = number === line[0] ? [move.squares.slice(2), ...(move.value ? ["✗", "blunder"] : ["?", "inaccuracy"])] : null;
      game.display(number);
    });
  }

  /** Says why a move is not accepted. A move without a value was not reached by the searches. */
  judge(move, answer) {
    if (!move.value) return `${move.san} was not searched.`;
    const was = move === this.played ? " was played: it" : "";
    return `${move.san} (${move.value})${was} is not good enough${answer ? `: ${answer.label} answers it` : ""}.`;
  }

  again() {
    this.ask();
    this.say("Try another move.");
  }

  /** Shows the answer. */
  giveUp() { if (!this.isOver) this.solve("shown"); }

  /** Ends the exercise: the board shows the reader's move, if there is one, and the answer as an arrow. */
  solve(result, move, number = this.ply) {
    const { best, played, game } = this;
    this.entry.result ||= result;
    this.end();
    game.display(number);
    const good = this.moves.filter(other => other.is_good && other !== best && other !== move).map(({ san, value }) => `${san} (${value})`);
    const praise = !move ? "" : move === best ? "Right! " : `Right! ${move.san} (${move.value}) will do. `;
    this.say(`${praise}${best.san} (${best.value}) is better than ${played.san} (${played.value}).`
      + (good.length ? ` Also right: ${good.join(", ")}.` : "") + " " + this.exercises.score());
    game.listExercises();
  }

  say(text) {
    const { game } = this, { state } = game, isTyping = document.activeElement === this.answer;
    state.replaceChildren();
    make("p", state, { textContent: text });
    this.makeControls(state, isTyping);
    game.bringWordsIntoView();
  }

  /** Appends the controls below the words: for moves to try, or for what is next. */
  makeControls(state, isTyping) {
    if (this.isOver) {
      const place = make("p", state);
      if (this.exercises.ofSide().some(({ result }) => !result)) button(place, "Next exercise (e)", () => this.exercises.next());
      button(place, "To the game", () => this.game.show(this.ply));
      return;
    }
    const form = make("form", state, { className: "try" });
    this.answer = make("input", form, { type: "text", placeholder: "Your move, e.g. Nf3", autocomplete: "off" });
    this.answer.setAttribute("aria-label", "Your move");
    make("button", form, { type: "submit", textContent: "Try" });
    if (this.isAnswered) button(form, "Back to the position", () => this.again());
    button(form, "Show the answer (a)", () => this.giveUp());
    form.addEventListener("submit", event => { event.preventDefault(); this.tryText(this.answer.value.trim()); });
    // Else the next letters would be keys of the page.
    if (isTyping) this.answer.focus();
  }
}
