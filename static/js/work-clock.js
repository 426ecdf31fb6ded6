// Time at work on one seat: counted only while the window has the focus and somebody uses it. A pause of more than a
// minute counts as nothing. Kept for this tab, so that a reload takes nothing away.
const LONGEST_PAUSE_MS = 60000;
const USES = ["pointermove", "pointerdown", "keydown", "scroll", "wheel"];

export class WorkClock {
  constructor(seat, signal) {
    this.key = `trust.work.${seat}`;
    const kept = this.read();
    this.begun = kept.begun ?? Date.now();
    this.spent = kept.spent ?? 0;
    this.last = performance.now();
    for (const kind of USES) document.addEventListener(kind, () => this.use(), { passive: true, capture: true, signal });
    addEventListener("blur", () => this.leave(), { signal });
    addEventListener("pagehide", () => this.leave(), { signal });
  }

  read() {
    try { return JSON.parse(sessionStorage.getItem(this.key)) ?? {}; } catch { return {}; }
  }

  keep() {
    try { sessionStorage.setItem(this.key, JSON.stringify({ begun: this.begun, spent: this.spent })); } catch { /* private mode */ }
  }

  use() {
    const now = performance.now();
    if (this.last !== null && now - this.last <= LONGEST_PAUSE_MS) this.spent += now - this.last;
    this.last = document.hasFocus() ? now : null;
  }

  leave() {
    this.use();
    this.last = null;
    this.keep();
  }

  /** How long nobody used the page, in milliseconds. */
  get idle() { return this.last === null ? Infinity : performance.now() - this.last; }

  /** Both times as the server wants them. */
  get times() { return { raw_ms: Math.max(0, Math.round(Date.now() - this.begun)), active_ms: Math.round(this.spent) }; }

  /** The vote is sealed. */
  end() { try { sessionStorage.removeItem(this.key); } catch { /* private mode */ } }
}
