// A tree to fold, to search and to play, with a board beside it. Keys and roles follow the pattern "Tree View" of the ARIA
// Authoring Practices Guide. Data are inserted as text, never as HTML.

/**
 * The steps of the search in its order. A node is entered, and left when its value is known; a node without children is one step.
 * The nodes have this order already, because a search goes down before it goes on. A move that was not searched is met when its
 * node is left.
 */
class Steps {
  constructor(nodes) {
    this.list = []; // [node, whether it is left]
    this.entered = [];
    this.left = [];
    const visit = index => {
      const { c: children = [] } = nodes[index];
      this.entered[index] = this.list.length;
      if (children.length) this.list.push([index, false]);
      const [searched, pruned] = [children.filter(child => nodes[child].m !== "pruned"), children.filter(child => nodes[child].m === "pruned")];
      searched.forEach(visit);
      this.left[index] = this.list.length;
      this.list.push([index, true]);
      for (const child of pruned) this.entered[child] = this.left[child] = this.left[index];
    };
    visit(0);
    this.last = this.list.length - 1;
    this.at = this.last;
  }

  isMet(node) { return this.entered[node] <= this.at; }
  isKnown(node) { return this.left[node] <= this.at; }
}

/** From so many steps on the play is faster, and finished nodes are folded. */
const MANY = 600;

class Tree {
  constructor({ nodes, meanings }) {
    this.nodes = nodes;
    this.meanings = meanings;
    this.steps = new Steps(nodes);
    this.scale = middle(nodes.map(node => Math.abs(number(node.v))).filter(size => size < Infinity));
    this.parent = new Array(nodes.length).fill(-1);
    nodes.forEach((node, index) => (node.c || []).forEach(child => { this.parent[child] = index; }));
    this.items = new Map(); // node -> its row, created when it is first shown
    this.place = document.querySelector(".board-place");
    this.line = document.querySelector(".window-line");
    this.state = document.querySelector(".state");
    this.list = document.getElementById("tree");
    this.list.append(this.item(0, 1));
    this.showLine();
    this.choose(0);
    const under = event => { const item = event.target.closest("[role=treeitem]"); return item && Number(item.dataset.node); };
    this.list.addEventListener("click", event => {
      const node = under(event);
      if (node === null) return;
      if (event.target.closest(".fold")) this.fold(node, !this.isOpen(node));
      else this.fold(node, true);
      this.choose(node, true);
    });
    document.addEventListener("keydown", event => this.key(event));
  }

  item(index, level) {
    const node = this.nodes[index], item = document.createElement("li"), row = make("div", item, { className: "row", tabIndex: -1 });
    row.dataset.node = index;
    item.setAttribute("role", "none");
    for (const [name, value] of [["role", "treeitem"], ["aria-level", level], ["aria-selected", "false"]]) row.setAttribute(name, value);
    if (node.c) row.setAttribute("aria-expanded", "false");
    make("span", row, { className: "fold", textContent: node.c ? "▸" : "" }).setAttribute("aria-hidden", "true");
    const kind = node.m === "pruned" ? " pruned" : node.b ? "" : " black";
    const box = make("span", row, { className: "node" + kind + (node.p ? " principal" : "") });
    make("span", box, { textContent: node.l });
    box.append(" ");
    make("span", box, { className: "value" });
    for (const [name, text] of [["tag " + node.m, node.t], ["window", node.w], ["more", node.h && `+${node.h}`], ["aloud", node.p && "on the best line"]]) {
      if (!text) continue;
      row.append(" ");
      make("span", row, { className: name, textContent: text });
    }
    this.items.set(index, row);
    this.show(index);
    return item;
  }

  /** Shows of a node what the search knows by now. */
  show(index) {
    const row = this.items.get(index), isKnown = this.steps.isKnown(index);
    row.parentElement.hidden = !this.steps.isMet(index);
    row.querySelector(".value").textContent = isKnown ? this.nodes[index].v : "…";
    row.querySelector(".tag")?.toggleAttribute("hidden", !isKnown);
  }

