// One passage on the desk: one next step, a draft that cannot be lost, one click that seals and goes on.
import { serverNow, words as countdown } from "./countdown.js";
import { Draft } from "./draft.js";
import { Grace } from "./grace.js";
import { loggedIn } from "./login-again.js";
import { isWriting } from "./keys.js";
import { findKey } from "./own-key.js";
import { rememberSealed, tellSealed } from "./sealed-news.js";
import { ask, LoggedOut, NoNetwork, Refused } from "./server.js";
import { tidy } from "./tidy.js";
import { contradiction, missing, sealVote } from "./vote.js";
import { DeskSigns } from "./desk-signs.js";
import { VoteForm } from "./vote-form.js";
import { WorkClock } from "./work-clock.js";

const RENEW_MS = 5 * 60000;
const WARN_MS = 5 * 60000;
const LOOK_MS = 30000;
const AGAIN_MS = 3000;
const HURRY_MS = 15000; // so near the end of the window a vote goes at once
const FINAL = ["NoSuchSeat", "AlreadySealed", "WindowClosed", "SeatTaken", "TraceOver"]; // no second try will be taken either

export class Passage {
  #over = new AbortController(); // ends what listens beyond the passage: on the document, the window and other tabs
  #sealed = null;
  #renewed = performance.now();

