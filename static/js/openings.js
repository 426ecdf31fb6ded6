// Strict mode on a page: the banner that opens one's votes, and the making and giving back of the own key.
import "./countdown.js";
import { checkOf, findKey, holdKey, makeKey, openingOf, readCode } from "./own-key.js";
import { ask } from "./server.js";

const page = document.querySelector("[data-own]");
const bannerOf = () => document.querySelector("[data-openable]");
const own = () => (page ?? bannerOf())?.dataset ?? {};
let made = null;

const show = (id, on = true) => { const found = document.getElementById(id); if (found) found.hidden = !on; };
const say = (id, words) => { const found = document.getElementById(id); if (found) found.textContent = words; };

async function openAll(key) {
  const sealed = JSON.parse(bannerOf().dataset.openable);
  const left = [];
  for (const [at, one] of sealed.entries()) {
    say("openings-status", `Opening ${at + 1} of ${sealed.length} …`);
    const opening = await openingOf(key, one);
    if (!opening) left.push(`${one.label}: sealed under another key.`);
    else await ask("POST", one.url, opening).catch((error) => left.push(`${one.label}: ${error.message}`));
  }
  if (left.length === 0) return location.reload();
  say("openings-status", left.join(" "));
}

/** For the banner that the page shows now: the desk brings another with each passage. */
async function begin() {
  const { person, check } = own();
  const banner = bannerOf();
  if (banner) banner.dataset.ready = "no";
  const key = check ? await findKey(person, check) : null;
  show("own-here", Boolean(key));
  show("own-elsewhere", Boolean(check) && !key);
  if (!banner?.isConnected) return;
  show("open-votes", Boolean(key));
  show("open-code", !key && !page);
  document.getElementById("open-votes").addEventListener("click", async (event) => {
    event.currentTarget.disabled = true;
    await openAll(key).catch((error) => say("openings-status", error.message));
    event.target.disabled = false;
  });
  banner.dataset.ready = "yes";
}

async function make() {
  made = await makeKey();
  say("own-code", made.code);
  const file = new Blob([`TRUST recovery code, ${new Date().toISOString().slice(0, 10)}\n${made.code}\n`], { type: "text/plain" });
  document.getElementById("own-file").href = URL.createObjectURL(file);
  show("own-made");
  show("own-make", false);
  document.getElementById("own-file").focus();
}

async function keep() {
  if (!document.getElementById("own-kept").checked) return say("own-status", "First keep the code, then say so.");
  try {
    await ask("POST", page.dataset.url, { check: await checkOf(made.key) });
    await holdKey(own().person, made.key);
    location.reload();
  } catch (error) {
    say("own-status", error.message);
  }
}

async function restore(event) {
  event.preventDefault();
  try {
    const key = await readCode(document.getElementById("own-typed").value);
    const { person, check } = own();
    if ((await checkOf(key)) !== check) throw new RangeError("This is the code of another key.");
    await holdKey(person, key);
    location.reload();
  } catch (error) {
    say("own-code-error", error.message);
  }
}

document.getElementById("own-make-button")?.addEventListener("click", make);
document.getElementById("own-keep")?.addEventListener("click", keep);
document.getElementById("own-restore")?.addEventListener("submit", restore);
document.addEventListener("htmx:load", () => { if (bannerOf() && !bannerOf().dataset.ready) begin(); });
if (page || bannerOf()) await begin();
if (page) page.dataset.ready = "yes";