  /** Goes to a step of the search. A finished node is folded if there are too many to see. */
  goToStep(step) {
    const { steps } = this, [node, isLeft] = steps.list[step];
    steps.at = step;
    this.list.classList.toggle("replayed", step < steps.last);
    [...this.items.keys()].forEach(index => this.show(index));
    this.reveal(node);
    if (isLeft && steps.last > MANY && step < steps.last) this.fold(node, false);
    this.choose(node);
    this.items.get(node).scrollIntoView({ block: "nearest" });
  }

  isOpen(index) { return this.items.get(index)?.getAttribute("aria-expanded") === "true"; }

  fold(index, open) {
    const { c: children } = this.nodes[index], row = this.items.get(index);
    if (!children || this.isOpen(index) === open) return;
    if (!row.nextSibling) {
      const list = make("ul", row.parentElement);
      list.setAttribute("role", "group");
      list.append(...children.map(child => this.item(child, Number(row.getAttribute("aria-level")) + 1)));
    }
    row.nextSibling.hidden = !open;
    row.setAttribute("aria-expanded", String(open));
    row.querySelector(".fold").textContent = open ? "▾" : "▸";
    // A hidden node cannot be the chosen node.
    if (!open && this.pathTo(this.chosen).includes(index)) this.choose(index, document.activeElement !== document.body);
  }

  /** The nodes from the root to `index`, both included. */
  pathTo(index) {
    const path = [];
    for (let node = index; node >= 0; node = this.parent[node]) path.unshift(node);
    return path;
  }

  /** Unfolds all nodes above `index`. */
  reveal(index) { for (const above of this.pathTo(index).slice(0, -1)) this.fold(above, true); }

  showLine() { this.nodes.forEach((node, index) => { if (node.p) { this.reveal(index); this.fold(index, true); } }); }

  choose(index, focus = false) {
    const before = this.items.get(this.chosen);
    if (before) {
      before.setAttribute("aria-selected", "false");
      before.tabIndex = -1;
    }
    this.chosen = index;
    const item = this.items.get(index);
    item.setAttribute("aria-selected", "true");
    item.tabIndex = 0;
    if (focus) item.focus({ preventScroll: true });
    this.draw(index);
  }

  /** Shows the position of a node and describes the node. */
  draw(index) {
    const node = this.nodes[index], pruned = node.m === "pruned", isKnown = this.steps.isKnown(index);
    // A move that was not searched has no position; the position before it is shown.
    const at = this.nodes[pruned ? this.parent[index] : index];
    drawBoard(this.place, at.n, { last: at.u, arrows: pruned && node.u ? [[node.u, "best"]] : [] });
    drawLine(this.line, this.lineOf(index), this.scale);
    this.state.replaceChildren();
    const line = this.pathTo(index).slice(1).map(step => this.nodes[step].l).join(" ");
    make("b", make("p", this.state), { textContent: line || `The root: ${node.l} to move` });
    const say = text => make("p", this.state, { textContent: text });
    if (!isKnown) say("Being searched: the value is not known yet.");
    else if (pruned) say("Not searched" + (node.t ? "" : ": the cut-off came first") + ".");
    else if (node.m !== "unfinished") say(`Worth ${inWords(node.v)} for White.`);
    if (node.t && isKnown) say(`${node.t}: ${this.meanings[node.t]}.`);
    if (node.w) say("Searched " + searched(node.w) + ".");
    if (node.h) say(`${nodesBelow(node.h)} it ${node.h === 1 ? "is" : "are"} not drawn.`);
    if (pruned && node.n) say(node.n);
    make("code", make("p", this.state), { textContent: at.n });
  }

