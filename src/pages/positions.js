// Plays moves, and keeps the positions of a game and its lines. A move is written as its squares and its SAN, with `^` behind it if
// a pawn can take en passant after it: "g1f3Nf3". Castling is "e1h1O-O", king takes rook, and a null move "0000--".

/** The SAN and the squares of the first move of a line. The squares of castling are those of the king. */
function readMove(line) {
  const [move] = line.split(" "), squares = move.slice(0, 4), san = move.slice(4).replace("^", "");
  if (san === "--") return { san, squares: "" };
  const file = san.startsWith("O-O-O") ? "c" : san.startsWith("O-O") ? "g" : "";
  return { san, squares: file ? squares.slice(0, 2) + file + squares[1] : squares };
}

/** A move in words: `bishop takes h2, check`. */
function sanInWords(san) {
  const sign = san.endsWith("#") ? ", mate" : san.endsWith("+") ? ", check" : "";
  if (san === "--") return "no move";
  if (san.startsWith("O-O")) return `castles on the ${san.startsWith("O-O-O") ? "queen" : "king"}’s side${sign}`;
  const [, man, from, takes, to, role] = san.match(/^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])=?([QRBN]?)/), name = letter => PIECES[letter.toLowerCase()];
  return `${name(man || "p")}${from && " " + from} ${takes ? "takes" : "to"} ${to}${role && ", becomes a " + name(role)}${sign}`;
}

