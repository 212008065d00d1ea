// A tree to fold and to search, with a board beside it. Keys and roles follow the pattern "Tree View" of the ARIA Authoring
// Practices Guide. Data are inserted as text, never as HTML.

class Tree {
  constructor({ nodes, meanings }) {
    this.nodes = nodes;
    this.meanings = meanings;
    this.parent = new Array(nodes.length).fill(-1);
    nodes.forEach((node, index) => (node.c || []).forEach(child => { this.parent[child] = index; }));
    this.items = new Map(); // node -> its <li>, created when it is first shown
    this.place = document.querySelector(".board-place");
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
    this.list.addEventListener("mouseover", event => { const node = under(event); if (node !== null) this.draw(node); });
    this.list.addEventListener("mouseleave", () => this.draw(this.chosen));
    this.list.addEventListener("keydown", event => this.key(event));
  }

  item(index, level) {
    const node = this.nodes[index], item = document.createElement("li"), row = make("div", item, { className: "row" });
    item.dataset.node = index;
    item.tabIndex = -1;
    for (const [name, value] of [["role", "treeitem"], ["aria-level", level], ["aria-selected", "false"], ["aria-label", this.spoken(node)]])
      item.setAttribute(name, value);
    if (node.c) item.setAttribute("aria-expanded", "false");
    make("span", row, { className: "fold", textContent: node.c ? "▸" : "" });
    const kind = node.m === "pruned" ? " pruned" : node.b ? "" : " black";
    const box = make("span", row, { className: "node" + kind + (node.p ? " principal" : "") });
    make("span", box, { textContent: node.l });
    make("span", box, { textContent: node.v });
    if (node.t) make("span", row, { className: "tag " + node.m, textContent: node.t });
    if (node.w) make("span", row, { className: "window", textContent: node.w });
    if (node.h) make("span", row, { className: "more", textContent: `+${node.h}` });
    this.items.set(index, item);
    return item;
  }

  spoken(node) {
    const hidden = node.h ? `${nodesBelow(node.h)} not drawn` : "";
    return [node.l, node.m === "unfinished" ? "" : inWords(node.v), node.t, node.w, node.p ? "on the best line" : "", hidden].filter(Boolean).join(", ");
  }

  isOpen(index) { return this.items.get(index)?.getAttribute("aria-expanded") === "true"; }

  fold(index, open) {
    const { c: children } = this.nodes[index], item = this.items.get(index);
    if (!children || this.isOpen(index) === open) return;
    if (item.lastChild.tagName !== "UL") {
      const list = make("ul", item);
      list.setAttribute("role", "group");
      list.append(...children.map(child => this.item(child, Number(item.getAttribute("aria-level")) + 1)));
    }
    item.lastChild.hidden = !open;
    item.setAttribute("aria-expanded", String(open));
    item.querySelector(".fold").textContent = open ? "▾" : "▸";
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
    const node = this.nodes[index], pruned = node.m === "pruned";
    // A move that was not searched has no position; the position before it is shown.
    const at = this.nodes[pruned ? this.parent[index] : index];
    drawBoard(this.place, at.n, { last: at.u, arrow: pruned ? node.u : null });
    this.state.replaceChildren();
    const line = this.pathTo(index).slice(1).map(step => this.nodes[step].l).join(" ");
    make("b", make("p", this.state), { textContent: line || `The root: ${node.l} to move` });
    const say = text => make("p", this.state, { textContent: text });
    if (pruned) say("Not searched" + (node.t ? "" : ": the cut-off came first") + ".");
    else if (node.m !== "unfinished") say(`Worth ${inWords(node.v)} for White.`);
    if (node.t) say(`${node.t}: ${this.meanings[node.t]}.`);
    if (node.w) say("Searched " + searched(node.w) + ".");
    if (node.h) say(`${nodesBelow(node.h)} it ${node.h === 1 ? "is" : "are"} not drawn.`);
    if (pruned && node.n) say(node.n);
    make("code", make("p", this.state), { textContent: at.n });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const shown = [...this.list.querySelectorAll("[role=treeitem]")].filter(item => item.offsetParent).map(item => Number(item.dataset.node));
    const here = shown.indexOf(this.chosen), { c: children } = this.nodes[this.chosen], above = this.parent[this.chosen];
    const to = index => () => { if (index !== undefined && index >= 0) this.go(index); };
    const keys = {
      ArrowDown: to(shown[here + 1]), ArrowUp: to(shown[here - 1]), Home: to(0), End: to(shown.at(-1)),
      ArrowRight: () => (children && this.isOpen(this.chosen) ? this.go(children[0]) : this.fold(this.chosen, true)),
      ArrowLeft: () => (this.isOpen(this.chosen) ? this.fold(this.chosen, false) : to(above)()),
      "*": () => (above < 0 ? [0] : this.nodes[above].c).forEach(sibling => this.fold(sibling, true)),
      Enter: () => this.fold(this.chosen, !this.isOpen(this.chosen)), " ": () => this.fold(this.chosen, !this.isOpen(this.chosen)),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  go(index) {
    this.reveal(index);
    this.choose(index, true);
    this.items.get(index).firstChild.scrollIntoView({ block: "nearest" });
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

/** Goes to the nodes that contain the text of the query, one after the other. */
class Search {
  constructor(tree) {
    this.tree = tree;
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
    this.tree.reveal(found);
    this.tree.choose(found);
    const row = this.tree.items.get(found).firstChild;
    row.querySelector(".node").classList.add("found");
    row.scrollIntoView({ block: "center" });
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const tree = new Tree(JSON.parse(document.getElementById("data").textContent));
  new Search(tree);
  const button = (id, act) => document.getElementById(id).addEventListener("click", act);
  button("line", () => tree.showLine());
  button("open", () => tree.unfoldPly());
  button("close", () => tree.foldAll());
});
