// A vote sealed by mistake can be taken back for three seconds: until then nothing has left the browser.
const GRACE_MS = 3000;

export class Grace {
  #answer = null;

  constructor(button, signal) {
    this.button = button;
    button.addEventListener("click", () => this.#answer?.(false));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#answer) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.#answer(false);
    }, { capture: true, signal });
  }

  /** Whether the vote may go: true after three seconds or at once by now(), false when it was taken back. */
  async wait() {
    this.button.hidden = false;
    const may = await new Promise((resolve) => {
      this.#answer = resolve;
      setTimeout(resolve, GRACE_MS, true);
    });
    this.#answer = null;
    this.button.hidden = true;
    return may;
  }

  now() { this.#answer?.(true); }
}
