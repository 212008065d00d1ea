"use strict";
// Functions for the scripts of all pages: they create elements and draw the board of a FEN as SVG, with marks, arrows and squares
// to click on.

const SVG = "http://www.w3.org/2000/svg";
const PIECES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const SIDES = ["White", "Black"];
const SQUARE = 45, EDGE = 16;

/** The pieces of a FEN: [square, letter] each. */
function piecesOf(fen) {
  const pieces = [];
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row.replace(/~/g, "")) {
      if (letter > "0" && letter < "9") file += Number(letter);
      else pieces.push(["abcdefgh"[file++] + (8 - index), letter]);
    }
  });
  return pieces;
}

/** The side to move: 0 is White, 1 is Black. */
function sideOf(fen) { return fen.split(" ")[1] === "w" ? 0 : 1; }

/** The position as text, for screen readers. */
function boardInWords(fen) {
  const side = white => piecesOf(fen).filter(([, letter]) => (letter < "a") === white)
    .map(([square, letter]) => PIECES[letter.toLowerCase()] + " " + square).join(", ");
  return `White: ${side(true)}. Black: ${side(false)}. ${SIDES[sideOf(fen)]} to move.`;
}

/** Creates an HTML element as the last child of `parent`. */
function make(name, parent, properties = {}) {
  const made = Object.assign(document.createElement(name), properties);
  parent.appendChild(made);
  return made;
}

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.appendChild(made);
  return made;
}

/**
 * Draws `fen` into `place`. `options`: flipped, last ("e2e4"), check (whether the side to move is in check), arrows and circles
 * (["e2e4", class] each), badge ([square, text, class]), chosen (a square), targets (squares), onSquare (called with the square
 * clicked on).
 */
function drawBoard(place, fen, options) {
  const size = 8 * SQUARE + 2 * EDGE, pieces = piecesOf(fen);
  const svg = element("svg", { viewBox: `0 0 ${size} ${size}`, class: "board", role: "img", "aria-label": boardInWords(fen), "font-size": 11 });
  const corner = square => {
    const file = "abcdefgh".indexOf(square[0]), rank = Number(square[1]) - 1;
    const [column, row] = options.flipped ? [7 - file, rank] : [file, 7 - rank];
    return [EDGE + column * SQUARE, EDGE + row * SQUARE];
  };
  const paint = (square, name) => {
    const [x, y] = corner(square);
    return element("rect", { x, y, width: SQUARE, height: SQUARE, class: name, "data-square": square }, svg);
  };
  const ring = (square, r, name) => {
    const [x, y] = corner(square);
    element("circle", { cx: x + SQUARE / 2, cy: y + SQUARE / 2, r, class: name, "pointer-events": "none" }, svg);
  };
  const text = (x, y, content, attributes = {}) =>
    Object.assign(element("text", { x, y, fill: "#f9fafb", "text-anchor": "middle", "pointer-events": "none", ...attributes }, svg), { textContent: content });
  element("rect", { width: size, height: size, rx: 4, class: "edge" }, svg);
  for (let rank = 1; rank <= 8; rank++)
    [..."abcdefgh"].forEach((file, index) => paint(file + rank, (index + rank) % 2 ? "light" : "dark"));
  for (let i = 0; i < 8; i++) {
    text(corner("abcdefgh"[i] + 1)[0] + SQUARE / 2, size - 4, "abcdefgh"[i]);
    text(EDGE / 2, corner("a" + (i + 1))[1] + SQUARE / 2 + 4, i + 1);
  }
  if (options.last) for (const square of [options.last.slice(0, 2), options.last.slice(2, 4)]) paint(square, "last");
  if (options.chosen) paint(options.chosen, "chosen");
  if (options.check) {
    const king = "Kk"[sideOf(fen)];
    ring(pieces.find(([, letter]) => letter === king)[0], 19, "check");
  }
  for (const [square, letter] of pieces) {
    const [x, y] = corner(square);
    element("use", { href: "#piece-" + letter, x, y, width: SQUARE, height: SQUARE, "pointer-events": "none" }, svg);
  }
  const taken = new Set(pieces.map(([square]) => square));
  for (const square of options.targets || []) ring(square, taken.has(square) ? 19 : 7, taken.has(square) ? "target taking" : "target");
  for (const [square, name] of options.circles || []) ring(square, 20, "circle " + name);
  for (const [squares, name] of options.arrows || []) drawArrow(svg, name, corner(squares.slice(0, 2)), corner(squares.slice(2, 4)));
  if (options.badge) {
    const [square, sign, name] = options.badge, [x, y] = corner(square);
    const [cx, cy] = [Math.min(x + SQUARE - 4, size - 10), Math.max(y + 4, 10)];
    element("circle", { cx, cy, r: 10, class: "badge " + name, "pointer-events": "none" }, svg);
    text(cx, cy + 4.5, sign, { "font-size": 13, "font-weight": "bold" });
  }
  if (options.onSquare) {
    svg.classList.add("playable");
    svg.addEventListener("click", event => event.target.dataset.square && options.onSquare(event.target.dataset.square));
  }
  place.replaceChildren(svg);
}

function drawArrow(svg, name, from, to) {
  const [[x1, y1], [x2, y2]] = [from, to].map(([x, y]) => [x + SQUARE / 2, y + SQUARE / 2]);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - 16 * ux, y2 - 16 * uy];
  const group = element("g", { class: "arrow " + name, "pointer-events": "none" }, svg);
  element("line", { x1, y1, x2: bx, y2: by, "stroke-width": 6 }, group);
  element("polygon", { points: `${x2},${y2} ${bx - 9 * uy},${by + 9 * ux} ${bx + 9 * uy},${by - 9 * ux}`, stroke: "none" }, group);
}