/** A value in words: `plus 0.92`, `Black mates in 3`. What engines add behind it, such as a depth, is not said. */
function valueInWords(value) {
  const [plain] = value.split("/"), [, sign, moves] = plain.match(/^#(-?)(\d+)/) || [];
  if (moves) return `${SIDES[sign ? 1 : 0]} mates in ${moves}`;
  return plain.replace("+", "plus ").replace("-", "minus ");
}

/** The written move among `moves` that a text means: SAN in any spelling of upper and lower case, or squares. */
function moveMeant(text, moves) {
  const plain = words => words.replace(/0/g, "O").replace(/[+#x=!?\s-]/g, ""), lower = words => plain(words).toLowerCase();
  const read = moves.map(move => ({ move, ...readMove(move) }));
  const found = read.find(({ san }) => plain(san) === plain(text))
    || read.find(({ san, squares }) => [lower(san), squares + lower(san.split("=")[1] || "")].includes(lower(text)));
  return found?.move;
}

/** The squares and arrows among remarks. */
function shapesOf(remarks = []) { return remarks.flatMap(({ shapes = [] }) => shapes); }

/** The square of the rook of a castling right in a FEN: Q, K, or in Chess960 the letter of its file. */
function castlingRook(right, board) {
  const white = right < "a", rank = white ? "1" : "8", file = right.toLowerCase();
  if (file !== "k" && file !== "q") return file + rank;
  const row = [..."abcdefgh"].filter(one => board.get(one + rank) === (white ? "R" : "r"));
  return (file === "k" ? row.at(-1) : row[0]) + rank;
}

/** The letter in a FEN for the right to castle with the rook on `square`: its file if another rook is farther outside. */
function castlingRight(square, board) {
  const white = square[1] === "1", [king] = [...board].find(([, piece]) => piece === (white ? "K" : "k"));
  const side = square > king ? "k" : "q", inCase = letter => (white ? letter.toUpperCase() : letter);
  return inCase(castlingRook(inCase(side), board) === square ? side : square[0]);
}

/** The FEN after a written move. */
function fenAfter(fen, move) {
  const [, side, rights, , halfmoves, number] = fen.split(" ");
  const board = new Map(piecesOf(fen)), white = side === "w", { san, squares } = readMove(move);
  const from = move.slice(0, 2), to = move.slice(2, 4), piece = board.get(from);
  const isPawn = piece?.toLowerCase() === "p", isCastling = san.startsWith("O-O"), isCapture = san.includes("x");
  const kept = [...rights].filter(right => right !== "-" && !((right < "a") === white && piece?.toLowerCase() === "k"))
    .map(right => castlingRook(right, board)).filter(rook => rook !== from && rook !== to);
  if (piece) {
    const taken = board.get(to), promoted = san.split("=")[1]?.[0];
    board.delete(from);
    if (isCastling) {
      board.delete(to);
      board.set((squares[2] === "c" ? "d" : "f") + from[1], taken).set(squares.slice(2), piece);
    } else {
      if (isPawn && isCapture && !taken) board.delete(to[0] + from[1]);
      board.set(to, promoted ? (white ? promoted : promoted.toLowerCase()) : piece);
    }
  }
  const rows = [..."87654321"].map(rank => [..."abcdefgh"].map(file => board.get(file + rank) || "1").join("").replace(/1+/g, ones => ones.length));
  const clock = isPawn || isCapture ? 0 : Number(halfmoves) + 1;
  const passed = move.endsWith("^") ? to[0] + (white ? "3" : "6") : "-";
  const castling = kept.map(rook => castlingRight(rook, board)).join("") || "-";
  return [rows.join("/"), white ? "b" : "w", castling, passed, clock, Number(number) + (white ? 0 : 1)].join(" ");
}

const STEPS = { r: [[0, 1], [1, 0], [0, -1], [-1, 0]], b: [[1, 1], [1, -1], [-1, -1], [-1, 1]], n: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]] };
STEPS.q = STEPS.k = [...STEPS.r, ...STEPS.b];

/** The square some files and ranks away; empty beyond the edge. */
function squareFrom(square, files, ranks) {
  const file = "abcdefgh"["abcdefgh".indexOf(square[0]) + files], rank = Number(square[1]) + ranks;
  return file && rank > 0 && rank < 9 ? file + rank : "";
}

/** The squares that the piece on `from` attacks. */
function attacks(board, from) {
  const piece = board.get(from), kind = piece.toLowerCase(), up = piece === "P" ? 1 : -1;
  return (kind === "p" ? [[-1, up], [1, up]] : STEPS[kind]).flatMap(([files, ranks]) => {
    const squares = [];
    let square = from;
    do if (square = squareFrom(square, files, ranks)) squares.push(square);
    while (square && "qrb".includes(kind) && !board.has(square));
    return squares;
  });
}

function isAttacked(board, square, byWhite) {
  return [...board].some(([from, piece]) => (piece < "a") === byWhite && attacks(board, from).includes(square));
}

function kingOf(board, white) { return [...board].find(([, piece]) => piece === (white ? "K" : "k"))[0]; }

/** Whether a side can take the king of the other one. */
function attacksKing(fen, byWhite) {
  const board = new Map(piecesOf(fen));
  return isAttacked(board, kingOf(board, !byWhite), byWhite);
}

/** The squares from one to another on the same rank. */
function rankBetween(from, to) {
  const [first, last] = [from[0], to[0]].sort();
  return [..."abcdefgh"].filter(file => file >= first && file <= last).map(file => file + from[1]);
}

/** The castling moves of a side: king, rook and SAN. */
function castlings(board, rights, white) {
  const king = kingOf(board, white), rank = white ? "1" : "8";
  return [...rights].filter(right => right !== "-" && (right < "a") === white).flatMap(right => {
    const rook = castlingRook(right, board), [kingTo, rookTo, san] = rook > king ? ["g", "f", "O-O"] : ["c", "d", "O-O-O"];
    const path = rankBetween(king, kingTo + rank), isFree = square => square === king || square === rook || !board.has(square);
    const isPossible = [...path, ...rankBetween(rook, rookTo + rank)].every(isFree) && !path.some(square => isAttacked(board, square, !white));
    return isPossible ? [{ from: king, to: rook, head: san, tail: "" }] : [];
  });
}

/** The targets of the piece on `from`. `passed` is the square on which a pawn can be taken en passant. */
function targetsOf(board, from, passed) {
  const piece = board.get(from), white = piece < "a", targets = attacks(board, from);
  if (piece.toLowerCase() !== "p") return targets.filter(to => !board.has(to) || (board.get(to) < "a") !== white);
  const up = white ? 1 : -1, pushes = [1, 2].slice(0, from[1] === (white ? "2" : "7") ? 2 : 1).map(far => squareFrom(from, 0, far * up));
  const blocked = pushes.findIndex(to => board.has(to)), free = blocked < 0 ? pushes : pushes.slice(0, blocked);
  return [...free, ...targets.filter(to => to === passed || board.has(to) && (board.get(to) < "a") !== white)];
}

/** The moves of a side in parts: squares, the SAN before and after what tells pieces apart, and the FEN after it. */
function movesInParts(fen) {
  const [, side, rights, passed] = fen.split(" "), white = side === "w", board = new Map(piecesOf(fen));
  const moves = castlings(board, rights, white);
  for (const [from, piece] of board) {
    if ((piece < "a") !== white) continue;
    const isPawn = piece.toLowerCase() === "p";
    for (const to of targetsOf(board, from, passed)) {
      const taking = board.has(to) || isPawn && to === passed ? "x" : "", head = isPawn ? (taking && from[0]) : piece.toUpperCase();
      for (const role of isPawn && "18".includes(to[1]) ? ["=Q", "=R", "=B", "=N"] : [""]) moves.push({ from, to, head, tail: taking + to + role });
    }
  }
  const played = moves.map(move => ({ ...move, after: fenAfter(fen, move.from + move.to + move.head + move.tail) }));
  return played.filter(({ after }) => !attacksKing(after, !white));
}

/** What tells a move in SAN apart from moves of other pieces to the same square. */
function apart({ from, head, tail }, moves) {
  const others = moves.filter(other => head && "QRBN".includes(head) && other.head === head && other.tail === tail && other.from !== from);
  if (!others.length) return "";
  if (others.every(other => other.from[0] !== from[0])) return from[0];
  return others.every(other => other.from[1] !== from[1]) ? from[1] : from;
}

/** The legal moves in a position, written. */
function legalMoves(fen) {
  const white = sideOf(fen) === 0, moves = movesInParts(fen);
  return moves.map(move => {
    const { from, to, head, tail, after } = move, isStep = !head && Math.abs(from[1] - to[1]) === 2;
    const passing = isStep ? fenAfter(fen, from + to + tail + "^") : after, target = passing.split(" ")[3];
    const canPass = isStep && movesInParts(passing).some(other => other.to === target && other.tail === "x" + target && /[a-h]/.test(other.head));
    const sign = !attacksKing(after, white) ? "" : movesInParts(passing).length ? "+" : "#";
    return from + to + head + apart(move, moves) + tail + sign + (canPass ? "^" : "");
  });
}

/** The move between two squares of the board. Castling is a move of the king, or king takes rook; a pawn becomes a queen. */
function moveBetween(moves, squares) {
  const all = moves.filter(move => !/=[^Q]/.test(move));
  return all.find(move => move.startsWith(squares)) || all.find(move => readMove(move).squares === squares);
}

/** The positions of a game, numbered from 0, and behind them those of its other lines. */
class Positions {
  constructor({ fen, check, line }) {
    this.all = [{ fen, check, label: "Start", squares: "", taken: "", shapes: shapesOf(line.before) }];
    this.lines = new Map();
    this.last = line.moves.reduce((last, move) => this.add(last, move), 0);
  }

  /** Plays a written move, which may have signs and remarks, in position `parent`; returns the number of the position after it. */
  add(parent, move) {
    const before = this.all[parent], [, side, , , , number] = before.fen.split(" ");
    const { m = move, signs = "", said } = move, { san, squares } = readMove(m);
    const captured = piecesOf(before.fen).find(([square]) => square === m.slice(2, 4))?.[1] ?? (side === "w" ? "p" : "P");
    const made = this.all.push({
      parent, san, squares, signs, move: m, label: `${number}${side === "w" ? "." : "..."} ${san}`, fen: fenAfter(before.fen, m),
      check: /[+#]/.test(san), taken: before.taken + (san.includes("x") ? captured : ""), shapes: shapesOf(said),
    });
    return before.next ??= made - 1, made - 1;
  }

  /**
   * Plays a line of written moves; returns the numbers of its positions, all of which have the `worth` of the line: value and percent.
   * The same line has the same numbers.
   */
  line(parent, text, worth = {}) {
    const key = parent + " " + text;
    if (!this.lines.has(key)) {
      let last = parent;
      this.lines.set(key, text.split(" ").filter(Boolean).map(move => last = this.add(last, move)));
      for (const number of this.lines.get(key)) Object.assign(this.all[number], worth);
    }
    return this.lines.get(key);
  }

  /** The legal moves in a position, written. */
  legal(number) {
    const one = this.all[number];
    return one.legal ??= legalMoves(one.fen);
  }

  /** The number of the position after a written move: that of the game, one with a value, another one, or a new one. */
  after(parent, move) {
    const known = [...this.all.keys()].filter(number => this.all[number].parent === parent && this.all[number].move === move);
    return known.find(number => number <= this.last || this.all[number].value) ?? known[0] ?? this.add(parent, move);
  }

  /** The last position of the game on the path to `number`. */
  inGame(number) {
    while (number > this.last) number = this.all[number].parent;
    return number;
  }

  /** The move before a position in words: `13, Black: bishop takes h2, check`. */
  inWords(number) {
    const { label, san } = this.all[number];
    return `${parseInt(label, 10)}, ${SIDES[label.includes("...") ? 1 : 0]}: ${sanInWords(san)}`;
  }

  /** The label of a position in a line; Black's moves have their number only where a line begins. */
  labelIn(number, isFirst) {
    const { label, san } = this.all[number];
    return !isFirst && label.includes("...") ? san : label;
  }
}
