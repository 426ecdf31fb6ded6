// The desk's form: one next step, quick keys, a draft that cannot be lost, one click that seals and goes on.
import "./countdown.js";
import { Draft } from "./draft.js";
import { loggedIn } from "./login-again.js";
import { findKey } from "./own-key.js";
import { Place } from "./place.js";
import { ask, LoggedOut } from "./server.js";
import { missing, sealVote } from "./vote.js";

const RENEW_MS = 5 * 60000;
const IDLE_MS = 30000;
const form = document.getElementById("vote");
const sealing = JSON.parse(form.dataset.sealing);
const errors = document.getElementById("vote-error");
const status = document.getElementById("vote-status");
const next = document.getElementById("next-step");
const opened = performance.now();
let active = 0;
let lastUse = performance.now();
let sealedVote = null;

for (const kind of ["pointermove", "keydown", "scroll"]) {
  document.addEventListener(kind, () => {
    const now = performance.now();
    if (document.hasFocus() && now - lastUse < IDLE_MS) active += now - lastUse;
    lastUse = now;
  }, { passive: true });
}

function read() {
  const said = new FormData(form);
  const criteria = {};
  for (const [name, value] of said) if (name.startsWith("criterion.")) criteria[name.slice(10)] = value;
  return {
    choice: said.get("choice") ?? "",
    propagated: said.has("propagated"),
    errorType: said.get("error_type") ?? "",
    confidence: Number(said.get("confidence")),
    reason: said.get("reason") ?? "",
    criteria,
    place: place.at,
  };
}

function pick(name, value) {
  for (const input of form.querySelectorAll(`input[name="${CSS.escape(name)}"]`)) input.checked = input.value === value;
}

function write(said) {
  pick("choice", said.choice);
  pick("error_type", said.errorType);
  form.elements.propagated.checked = said.propagated;
  form.elements.confidence.value = said.confidence;
  form.elements.reason.value = said.reason;
  for (const button of form.querySelectorAll("[data-cycle]")) pick(button.dataset.cycle, said.criteria[button.dataset.cycle.slice(10)]);
  place.set(said.place, true);
  show();
}

function show() {
  const said = read();
  document.getElementById("confidence-out").textContent = said.confidence;
  next.textContent = missing(said, sealing) || "seal your vote and go on";
}

function changed() {
  sealedVote = null;
  errors.textContent = "";
  show();
  draft.changed();
}

const place = new Place({
  text: sealing.text, root: document.querySelector("[data-current]"), shown: document.getElementById("place"), changed,
});
const draft = new Draft({ form, seat: sealing.seatId, read, write, say: (words) => { status.textContent = words; } });

form.addEventListener("input", (event) => {
  if (event.target.name === "propagated" && event.target.checked) pick("choice", "fail");
  if (event.target.name === "choice" && event.target.value !== "fail") form.elements.propagated.checked = false;
  changed();
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-all], [data-cycle], [data-confidence]");
  if (!button) return;
  if (button.dataset.confidence) form.elements.confidence.value = button.dataset.confidence;
  if (button.dataset.all) for (const one of form.querySelectorAll("[data-cycle]")) pick(one.dataset.cycle, button.dataset.all);
  if (button.dataset.cycle) cycle(button.dataset.cycle);
  changed();
});

function cycle(name) {
  const inputs = [...form.querySelectorAll(`input[name="${CSS.escape(name)}"]`)];
  const now = inputs.findIndex((input) => input.checked);
  inputs[(now + 1) % inputs.length].checked = true;
}

form.elements.reason.addEventListener("keydown", (event) => {
  if (event.key === "Escape") event.target.blur();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = read();
  const problem = missing(said, sealing);
  errors.textContent = problem ? `Not yet: ${problem}.` : "";
  if (problem || form.dataset.busy) return;
  form.dataset.busy = "yes";
  status.textContent = "Sealing …";
  try {
    sealedVote ??= await sealVote(said, sealing); // a retry sends the same bytes, so it can never vote twice
    await send();
    await draft.end();
    location.assign(form.action);
  } catch (error) {
    errors.textContent = `${error.message} Nothing is lost: press the button again.`;
    status.textContent = "";
    delete form.dataset.busy;
  }
});

async function send() {
  const times = { raw_ms: Math.round(performance.now() - opened), active_ms: Math.round(active) };
  try {
    await ask("POST", sealing.url, { ...sealedVote, ...times });
  } catch (error) {
    if (!(error instanceof LoggedOut)) throw error;
    await loggedIn();
    await ask("POST", sealing.url, { ...sealedVote, ...times });
  }
}

setInterval(() => {
  if (performance.now() - lastUse < RENEW_MS) ask("POST", form.dataset.renewUrl).catch(() => null);
}, RENEW_MS);
sealing.ownKey = sealing.openings === "browser" ? await findKey(form.dataset.person, sealing.keyCheck) : null;
show();
await draft.begin();
form.dataset.ready = "yes";