  /** The window of a node, its value, or else the best value of its children so far. */
  lineOf(index) {
    const node = this.nodes[index], [alpha, beta] = windowOf(node);
    if (node.m === "pruned") return { alpha: "-∞", beta: "∞" };
    if (this.steps.isKnown(index)) return { alpha, beta, value: node.v };
    const moves = (node.c || []).map(child => this.nodes[child]).filter((child, place) =>
      this.steps.isKnown(node.c[place]) && child.m !== "pruned" && child.l !== "pass" && child.l !== "(itself)");
    const isBetter = (one, other) => (one.b ? number(one.v) > number(other.v) : number(one.v) < number(other.v));
    const best = moves.reduce((best, child) => (best && !isBetter(child, best) ? best : child), undefined);
    return { alpha, beta, best: best?.v };
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input")) return;
    if (["Enter", " "].includes(event.key) && event.target.closest("button, summary, a")) return;
    const shown = [...this.list.querySelectorAll("[role=treeitem]")].filter(item => item.offsetParent).map(item => Number(item.dataset.node));
    const here = shown.indexOf(this.chosen), { c: children } = this.nodes[this.chosen], above = this.parent[this.chosen];
    const to = index => () => { if (index !== undefined && index >= 0) this.go(index); };
    const keys = {
      ArrowDown: to(shown[here + 1]), ArrowUp: to(shown[here - 1]), Home: to(0), End: to(shown.at(-1)),
      ArrowRight: () => (this.isOpen(this.chosen) ? to(children.find(child => this.steps.isMet(child)))() : this.fold(this.chosen, true)),
      ArrowLeft: () => (this.isOpen(this.chosen) ? this.fold(this.chosen, false) : to(above)()),
      "*": () => (above < 0 ? [0] : this.nodes[above].c).forEach(sibling => this.fold(sibling, true)),
      Enter: () => this.fold(this.chosen, !this.isOpen(this.chosen)), " ": () => this.fold(this.chosen, !this.isOpen(this.chosen)),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    this.items.get(this.chosen).focus({ preventScroll: true });
    keys[event.key]();
  }

  go(index) {
    this.reveal(index);
    this.choose(index, true);
    this.items.get(index).scrollIntoView({ block: "nearest" });
  }

  unfoldPly() { [...this.items].filter(([, item]) => item.offsetParent).forEach(([index]) => this.fold(index, true)); }

  foldAll() {
    this.choose(0);
    [...this.items.keys()].reverse().forEach(index => this.fold(index, index === 0));
  }
}

/** `2 nodes below` */
function nodesBelow(count) { return `${count} ${count === 1 ? "node" : "nodes"} below`; }

/** `≥ +0.35` in words. */
function inWords(value) { return value.replace("≥", "at least").replace("≤", "at most").replace("?", "not searched"); }

/** The depth and window of a node, `3 ↓1 ↻ (-0.10, ∞)`, in words. */
function searched(text) {
  const [, depth, sign, plies, again, window] = text.match(/^(?:(-?\d+) )?(?:([↑↓])(\d+) )?(↻ )?(.*)$/);
  const change = { "↓": `${plies} taken off`, "↑": `${plies} added` }[sign];
  return [
    again && "again", depth && `${depth} ${depth === "1" ? "ply" : "plies"} deep${change ? `, ${change}` : ""},`,
    window && `with the window ${window}`,
  ].filter(Boolean).join(" ").replace(/,$/, "");
}

/** The window of a node. An algorithm without windows lets every value count. */
function windowOf(node) { return node.w?.match(/\(([^,]+), ([^)]+)\)$/)?.slice(1) ?? ["-∞", "∞"]; }

