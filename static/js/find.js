// Find in the whole trace, across every fold and stretch: its texts are fetched once, then searched in this browser.
// Enter goes to the next segment that has the words, Shift and Enter to the one before, Escape forgets them.
// Without this file the same field narrows the list.
import { show } from "./trace.js";

const MOST_LISTED = 30;
const AROUND = 40; // characters before and after the words
let texts = null;
let hits = [];
let place = -1;

const box = () => document.getElementById("finds");
const isField = (element) => element instanceof HTMLInputElement && element.dataset.find !== undefined;

async function fetchTexts(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The texts of the trace: ${answer.status}`);
  const { nodes } = await answer.json();
  return nodes.map(({ id, content, abstraction_level: level }) => ({ id, content, level, folded: content.toLowerCase() }));
}

// A plan holds the text of all its steps: opened, it would show its beginning, far above the words.
const isPlan = ({ level }) => level === "STRATEGY" || level === "TACTIC";

/** The segments that hold the words, in reading order, plans last, each with the place of the first of them. */
export function search(segments, words) {
  const folded = words.trim().toLowerCase();
  if (!folded) return [];
  return segments.flatMap((segment) => {
    const start = segment.folded.indexOf(folded);
    return start < 0 ? [] : [{ ...segment, start, end: start + folded.length }];
  }).sort((one, other) => isPlan(one) - isPlan(other));
}

function line({ id, content, start, end }) {
  const row = document.createElement("li");
  const link = row.appendChild(document.createElement("a"));
  link.href = `?segment=${encodeURIComponent(id)}#reading`;
  link.dataset.show = id;
  const mark = document.createElement("mark");
  mark.textContent = content.slice(start, end);
  const label = document.createElement("b");
  label.textContent = id;
  const words = document.createElement("bdi");
  words.append(start > AROUND ? "…" : "", content.slice(Math.max(0, start - AROUND), start), mark, content.slice(end, end + AROUND));
  link.append(label, " ", words);
  return row;
}

function list(words) {
  const area = box();
  if (!area) return;
  area.hidden = !words.trim();
  const left = hits.length - MOST_LISTED;
  const count = `${hits.length} segment${hits.length === 1 ? "" : "s"} with “${words.trim()}”`;
  area.querySelector("[role=status]").textContent = area.hidden ? "" : `${count}${left > 0 ? `; the first ${MOST_LISTED} are listed` : ""}`;
  area.querySelector("ol").replaceChildren(...hits.slice(0, MOST_LISTED).map(line));
}

const prepare = (field) => (texts ??= fetchTexts(field.dataset.find).catch(() => { texts = null; return []; }));

async function look(field) {
  const words = field.value;
  const all = await prepare(field);
  if (field.value !== words) return; // more was typed meanwhile
  hits = search(all, words);
  place = -1;
  list(words);
}

async function go(field, step) {
  if (!hits.length) await look(field);
  if (!hits.length) return;
  field.scrollIntoView({ block: "start" }); // what was found and the segment below it come into view
  place = (place + step + hits.length) % hits.length;
  show(hits[place].id, { scroll: false });
  box().querySelector("[role=status]").textContent = `${place + 1} of ${hits.length}: ${hits[place].id}`;
}

// The texts of a long trace take a second or two: they come while one still thinks of the words.
document.addEventListener("focusin", (event) => { if (isField(event.target)) prepare(event.target); });
document.addEventListener("input", (event) => { if (isField(event.target)) look(event.target); });
// The list is narrowed by its button alone: to leave the field must not take the list away.
document.addEventListener("change", (event) => { if (isField(event.target)) event.stopPropagation(); }, { capture: true });
document.addEventListener("keydown", (event) => {
  if (!isField(event.target) || event.isComposing) return;
  if (event.key === "Enter" && event.target.value.trim()) {
    event.preventDefault();
    go(event.target, event.shiftKey ? (place < 0 ? 0 : -1) : 1);
  } else if (event.key === "Escape") {
    event.target.value = "";
    hits = [];
    list("");
  }
});
