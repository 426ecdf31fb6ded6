// The trace page: a segment that is chosen in the list, or walked to in the graph, is shown with its place in the text.
// Without this file every link leads to the same page with ?segment=ID.
const PAUSE_MS = 180; // somebody who walks fast along the edges asks for the last segment only
let waiting = null;
let wanted = null; // the segment that was chosen last
let reading = null; // while an answer is on its way

const idOf = (element) => element.dataset.show ?? element.dataset.node;

function addressOf(id) {
  const address = new URL(location.href);
  address.searchParams.set("segment", id);
  address.hash = "";
  return address.pathname + address.search;
}

const shownId = () => document.querySelector("#reading input[name=segment]")?.value;

export function show(id, { scroll }) {
  clearTimeout(waiting);
  wanted = id;
  history.replaceState(history.state, "", addressOf(id));
  mark(id);
  if (!reading) reading = read(scroll).finally(() => { reading = null; });
}

/** The answer replaces the map and the reading pane: whoever stood in one of them stands at the same link of the new one. */
function placeOfFocus() {
  const held = document.activeElement;
  const pane = held?.closest("#map, #reading")?.id;
  const rel = held?.getAttribute("rel");
  return () => {
    if (!pane || document.activeElement !== document.body) return;
    const again = pane === "map" ? "#map [aria-current]" : rel ? `#reading a[rel="${rel}"]` : null;
    const link = (again && document.querySelector(again)) ?? document.querySelector("#reading");
    link?.focus({ preventScroll: true });
  };
}

/** One request at a time: htmx drops one that waits for an element which the answer before it replaces. */
async function read(scroll) {
  for (let asked = null; wanted !== shownId() && wanted !== asked;) {
    asked = wanted; // an answer without it (no rights, no network) is not asked for again
    const giveBack = placeOfFocus();
    await htmx.ajax("GET", addressOf(asked), { source: "#reading", target: "#reading", swap: "outerHTML" }).catch(() => null);
    giveBack();
  }
  if (scroll) document.querySelector("#reading")?.scrollIntoView({ block: "nearest" });
}

/** The chosen segment is marked in the graph and in the list. */
function mark(id) {
  for (const node of document.querySelectorAll("[data-node]")) {
    node.classList.toggle("is-here", node.dataset.node === id);
    if (node.dataset.node === id) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
  }
  for (const row of document.querySelectorAll("[data-row]")) {
    const here = row.dataset.row === id;
    row.classList.toggle("is-here", here);
    row.toggleAttribute("aria-current", here);
    if (here) row.setAttribute("aria-current", "true");
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-show], a[data-node]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0 || !document.querySelector("#reading")) return;
  event.preventDefault();
  show(idOf(link), { scroll: true });
});

document.addEventListener("focusin", (event) => {
  const node = event.target.closest("[data-node]");
  if (!node || !node.matches(":focus-visible") || !document.querySelector("#reading")) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => show(node.dataset.node, { scroll: false }), PAUSE_MS);
});
