/** The table of the games and the statistics of a player: rows are sorted and open their game, numbers list what is behind them. */
class Overview {
  constructor(section, exercises) {
    this.section = section;
    this.exercises = exercises;
    this.moments = JSON.parse(section.querySelector(".moments").textContent);
    this.list = { title: "", places: [] };
    for (const head of section.querySelectorAll(".sortable th")) head.firstChild.addEventListener("click", () => sortBy(head));
    section.addEventListener("click", ({ target }) => {
      const number = target.closest("[data-at]"), row = target.closest("tr[data-game]");
      if (number) this.follow(number);
      else if (row && !target.closest("a")) location.hash = "game" + row.dataset.game;
    });
  }

  /** Solves the exercises of a button, or lists the positions behind a number. */
  follow(number) {
    const places = number.dataset.at.split(" ");
    if (number.matches(".solve")) this.exercises.solve(number.closest("li").firstChild.textContent.replace(/:.*/, ""), places);
    else this.open(number, { title: number.getAttribute("aria-label"), places });
  }

  /** Lists positions below the number that was chosen; chosen once more, it closes the list. */
  open(number, list) {
    const wasOpen = number.getAttribute("aria-expanded") === "true";
    this.box?.remove();
    for (const one of this.section.querySelectorAll("[aria-expanded]")) one.removeAttribute("aria-expanded");
    if (wasOpen) return;
    number.setAttribute("aria-expanded", "true");
    this.list = list;
    this.box = document.createElement("div");
    this.box.className = "list";
    number.closest("table, p, ol").after(this.box);
    make("h4", this.box, { textContent: list.title, tabIndex: -1 }).focus();
    const { all } = this.exercises, solvable = list.places.filter(place => all.some(one => one.place === place));
    if (solvable.length) button(this.box, `Solve ${solvable.length} of them as exercises`, () => this.exercises.solve(list.title, solvable));
    const entries = make("ol", this.box);
    for (const place of list.places)
      make("a", make("li", entries), { href: "#game" + place, textContent: this.name(place) });
  }

  /** A position or a game in words. */
  name(place) {
    const cells = this.section.querySelector(`tr[data-game="${place.split(".")[0]}"]`).cells, [number, date, opponent, , , result] = [...cells].map(cell => cell.textContent);
    return `${number}. ${[opponent, date, this.moments[place] || result].filter(Boolean).join(", ")}`;
  }

  /** Goes back to where the reader was. */
  come() { this.box?.scrollIntoView({ block: "center" }); }
}

/** Sorts a table by a column; by the same column once more, in the other direction. */
function sortBy(head) {
  const table = head.closest("table"), body = table.tBodies[0], isUp = head.getAttribute("aria-sort") !== "ascending";
  const key = row => row.cells[head.cellIndex].dataset.key ?? row.cells[head.cellIndex].textContent;
  const compare = (a, b) => key(a).localeCompare(key(b), "en", { numeric: true });
  for (const one of head.parentElement.cells) one.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
  body.append(...[...body.rows].sort((a, b) => isUp ? compare(a, b) : compare(b, a)));
}

/** The bar above a game of many: the way back, the choice of a game, and the way through a list of positions. */
class Bar {
  constructor(nav, sections, overview) {
    this.overview = overview;
    nav.hidden = !overview && sections.length < 2;
    this.nav = nav;
    const pick = make("div", nav, { className: "pick" });
    if (overview) make("a", pick, { href: "#overview", textContent: "All games" });
    this.select = make("select", pick);
    this.select.setAttribute("aria-label", "Game");
    for (const { id, dataset: { number, players, result, accuracy } } of sections)
      make("option", this.select, { value: id, textContent: `${number}. ${players} ${result} (${accuracy})` });
    this.select.addEventListener("change", () => { location.hash = this.select.value; });
    this.way = make("p", nav, { className: "way" });
  }

  /** Says where the page is: at a game, at a place of the list. */
  show(section, place) {
    const { title, places } = this.overview?.list || { places: [] }, index = places.indexOf(place);
    this.nav.classList.toggle("at-table", section.id === "overview");
    this.select.value = section.id;
    this.way.replaceChildren();
    if (index < 0) return;
    const link = (to, text, name) => to && make("a", this.way, { href: "#game" + to, textContent: text, ariaLabel: name });
    link(places[index - 1], "◀", "The one before");
    this.way.append(` ${title}, ${index + 1} of ${places.length} `);
    link(places[index + 1], "▶", "The next one");
  }
}
