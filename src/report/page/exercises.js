/** The exercises of all games of the page, in their order, and how each was solved: `first`, `later` or `shown`. */
class Exercises {
  constructor(sections, open) {
    this.all = sections.flatMap((section, game) =>
      Array.from({ length: Number(section.dataset.exercises) }, (_, index) => ({ game, index, result: "" })));
    this.open = open;
  }

  of(game, index) { return this.all.find(one => one.game === game && one.index === index); }

  /** Begins the first exercise behind the last one that is not solved yet. */
  next() {
    const begin = this.all.indexOf(this.current) + 1;
    const found = [...this.all.slice(begin), ...this.all.slice(0, begin)].find(({ result }) => !result);
    if (found) this.open(found.game).begin(found.index);
  }

  score() {
    const count = wanted => this.all.filter(({ result }) => result === wanted).length;
    const [first, later, shown, open] = ["first", "later", "shown", ""].map(count);
    const score = `${first} of ${this.all.length - open} solved at the first try, ${later} later, ${shown} shown.`;
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
    this.moves = moves.map(move => ({ ...move, ...readMove(move.line) }));
    [this.best, this.played] = this.moves;
    this.tries = 0;
    this.isOver = false;
  }

  begin() {
    const { game } = this;
    game.section.classList.add("solving");
    for (const small of game.list.querySelectorAll("small")) small.classList.toggle("later", Number(small.dataset.at) > this.ply);
    game.chart.cover(this.ply);
    this.ask();
    const side = SIDES[sideOf(game.positions.all[this.ply].fen)];
    const number = this.exercises.all.indexOf(this.entry) + 1;
    this.say(`Exercise ${number} of ${this.exercises.all.length}. ${side} to move. ${this.played.san} was played. Find a better move: click on the board, or type it.`);
  }

  end() {
    this.game.section.classList.remove("solving");
    this.game.chart.cover(Infinity);
    this.isOver = true;
  }

  /** Shows the position with the moves of the piece on `chosen`. */
  ask(chosen = "") {
    this.chosen = chosen;
    this.isAnswered = false;
    this.game.display(this.ply);
  }

  /** What the board shows of the exercise. */
  boardOptions() {
    if (this.isOver) return { arrows: [[this.best.squares, "best"]] };
    if (this.isAnswered) return { badge: this.badge, onSquare: () => this.again() };
    const { chosen } = this;
    const targets = chosen ? this.moves.filter(({ squares }) => squares.startsWith(chosen)).map(({ squares }) => squares.slice(2)) : [];
    return {
      chosen, targets, onSquare: square => {
        const move = this.moveTo(chosen + square);
        if (move) this.try(move);
        else this.ask(this.moves.some(({ squares }) => squares.startsWith(square)) ? square : "");
      },
    };
  }

  /** The move between two squares of the board. Castling is a move of the king, or king takes rook; a pawn becomes a queen. */
  moveTo(squares) {
    const moves = this.moves.filter(({ san }) => !/=[^Q]/.test(san));
    return moves.find(({ line }) => line.slice(0, 4) === squares) || moves.find(move => move.squares === squares);
  }

  tryText(text) {
    const plain = words => words.replace(/0/g, "O").replace(/[+#x=!?\s-]/g, ""), lower = words => plain(words).toLowerCase();
    const move = this.moves.find(({ san }) => plain(san) === plain(text))
      || this.moves.find(({ san, squares }) => [lower(san), squares + lower(san.split("=")[1] || "")].includes(lower(text)));
    if (move) this.try(move);
    else this.say(`“${text}” is no legal move here.`);
  }

  /** Shows the reader's move; a wrong one is answered. */
  try(move) {
    const { game } = this, line = game.positions.line(this.ply, move.line);
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
    const { state } = this.game, isTyping = document.activeElement === this.answer;
    state.replaceChildren();
    make("p", state, { textContent: text });
    if (this.isOver) {
      const place = make("p", state);
      if (this.exercises.all.some(({ result }) => !result)) button(place, "Next exercise (e)", () => this.exercises.next());
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