  /** goOn(passage) is called once the vote is sealed. */
  constructor(form, goOn) {
    const { signal } = this.#over;
    const sealing = JSON.parse(form.dataset.sealing);
    const say = (words) => this.say(words);
    Object.assign(this, { form, goOn, sealing });
    this.errors = document.getElementById("vote-error");
    this.status = document.getElementById("vote-status");
    this.news = document.getElementById("desk-news");
    this.wayOn = document.getElementById("go-on");
    this.phase = document.getElementById("desk-phase");
    this.sealButton = document.getElementById("seal");
    this.undo = document.getElementById("undo");
    this.grace = new Grace(this.undo, signal);
    this.work = new WorkClock(sealing.seatId, signal);
    this.signs = new DeskSigns(sealing.seatId, form.elements.reason, signal);
    form.addEventListener("click", (event) => this.holdBack(event), true);
    const changed = () => { this.#sealed = null; this.draft.changed(); };
    this.vote = new VoteForm({ form, sealing, changed, say, tell: (words) => this.tell(words), signal });
    const [read, write, lost] = [() => this.vote.read(), (said) => this.vote.write(said), (because) => this.seatIsLost(because)];
    this.draft = new Draft({ form, seat: sealing.seatId, read, write, say, lost, signal });
    form.addEventListener("submit", (event) => this.submit(event));
    document.addEventListener("keydown", () => this.renew(), { passive: true, signal });
    const looking = setInterval(() => { this.renew(); this.watchWindow(); }, LOOK_MS);
    signal.addEventListener("abort", () => clearInterval(looking));
  }

  /** The draft comes back, and the form takes what is typed. */
  async begin() {
    const { form, sealing } = this;
    document.getElementById("desk-title").focus({ preventScroll: true });
    sealing.ownKey = sealing.openings === "browser" ? await findKey(form.dataset.person, sealing.keyCheck).catch(() => null) : null;
    this.vote.show();
    this.say(tellSealed());
    try {
      await this.draft.begin();
    } catch {
      this.say("This browser keeps no data (a private window, or it is switched off): nothing is saved before you seal.");
      const { signal } = this.#over;
      addEventListener("beforeunload", (event) => { if (this.vote.read().reason && !form.dataset.busy) event.preventDefault(); }, { signal });
    }
    form.dataset.ready = "yes";
    await tidy(form.dataset.person, sealing.seatId).catch(() => null); // another time, then
  }

  /** Nothing stays of a vote that is sealed but the news of it. */
  async end() {
    rememberSealed();
    this.work.end();
    this.signs.end();
    await this.draft.end();
  }

  /** Another passage takes this one's place. */
  leave() { this.#over.abort(); }

  /** What is not looked at is told to those who listen; the same news is not told twice. */
  tell(words) { if (this.news.textContent !== words) this.news.textContent = words; }

  /** The state of the draft: always to be seen; told only when it becomes another ("saved", not the time of day). */
  say(words) {
    this.status.textContent = words;
    this.tell(words.replace(/ [\d:]+$/, ""));
  }

  /** While a sealed vote is under way nothing of it can be changed, by pointer or by key. */
  lock(on) {
    if (on) this.form.dataset.busy = "yes";
    else delete this.form.dataset.busy;
    for (const part of this.form.children) part.inert = on && !part.contains(this.status);
    if (!on) this.sealButton.setAttribute("aria-disabled", "false");
  }

  holdBack(event) {
    if (!this.form.dataset.busy || this.undo.contains(event.target)) return;
    if (this.sealButton.contains(event.target)) this.grace.now();
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  async submit(event) {
    event.preventDefault();
    if (this.form.dataset.busy) return;
    if (!this.wayOn.hidden) return void this.wayOn.focus();
    const said = this.vote.read();
    const wanted = missing(said, this.sealing) ?? this.askedBack(said);
    this.vote.refuse(wanted);
    if (wanted) return;
    const was = document.activeElement;
    this.lock(true);
    if (await this.isMeant()) return void (await this.seal(said));
    this.lock(false);
    this.say("Taken back: nothing was sent.");
    was.focus();
  }

  /** What speaks against a complete vote, once: whoever seals again means it. */
  askedBack(said) {
    const odd = contradiction(said);
    if (!odd || this.form.dataset.odd === odd) return null;
    this.form.dataset.odd = odd;
    return { field: "choice", words: odd };
  }

  /** Three seconds to think again; none for a second try, or when the window is about to close. */
  async isMeant() {
    if (this.#sealed || new Date(this.phase.dataset.due) - serverNow() < HURRY_MS) return true;
    this.say("Sealed in 3 seconds. Escape takes it back; the same key again seals at once.");
    return this.grace.wait();
  }

  async seal(said) {
    this.sealButton.setAttribute("aria-disabled", "true");
    this.say("Sealing …");
    try {
      this.#sealed ??= await sealVote(said, this.sealing);
      await this.send();
      await this.goOn(this);
    } catch (error) {
      this.lock(false);
      this.status.textContent = "";
      if (error instanceof Refused && FINAL.includes(error.said.code)) this.giveUp(error.message);
      else this.errors.textContent = `${error.message} Nothing is lost: press the button again.`;
    }
  }

  /** While a sealed vote is under way the seat may be gone because the vote has arrived: the answer to it decides. */
  seatIsLost(because) {
    if (!this.#sealed || !this.form.dataset.busy) this.giveUp(because);
  }

  /** The way on is the next segment. Whoever writes keeps the focus: Enter in mid-sentence must not throw the text away. */
  giveUp(because) {
    this.draft.stop();
    this.say("");
    this.errors.textContent = `${because} Your text stays on this page until you go on.`;
    this.vote.end();
    this.wayOn.hidden = false;
    if (!isWriting(document.activeElement)) this.wayOn.focus();
  }

  /** Until the server has answered; the same bytes again are the same vote, so it can never be counted twice. */
  async send() {
    for (;;) {
      try {
        return await ask("POST", this.sealing.url, { ...this.#sealed, ...this.work.times, signs: this.signs.signs });
      } catch (error) {
        if (error instanceof LoggedOut) await loggedIn();
        else if (error instanceof NoNetwork || error.status === 429) await this.wait(error.message);
        else throw error;
      }
    }
  }

  wait(words) {
    this.say(`${words} Your sealed vote waits here and is sent again by itself.`);
    return new Promise((resolve) => {
      setTimeout(resolve, AGAIN_MS);
      addEventListener("online", resolve, { once: true });
    });
  }

  /** The lease lives while somebody works; whoever comes back after a pause renews it at once. */
  renew() {
    if (performance.now() - this.#renewed < RENEW_MS || this.work.idle > RENEW_MS) return;
    this.#renewed = performance.now();
    ask("POST", this.form.dataset.renewUrl).catch((error) => {
      if (error instanceof Refused && error.status === 409) this.giveUp("You hold this segment no longer: it was passed on or its round is over.");
    });
  }

  /** The window closes: told when five minutes are left, and when it is over. */
  watchWindow() {
    const left = new Date(this.phase.dataset.due) - serverNow();
    if (left <= 0 && this.wayOn.hidden) {
      this.phase.querySelector("strong").textContent = "The window has closed.";
      this.giveUp("The window for sealed votes of this round has closed.");
    } else if (left > 0 && left <= WARN_MS) {
      this.tell(`The window for this vote closes ${countdown(left)}.`);
    }
  }
}
