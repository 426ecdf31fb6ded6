// Marking where a step is wrong: by selecting text, or sentence by sentence with two keys. The place is lit where it
// stands, in the text as shown and in its source. After a key the sentence is selected, so that Shift and the arrows move
// its free end: the end after "next", the start after "before".
import { rangesOf, selectedPlace } from "./selection.js";

const LONGEST_QUOTE = 240;

export class Place {
  constructor({ text, root, shown, changed, say, signal, steps = [] }) {
    Object.assign(this, { points: [...text], root, shown, changed, say, at: null, follows: false });
    // A passage is walked step by step, anything else sentence by sentence.
    this.sentences = steps.length ? steps.map(([start, end]) => ({ start, end })) : sentences(this.points);
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-mark]");
      if (button) this.act(button.dataset.mark);
    }, { signal });
    document.addEventListener("pointerdown", () => { this.follows = false; }, { signal });
    document.addEventListener("selectionchange", () => { if (this.follows) this.follow(); }, { signal });
  }

  act(what) {
    if (what === "none") return this.set(null);
    if (what === "selection") {
      const found = this.selected();
      return found ? this.set(found) : this.say("Select a part of the current reasoning first, or walk its sentences with the keys.");
    }
    const step = what === "on" ? 1 : -1;
    const now = this.at ? this.sentences.findIndex((one) => one.end > this.at.start) : step > 0 ? -1 : this.sentences.length;
    this.set(this.sentences[Math.min(Math.max(now + step, 0), this.sentences.length - 1)] ?? null);
    this.select(step);
  }

  /** Of the text as shown or of its source: whichever the selection begins in. */
  selected() {
    const views = [...this.root.querySelectorAll("[data-trace], [data-trace-source]")];
    const found = views.map(selectedPlace).find(Boolean);
    return found && this.points.slice(found.start, found.end).join("").trim() ? found : null;
  }

  select(step) {
    const source = this.root.querySelector("details[open] [data-trace-source]");
    const views = source ? [source] : [...this.root.querySelectorAll("[data-trace]")];
    const ranges = this.at ? views.flatMap((view) => rangesOf(view, this.at)) : [];
    if (!ranges.length) return;
    const [first, last] = [ranges[0], ranges.at(-1)];
    const ends = [[first.startContainer, first.startOffset], [last.endContainer, last.endOffset]];
    if (step < 0) ends.reverse();
    document.getSelection().setBaseAndExtent(...ends[0], ...ends[1]);
    first.startContainer.parentElement.scrollIntoView({ block: "nearest" });
    this.follows = true;
  }

  follow() {
    const found = this.selected();
    if (found && (found.start !== this.at?.start || found.end !== this.at?.end)) this.set(found);
  }

  set(at, quietly = false) {
    this.at = at && at.start < at.end && at.end <= this.points.length ? { start: at.start, end: at.end } : null;
    this.shown.hidden = !this.at;
    const quote = this.at ? this.points.slice(this.at.start, this.at.end).join("").trim() : "";
    this.shown.querySelector("q").textContent = quote.length > LONGEST_QUOTE ? `${quote.slice(0, LONGEST_QUOTE)} …` : quote;
    this.light();
    if (!quietly) this.changed();
  }

  light() {
    const ranges = this.at ? rangesOf(this.root, this.at) : [];
    if (globalThis.CSS?.highlights) CSS.highlights.set("place", new Highlight(...ranges));
    for (const formula of this.root.querySelectorAll("[data-to]")) {
      formula.classList.toggle("is-place", ranges.some((range) => range.startContainer === formula));
    }
  }
}

function sentences(points) {
  const found = [];
  let start = 0;
  for (let at = 0; at < points.length; at += 1) {
    const ends = points[at] === "\n" || "。！？".includes(points[at]) || (".!?؟".includes(points[at]) && (at + 1 === points.length || /\s/.test(points[at + 1])));
    if (!ends && at + 1 < points.length) continue;
    if (points.slice(start, at + 1).join("").trim()) found.push({ start, end: at + 1 });
    start = at + 1;
  }
  return found;
}
