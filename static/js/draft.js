// The unfinished vote: kept in this browser at once and on the server within two seconds, encrypted in both places.
import { ask, LoggedOut, NoNetwork, Refused } from "./server.js";
import { loggedIn } from "./login-again.js";
import { toBase64 } from "./commit-crypto.js";
import * as vault from "./vault.js";

const PAUSE_MS = 900;
const LONGEST_MS = 5000; // who never pauses is saved all the same
const RETRY_MS = 3000;
const MOST_BYTES = 250000; // auditing/services/voting/drafts.py, LARGEST
const ELSEWHERE = "A draft from another browser is kept, or this browser's data was cleared; only the key that wrote it can read it.";
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const clock = (instant) => new Date(instant).toLocaleTimeString("en-GB");

/** Both texts, once where one holds the other. */
export function together(kept, typed) {
  if (kept.includes(typed)) return kept;
  return typed.includes(kept) ? typed : `${kept}\n\n${typed}`;
}

export class Draft {
  /** read() gives what is in the form, write(said) puts it there, say(words) tells how it stands, lost(words) that the
   * seat is no longer held. */
  constructor({ form, seat, read, write, say, lost, signal }) {
    Object.assign(this, { form, seat, read, write, say, lost, signal });
    this.version = Number(form.dataset.draftVersion);
    this.key = null;
    this.timer = null;
    this.since = null; // when the first change came that no attempt to save has seen
    this.saving = null;
    this.mirroring = null;
    this.dirty = false;
    this.over = false;
  }

  /** What is kept comes back beside what was typed meanwhile. Throws when this browser keeps nothing. */
  async begin() {
    this.key = await vault.keyOf(this.form.dataset.person);
    const { signal } = this;
    vault.tabs.addEventListener("message", (event) => this.hear(event.data), { signal });
    addEventListener("online", () => this.plan(0), { signal });
    document.addEventListener("trust:forget", (event) => { this.stop(); event.detail.push(this.saving, this.mirroring); }, { signal });
    const { said, isDirty } = await this.find();
    const typed = this.read();
    if (said) this.write(typed.reason ? { ...said, reason: together(said.reason, typed.reason) } : said);
    if (isDirty || typed.reason || typed.choice) this.changed();
  }

  /** The newest draft that this browser's key opens: its own when it is not older, or when the server's is another key's. */
  async find() {
    const local = await vault.kept(this.seat);
    const mine = local && (await vault.decrypt(this.key, this.seat, local.body));
    if (mine && (local.dirty || local.version >= this.version)) return { said: mine, isDirty: local.dirty };
    const remote = this.form.dataset.draft ? fromBase64(this.form.dataset.draft) : null;
    const theirs = remote && (await vault.decrypt(this.key, this.seat, remote));
    if (remote && !theirs) this.say(mine ? "As it was written in this browser; another one has saved a newer draft." : ELSEWHERE);
    return { said: theirs ?? mine, isDirty: false };
  }

  /** Something was typed or chosen. */
  changed() {
    if (this.over || !this.key) return;
    this.dirty = true;
    this.form.dataset.saved = "no"; // the words beside the button tell of the last save, not of the last letter
    this.since ??= performance.now();
    this.mirror();
    vault.tabs.postMessage({ seat: this.seat, said: this.read(), version: this.version });
    this.plan(Math.max(0, Math.min(PAUSE_MS, LONGEST_MS - (performance.now() - this.since))));
  }

  hear({ seat, said, version, over, signedOut }) {
    if (signedOut) return void this.leave();
    if (seat !== this.seat) return;
    if (over) return void (this.stop(), this.lost("You sealed this vote in another tab."));
    this.version = Math.max(this.version, version);
    if (said && JSON.stringify(said) !== JSON.stringify(this.read())) this.write(said);
  }

  /** Keep it in this browser: one write at a time, and always the last state. */
  mirror() {
    this.again = true;
    this.mirroring ??= this.keepLocally()
      .catch(() => this.say("this browser's storage is full: kept on the server only"))
      .finally(() => { this.mirroring = null; if (this.again && !this.over) this.mirror(); });
  }

  async keepLocally() {
    while (this.again && !this.over) {
      this.again = false;
      const body = await vault.encrypt(this.key, this.seat, this.read());
      if (!this.over) await vault.keep(this.seat, { body, version: this.version, dirty: this.dirty, person: this.form.dataset.person });
    }
  }

  plan(after) {
    clearTimeout(this.timer);
    if (this.dirty && !this.over) this.timer = setTimeout(() => this.save(), after);
  }

  /** One save at a time; what was typed meanwhile is saved next. */
  async save() {
    if (this.saving) return void (await this.saving, this.plan(0));
    this.saving = this.put();
    await this.saving;
    this.saving = null;
  }

  async put() {
    const said = this.read();
    const version = this.version + 1;
    this.dirty = false;
    this.since = null;
    try {
      const body = await vault.encrypt(this.key, this.seat, said);
      if (body.length > MOST_BYTES) return this.say("not saved: too long; kept in this browser");
      const answer = await vault.sending(() => this.over ? null : ask("PUT", this.form.dataset.draftUrl, { version, body: toBase64(body) }));
      if (!answer) return;
      this.version = Math.max(this.version, answer.version);
      vault.tabs.postMessage({ seat: this.seat, version: this.version });
      this.say(`saved ${clock(answer.saved_at)}`);
      if (!this.dirty) this.form.dataset.saved = "yes";
      this.mirror();
    } catch (error) {
      await this.failed(error, said);
    }
  }

  async failed(error, said) {
    if (this.over) return;
    this.dirty = true;
    if (error instanceof LoggedOut) {
      this.say("not saved: logged out; kept in this browser");
      await loggedIn();
      return this.plan(0);
    }
    if (error instanceof Refused && error.status === 409) return this.join(error.said, said);
    if (error instanceof Refused && error.status === 404) return this.lost(error.message);
    const isAway = error instanceof NoNetwork;
    this.say(`not saved: ${isAway ? "no connection" : error.message}; kept in this browser`);
    if (isAway || error.status >= 429) this.plan(RETRY_MS);
  }

  /** Another tab was faster: both texts stay, then a version above both is saved. */
  async join({ version, body }, said) {
    const theirs = await vault.decrypt(this.key, this.seat, fromBase64(body));
    this.version = Math.max(this.version, version);
    this.write({ ...theirs, ...said, reason: together(theirs?.reason ?? "", this.read().reason) });
    this.plan(0);
  }

  stop() {
    this.over = true;
    clearTimeout(this.timer);
  }

  /** The vote is sealed: nothing of the draft stays, in no tab. */
  async end() {
    this.stop();
    vault.tabs.postMessage({ seat: this.seat, over: true });
    await this.mirroring;
    await vault.drop(this.seat).catch(() => null);
  }

  /** Somebody signed out in another tab: what was written here is not left on the screen. */
  async leave() {
    this.stop();
    this.form.hidden = true;
    await this.saving; // whoever signs out waits for it too
    location.assign("/");
  }
}
