// Ways about the desk: keys walk from pane to pane, what opens takes the focus, Escape gives the keys back, and a
// neighbour that is pointed at or walked to lights what the current reasoning takes from it.
import { isWriting } from "./keys.js";

const NUMBER = /(?<![\w.])\d+(?:[.,]\d+)?(?!\w)/g;
const LEAST = 2; // a formula shorter than this is in every step

/** The ways about the passage that the page shows now. */
export function walkPanes() {
  for (const heading of document.querySelectorAll("[data-walk]")) heading.addEventListener("focus", () => walk(heading));
  for (const details of document.querySelectorAll(".desk details")) details.addEventListener("toggle", () => enter(details));
  // A formula too wide for its pane is moved by keyboard too.
  for (const formula of document.querySelectorAll(".desk .formula-block")) {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
  }
  // A press with the mouse leaves the focus where it was: Enter then still seals.
  document.querySelector(".desk")?.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-all], [data-cycle], [data-confidence], [data-mark]")) event.preventDefault();
  });
  for (const neighbour of document.querySelectorAll('.neighbour[data-side="before"]')) {
    neighbour.addEventListener("pointerenter", () => light(neighbour));
    neighbour.addEventListener("pointerleave", () => light(document.activeElement?.closest(".neighbour")));
    neighbour.addEventListener("focusin", () => light(neighbour));
    neighbour.addEventListener("focusout", () => light(null));
  }
}

function enter(details) {
  const first = details.open && details.querySelector("[data-first], #scratch-expression");
  if (first) first.focus();
  details.scrollIntoView({ block: "nearest" });
}

/** From the heading of a side to its first neighbour, or to the one after the neighbour that has the focus. */
function walk(heading) {
  const all = [...document.querySelectorAll(`.neighbour[data-side="${heading.dataset.walk}"]`)];
  const from = all.indexOf(walk.from);
  const to = all.length ? all[(from + 1) % all.length] : null;
  walk.from = to;
  to?.focus();
}

document.addEventListener("focusin", (event) => { if (!event.target.closest(".neighbour, [data-walk]")) walk.from = null; });

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || document.querySelector("dialog[open]")) return;
  if (isWriting(event.target)) event.target.blur();
});

/** What a text states that another can take up: its numbers, and its formulas as they are drawn. */
function statedBy(root) {
  const numbers = new Set(root.textContent.match(NUMBER) ?? []);
  const formulas = [...root.querySelectorAll("[data-to]")].map((formula) => formula.textContent).filter((text) => text.length >= LEAST);
  return { numbers, formulas: new Set(formulas) };
}

function takenFrom(neighbour) {
  const stated = statedBy(neighbour);
  return [...document.querySelectorAll("[data-current] [data-trace]")].flatMap((current) => takenIn(current, stated));
}

function takenIn(current, { numbers, formulas }) {
  const found = [];
  const walker = document.createTreeWalker(current, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const match of walker.currentNode.data.matchAll(NUMBER)) {
      if (!numbers.has(match[0])) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, match.index);
      range.setEnd(walker.currentNode, match.index + match[0].length);
      found.push(range);
    }
  }
  for (const formula of current.querySelectorAll("[data-to]")) {
    if (!formulas.has(formula.textContent)) continue;
    const range = document.createRange();
    range.selectNodeContents(formula);
    found.push(range);
  }
  return found;
}

function light(neighbour) {
  if (!globalThis.CSS?.highlights) return;
  const texts = neighbour ? [...neighbour.querySelectorAll("[data-trace]")] : [];
  CSS.highlights.set("taken", new Highlight(...texts.flatMap(takenFrom)));
}
