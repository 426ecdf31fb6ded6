// What the desk shows of work on one seat without looking at content: how often and how long the window was left, and how
// the reason came to stand there: edits, pastes, and how many characters those brought. Never which: the clipboard is not
// read. Goes with the vote, is shown to its reviewer on the record, and decides nothing. Kept for this tab, as work-clock.js.
const PASTED = new Set(["insertFromPaste", "insertFromPasteAsQuotation", "insertFromDrop"]);

export class DeskSigns {
  constructor(seat, reason, signal) {
    this.key = `trust.signs.${seat}`;
    this.counts = { left: 0, away_ms: 0, pastes: 0, pasted: 0, edits: 0, ...this.read() };
    this.goneAt = null;
    this.length = reason.value.length;
    addEventListener("blur", () => this.leave(), { signal });
    addEventListener("focus", () => this.comeBack(), { signal });
    addEventListener("pagehide", () => this.keep(), { signal });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.leave() : this.comeBack()), { signal });
    // A draft that comes back changes the length without an event: what counts is the length just before.
    reason.addEventListener("beforeinput", () => { this.length = reason.value.length; });
    reason.addEventListener("input", (event) => this.write(event.inputType, reason.value.length));
  }

  read() {
    try { return JSON.parse(sessionStorage.getItem(this.key)) ?? {}; } catch { return {}; }
  }

  keep() {
    try { sessionStorage.setItem(this.key, JSON.stringify(this.counts)); } catch { /* private mode */ }
  }

  leave() {
    if (this.goneAt !== null) return;
    this.goneAt = performance.now();
    this.counts.left += 1;
    this.keep();
  }

  comeBack() {
    if (this.goneAt === null) return;
    this.counts.away_ms += Math.round(performance.now() - this.goneAt);
    this.goneAt = null;
    this.keep();
  }

  write(type, length) {
    if (PASTED.has(type)) {
      this.counts.pastes += 1;
      this.counts.pasted += Math.max(0, length - this.length);
    } else {
      this.counts.edits += 1;
    }
    this.length = length;
  }

  /** As the server wants them, beside the vote. */
  get signs() { return { ...this.counts }; }

  /** The vote is sealed. */
  end() { try { sessionStorage.removeItem(this.key); } catch { /* private mode */ } }
}
