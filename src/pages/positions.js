// Plays moves, and keeps the positions of a game and its lines. A move is written as its squares and its SAN, with `^` behind it if
// a pawn can take en passant after it: "g1f3Nf3". Castling is "e1h1O-O", king takes rook, and a null move "0000--".

/** The SAN and the squares of the first move of a line. The squares of castling are those of the king. */
function readMove(line) {
  const [move] = line.split(" "), squares = move.slice(0, 4), san = move.slice(4).replace("^", "");
  if (san === "--") return { san, squares: "" };
  const file = san.startsWith("O-O-O") ? "c" : san.startsWith("O-O") ? "g" : "";
  return { san, squares: file ? squares.slice(0, 2) + file + squares[1] : squares };
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
      parent, san, squares, signs, label: `${number}${side === "w" ? "." : "..."} ${san}`, fen: fenAfter(before.fen, m),
      check: /[+#]/.test(san), taken: before.taken + (san.includes("x") ? captured : ""), shapes: shapesOf(said),
    });
    return before.next ??= made - 1, made - 1;
  }

  /** Plays a line of written moves; returns the numbers of its positions. The same line has the same numbers. */
  line(parent, text) {
    const key = parent + " " + text;
    if (!this.lines.has(key)) {
      let last = parent;
      this.lines.set(key, text.split(" ").filter(Boolean).map(move => last = this.add(last, move)));
    }
    return this.lines.get(key);
  }

  /** The last position of the game on the path to `number`. */
  inGame(number) {
    while (number > this.last) number = this.all[number].parent;
    return number;
  }

  /** The label of a position in a line; Black's moves have their number only where a line begins. */
  labelIn(number, isFirst) {
    const { label, san } = this.all[number];
    return !isFirst && label.includes("...") ? san : label;
  }
}
