// The unfinished vote: kept in this browser at once and on the server within two seconds, encrypted in both places.
import { ask, LoggedOut, NoNetwork, Refused } from "./server.js";
import { loggedIn } from "./login-again.js";
import { toBase64 } from "./commit-crypto.js";
import * as vault from "./vault.js";

const PAUSE_MS = 900;
const RETRY_MS = 3000;
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export class Draft {
  /** read() gives what is in the form, write(said) puts it there, say(words) tells how it stands. */
  constructor({ form, seat, read, write, say }) {
    Object.assign(this, { form, seat, read, write, say });
    this.version = Number(form.dataset.draftVersion);
    this.timer = null;
    this.saving = null;
    this.dirty = false;
    this.over = false;
    this.tabs = new BroadcastChannel(`trust-draft-${seat}`);
    this.tabs.addEventListener("message", (event) => this.hear(event.data));
    addEventListener("online", () => this.plan(0));
    addEventListener("pagehide", () => { if (this.dirty) this.mirror(); });
  }

  async begin() {
    this.key = await vault.keyOf(this.form.dataset.person);
    const local = await vault.kept(this.seat);
    const remote = this.form.dataset.draft ? fromBase64(this.form.dataset.draft) : null;
    const newer = local && (local.dirty || local.version >= this.version) ? local : null;
    const said = (newer && (await vault.decrypt(this.key, this.seat, newer.body))) ?? (remote && (await vault.decrypt(this.key, this.seat, remote)));
    if (said) this.write(said);
    else if (remote) this.say("A draft from another browser is kept; only that browser can read it.");
    if (newer?.dirty) this.changed();
  }

  /** Something was typed or chosen. */
  changed() {
    if (this.over) return;
    this.dirty = true;
    this.mirror();
    this.tabs.postMessage({ said: this.read(), version: this.version });
    this.plan(PAUSE_MS);
  }

  hear({ said, version, over }) {
    if (over) return void (this.over = true);
    this.version = Math.max(this.version, version);
    if (JSON.stringify(said) !== JSON.stringify(this.read())) this.write(said);
  }

  async mirror() {
    const body = await vault.encrypt(this.key, this.seat, this.read());
    if (!this.over) await vault.keep(this.seat, { body, version: this.version, dirty: this.dirty });
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
    try {
      const body = toBase64(await vault.encrypt(this.key, this.seat, said));
      const answer = await ask("PUT", this.form.dataset.draftUrl, { version, body });
      this.version = Math.max(this.version, answer.version);
      this.say(`saved ${answer.saved_at}`);
      await this.mirror();
      if (this.dirty) this.plan(PAUSE_MS);
    } catch (error) {
      await this.failed(error, said);
    }
  }

  async failed(error, said) {
    this.dirty = true;
    if (error instanceof LoggedOut) {
      this.say("not saved: logged out; kept in this browser");
      await loggedIn();
      return this.plan(0);
    }
    if (error instanceof NoNetwork) {
      this.say("not saved: no connection; kept in this browser");
      return this.plan(RETRY_MS);
    }
    if (error instanceof Refused && error.status === 409) return this.join(error.said, said);
    this.dirty = false;
    this.say(`not saved: ${error.message}`);
  }

  /** Another tab was faster: both texts stay, then a version above both is saved. */
  async join({ version, body }, said) {
    const theirs = await vault.decrypt(this.key, this.seat, fromBase64(body));
    this.version = Math.max(this.version, version);
    const reasons = [theirs?.reason ?? "", this.read().reason];
    const both = reasons[0].includes(reasons[1]) ? reasons[0] : reasons[1].includes(reasons[0]) ? reasons[1] : reasons.join("\n\n");
    this.write({ ...theirs, ...said, reason: both });
    this.plan(0);
  }

  /** The vote is sealed: nothing of the draft stays. */
  async end() {
    this.over = true;
    clearTimeout(this.timer);
    this.tabs.postMessage({ over: true });
    await vault.drop(this.seat).catch(() => null);
  }
}
