/** The name under which the browser keeps how exercises were solved. */
const PROGRESS = "zugwerk exercises";

/**
 * The exercises of all games of the page, in their order: the side that plays, `w` or `b`, the position, and how it was solved: `first`,
 * `later` or `shown`, which the browser keeps. The reader may want some: those of one side, of the player of the page, or of a list.
 */
class Exercises {
  constructor(sections, open, player, sides) {
    const results = kept(PROGRESS, {});
    this.all = sections.flatMap(({ dataset: { exercises, number, id } }, game) => exercises.split(" ").filter(Boolean).map((text, index) => {
      const side = text[0], ply = Number(text.slice(1)), key = `${id}.${ply}`;
      return { game, index, side, key, place: `${number}.${ply + 1}`, isOwn: side === sides.get(number), result: results[key] || "" };
    }));
    this.choices = new Map([["All", () => true], ["White’s", ({ side }) => side === "w"], ["Black’s", ({ side }) => side === "b"]]);
    if (player) this.choices.set(player + "’s", ({ isOwn }) => isOwn);
    this.choice = player ? player + "’s" : "All";
    this.open = open;
  }

  /** The exercises that the reader wants, or those of another choice. */
  wanted(choice = this.choice) { return this.all.filter(this.choices.get(choice)); }

  of(game, index) { return this.all.find(one => one.game === game && one.index === index); }

  /** Wants the exercises of another choice, from their first one on. */
  choose(choice) {
    this.choice = choice;
    this.current = null;
  }

  /** Begins the exercises of a list of positions. */
  solve(name, places) {
    this.choices.delete(this.listed);
    this.choices.set(this.listed = name, ({ place }) => places.includes(place));
    this.choose(name);
    if (this.wanted().every(({ result }) => result)) this.forget();
    this.next();
  }

  /** Takes the result of an exercise down. */
  solved(entry, result) {
    entry.result ||= result;
    keep(PROGRESS, { ...kept(PROGRESS, {}), [entry.key]: entry.result });
  }

  /** Makes the exercises that the reader wants unsolved. */
  forget() {
    const results = kept(PROGRESS, {});
    for (const one of this.wanted()) {
      one.result = "";
      delete results[one.key];
    }
    keep(PROGRESS, results);
  }

  /** Begins the first exercise behind the last one that is not solved yet. */
  next() {
    const all = this.wanted(), begin = all.indexOf(this.current) + 1;
    const found = [...all.slice(begin), ...all.slice(0, begin)].find(({ result }) => !result);
    if (found) this.open(found.game).begin(found.index);
  }

  score() {
    const all = this.wanted(), count = wanted => all.filter(({ result }) => result === wanted).length;
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
    const side = sideOf(game.positions.all[this.ply].fen), all = this.exercises.wanted();
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
    const move = moveMeant(text, this.moves.map(({ written }) => written));
    if (move) this.tryWritten(move);
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
    this.exercises.solved(this.entry, result);
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
      if (this.exercises.wanted().some(({ result }) => !result)) button(place, "Next exercise (e)", () => this.exercises.next());
      button(place, "To the game", () => this.game.show(this.ply));
      return;
    }
    const [form, field] = makeField(state, text => this.tryText(text));
    form.className = "try";
    this.answer = field;
    if (this.isAnswered) button(form, "Back to the position", () => this.again());
    button(form, "Show the answer (a)", () => this.giveUp());
    // Else the next letters would be keys of the page.
    if (isTyping) this.answer.focus();
  }
}
