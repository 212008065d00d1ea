"use strict";
// Functions for the scripts of all pages: they create elements and draw the board of a FEN as SVG, with the last move, an arrow
// and squares to click on.

const SVG = "http://www.w3.org/2000/svg";
const PIECES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
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

/** The position as text, for screen readers. */
function boardInWords(fen) {
  const side = white => piecesOf(fen).filter(([, letter]) => (letter < "a") === white)
    .map(([square, letter]) => PIECES[letter.toLowerCase()] + " " + square).join(", ");
  return `White: ${side(true)}. Black: ${side(false)}. ${fen.split(" ")[1] === "w" ? "White" : "Black"} to move.`;
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
 * Draws `fen` into `place`. `options`: flipped, last ("e2e4"), arrow ("e2e4"), chosen (a square), targets (squares),
 * onSquare (called with the square clicked on).
 */
function drawBoard(place, fen, options) {
  const size = 8 * SQUARE + 2 * EDGE;
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
  element("rect", { width: size, height: size, rx: 4, class: "edge" }, svg);
  for (let rank = 1; rank <= 8; rank++)
    [..."abcdefgh"].forEach((file, index) => paint(file + rank, (index + rank) % 2 ? "light" : "dark"));
  for (let i = 0; i < 8; i++) {
    const [x] = corner("abcdefgh"[i] + 1), [, y] = corner("a" + (i + 1));
    element("text", { x: x + SQUARE / 2, y: size - 4, fill: "#f9fafb", "text-anchor": "middle" }, svg).textContent = "abcdefgh"[i];
    element("text", { x: EDGE / 2, y: y + SQUARE / 2 + 4, fill: "#f9fafb", "text-anchor": "middle" }, svg).textContent = i + 1;
  }
  if (options.last) for (const square of [options.last.slice(0, 2), options.last.slice(2, 4)]) paint(square, "last");
  if (options.chosen) paint(options.chosen, "chosen");
  for (const square of options.targets || []) paint(square, "target");
  for (const [square, letter] of piecesOf(fen)) {
    const [x, y] = corner(square);
    element("use", { href: "#piece-" + letter, x, y, width: SQUARE, height: SQUARE, "pointer-events": "none" }, svg);
  }
  if (options.arrow) drawArrow(svg, corner(options.arrow.slice(0, 2)), corner(options.arrow.slice(2, 4)));
  if (options.onSquare) {
    svg.classList.add("playable");
    svg.addEventListener("click", event => event.target.dataset.square && options.onSquare(event.target.dataset.square));
  }
  place.replaceChildren(svg);
}

function drawArrow(svg, from, to) {
  const [[x1, y1], [x2, y2]] = [from, to].map(([x, y]) => [x + SQUARE / 2, y + SQUARE / 2]);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - 16 * ux, y2 - 16 * uy];
  const group = element("g", { class: "arrow", "pointer-events": "none" }, svg);
  element("line", { x1, y1, x2: bx, y2: by, "stroke-width": 6 }, group);
  element("polygon", { points: `${x2},${y2} ${bx - 9 * uy},${by + 9 * ux} ${bx + 9 * uy},${by - 9 * ux}`, stroke: "none" }, group);
}
