// The page of a match: the games of its list, of which one is shown at a time. A game is made when it is opened.

document.addEventListener("DOMContentLoaded", () => {
  const sections = [...document.querySelectorAll("section.game")], games = new Map();
  let shown = null;
  const open = () => {
    const section = sections.find(({ id }) => "#" + id === location.hash);
    sections.forEach(one => { one.hidden = one !== section; });
    for (const row of document.querySelectorAll("#games tr")) row.classList.toggle("shown", Boolean(section) && row.dataset.game === section.id);
    if (section && !games.has(section)) games.set(section, new Game(section));
    shown = section ? games.get(section) : null;
    if (!section) return;
    section.scrollIntoView();
    enter(section);
  };
  const next = by => () => {
    const index = sections.indexOf(shown.section) + by;
    if (sections[index]) location.hash = sections[index].id;
  };
  addEventListener("hashchange", open);
  listenToKeys(() => shown, { n: next(1), p: next(-1), Escape: () => { location.hash = "games"; } });
  open();
  // The page of a running match. What is open stays open.
  const { renewal } = document.body.dataset;
  if (renewal) setInterval(() => { if (!shown && !document.querySelector("details[open]")) location.reload(); }, 1000 * renewal);
});