/** A value as a number: a mate is without limit. */
function number(value) {
  const bare = value.replace(/[≥≤] /, "");
  if (/[#∞]/.test(bare)) return bare.includes("-") ? -Infinity : Infinity;
  return Number(bare) || 0;
}

/** The median. */
function middle(numbers) { return numbers.sort((a, b) => a - b)[numbers.length >> 1] || 1; }

/** Draws alpha, beta and a value on a line from -∞ to ∞; half of each side is for values up to `scale`. */
function drawLine(place, { alpha, beta, value, best }, scale) {
  const words = [`alpha ${alpha}`, `beta ${beta}`, value && `value ${value}`, best && `best so far ${best}`].filter(Boolean).join(", ");
  const svg = element("svg", { viewBox: "0 0 320 62", role: "img", "aria-label": words });
  const x = text => {
    const size = number(text);
    if (Math.abs(size) === Infinity) return text.includes("#") ? 160 + Math.sign(size) * 140 : 160 + Math.sign(size) * 152;
    return 160 + 130 * size / (Math.abs(size) + scale);
  };
  const write = (text, at, y) => {
    element("text", { x: Math.min(Math.max(at, 30), 290), y, "text-anchor": "middle" }, svg).textContent = text;
  };
  const [left, right] = [x(alpha), x(beta)];
  element("rect", { x: left, y: 29, width: Math.max(right - left, 2), height: 10, class: "band" }, svg);
  for (const at of [8, 160, 312]) element("line", { x1: at, x2: at, y1: 30, y2: 38, class: "axis" }, svg);
  element("line", { x1: 8, x2: 312, y1: 34, y2: 34, class: "axis" }, svg);
  write(`α ${alpha}`, left, 11);
  write(`β ${beta}`, right, 24);
  for (const [point, kind] of [[value, ""], [best, "open"]]) {
    if (!point || point === "?") continue;
    element("circle", { cx: x(point), cy: 34, r: 4.5, class: kind }, svg);
    write(point, x(point), 54);
  }
  place.replaceChildren(svg);
}

/** Plays the steps of the search, by a slider and a button. */
class Player {
  constructor(tree) {
    this.tree = tree;
    this.slider = document.getElementById("step");
    this.button = document.getElementById("play");
    this.stepName = document.getElementById("step-name");
    this.slider.max = tree.steps.last;
    this.slider.value = tree.steps.last;
    this.slider.addEventListener("input", () => { this.pause(); this.go(Number(this.slider.value)); });
    this.button.addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    tree.list.addEventListener("click", () => this.pause());
    this.tell();
  }

  play() {
    if (this.tree.steps.at === this.tree.steps.last) {
      this.tree.foldAll();
      this.go(0);
    }
    this.timer = setInterval(() => this.go(this.tree.steps.at + 1), this.tree.steps.last > MANY ? 250 : 700);
    this.label("▮▮", "Pause");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.label("▶", "Play the search");
  }

  label(sign, words) {
    this.button.textContent = sign;
    this.button.setAttribute("aria-label", words);
  }

  go(step) {
    this.tree.goToStep(step);
    this.slider.value = step;
    this.tell();
    if (step === this.tree.steps.last) this.pause();
  }

  tell() {
    const { steps, nodes } = this.tree, [node, isLeft] = steps.list[steps.at];
    const done = isLeft ? `${nodes[node].l}: ${nodes[node].v}` : `into ${nodes[node].l}`;
    this.stepName.textContent = steps.at === steps.last ? "the whole search" : `${steps.at + 1} of ${steps.last + 1}: ${done}`;
    this.slider.setAttribute("aria-valuetext", this.stepName.textContent);
  }
}

/** Goes to the nodes that contain the text of the query, one after the other. */
class Search {
  constructor(tree, player) {
    this.tree = tree;
    this.player = player;
    this.query = document.getElementById("query");
    this.count = document.getElementById("count");
    this.query.addEventListener("input", () => this.begin());
    this.query.addEventListener("keydown", event => { if (event.key === "Enter") this.next(); });
    document.getElementById("next").addEventListener("click", () => this.next());
    this.query.value = new URLSearchParams("q=" + location.hash.slice(1).replaceAll("+", "%2B")).get("q");
    this.begin();
  }

  begin() {
    const query = this.query.value.trim().toLowerCase();
    const fits = ({ l, v, m, w = "", t = "", n = "" }) => [l, v, m, w, t, n].some(text => text.toLowerCase().includes(query));
    this.matches = query ? this.tree.nodes.flatMap((node, index) => fits(node) ? [index] : []) : [];
    this.at = -1;
    this.next();
  }

  next() {
    document.querySelectorAll(".found").forEach(one => one.classList.remove("found"));
    this.count.textContent = this.query.value && !this.matches.length ? "not found" : "";
    if (!this.matches.length) return;
    this.at = (this.at + 1) % this.matches.length;
    this.count.textContent = `${this.at + 1} of ${this.matches.length}`;
    const found = this.matches[this.at];
    if (!this.tree.steps.isKnown(found)) this.player.go(this.tree.steps.last);
    this.tree.reveal(found);
    this.tree.choose(found);
    const row = this.tree.items.get(found);
    row.querySelector(".node").classList.add("found");
    row.scrollIntoView({ block: "center" });
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const tree = new Tree(JSON.parse(document.getElementById("data").textContent));
  new Search(tree, new Player(tree));
  const button = (id, act) => document.getElementById(id).addEventListener("click", act);
  button("line", () => tree.showLine());
  button("open", () => tree.unfoldPly());
  button("close", () => tree.foldAll());
});
