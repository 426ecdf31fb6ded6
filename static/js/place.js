// Marking where a step is wrong: by selecting text, or sentence by sentence with two keys.
import { selectedPlace } from "./selection.js";

export class Place {
  constructor({ text, root, shown, changed }) {
    Object.assign(this, { points: [...text], root, shown, changed, at: null });
    this.sentences = sentences(this.points);
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-mark]");
      if (button) this.act(button.dataset.mark);
    });
  }

  act(what) {
    if (what === "none") return this.set(null);
    if (what === "selection") {
      const found = selectedPlace(this.root.querySelector("[data-trace]"));
      return found ? this.set(found) : undefined;
    }
    const step = what === "on" ? 1 : -1;
    const now = this.at ? this.sentences.findIndex((one) => one.end > this.at.start) : step > 0 ? -1 : this.sentences.length;
    this.set(this.sentences[Math.min(Math.max(now + step, 0), this.sentences.length - 1)] ?? null);
  }

  set(at, quietly = false) {
    this.at = at && at.start < at.end && at.end <= this.points.length ? { start: at.start, end: at.end } : null;
    this.shown.hidden = !this.at;
    this.shown.querySelector("q").textContent = this.at ? this.points.slice(this.at.start, this.at.end).join("").trim() : "";
    if (!quietly) this.changed();
  }
}

function sentences(points) {
  const found = [];
  let start = 0;
  for (let at = 0; at < points.length; at += 1) {
    const ends = points[at] === "\n" || (".!?".includes(points[at]) && (at + 1 === points.length || /\s/.test(points[at + 1])));
    if (!ends && at + 1 < points.length) continue;
    if (points.slice(start, at + 1).join("").trim()) found.push({ start, end: at + 1 });
    start = at + 1;
  }
  return found;
}
