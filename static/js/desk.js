// The desk's form: one next step, quick keys, a draft that cannot be lost, one click that seals and goes on.
import "./desk-ways.js";
import { serverNow, words as countdown } from "./countdown.js";
import { Draft } from "./draft.js";
import { Grace } from "./grace.js";
import { loggedIn } from "./login-again.js";
import { findKey } from "./own-key.js";
import { lightStep, showDoubts, stepAt } from "./pieces.js";
import { Place } from "./place.js";
import { rememberSealed, tellSealed } from "./sealed-news.js";
import { ask, LoggedOut, NoNetwork, Refused } from "./server.js";
import { tidy } from "./tidy.js";
import { contradiction, missing, sealVote } from "./vote.js";
import { DeskSigns } from "./desk-signs.js";
import { WorkClock } from "./work-clock.js";

const RENEW_MS = 5 * 60000;
const WARN_MS = 5 * 60000;
const AGAIN_MS = 3000;
const HURRY_MS = 15000; // so near the end of the window a vote goes at once
const FINAL = ["NoSuchSeat", "AlreadySealed", "WindowClosed"]; // no second try will be taken either
const form = document.getElementById("vote");
const sealing = JSON.parse(form.dataset.sealing);
const errors = document.getElementById("vote-error");
const status = document.getElementById("vote-status");
const next = document.getElementById("next-step");
const goOn = document.getElementById("go-on");
const phase = document.getElementById("desk-phase");
const sealButton = document.getElementById("seal");
const sure = document.getElementById("confidence-field");
const undo = document.getElementById("undo");
const grace = new Grace(undo);
const work = new WorkClock(sealing.seatId);
const signs = new DeskSigns(sealing.seatId, document.getElementById("reason"));
const steps = sealing.steps ?? [];
let sealedVote = null;
let renewed = performance.now();

/** What is not looked at is told to those who listen; the same news is not told twice. */
const news = document.getElementById("desk-news");
function tell(words) { if (news.textContent !== words) news.textContent = words; }

/** The state of the draft: always to be seen; told only when it becomes another ("saved", not the time of day). */
function sayState(words) {
  status.textContent = words;
  tell(words.replace(/ [\d:]+$/, ""));
}

function read() {
  const said = new FormData(form);
  const criteria = {};
  // What is not asked of this vote is no part of it, even if it was answered while the vote said otherwise.
  for (const [name, value] of said) {
    if (name.startsWith("criterion.") && (said.get("choice") === "fail" || !isAskedOnFail(name))) criteria[name.slice(10)] = value;
  }
  return {
    choice: said.get("choice") ?? "",
    propagated: said.has("propagated"),
    errorType: said.get("error_type") ?? "",
    confidence: sure.hasAttribute("data-unset") ? null : Number(said.get("confidence")),
    reason: said.get("reason") ?? "",
    criteria,
    contested: said.get("contested") ?? "",
    place: place.at,
  };
}

function isAskedOnFail(name) {
  return Boolean(form.querySelector(`.when-it-fails input[name="${CSS.escape(name)}"]`));
}

function pick(name, value) {
  for (const input of form.querySelectorAll(`input[name="${CSS.escape(name)}"]`)) input.checked = input.value === value;
}

function write(said) {
  pick("choice", said.choice);
  pick("error_type", said.errorType);
  if (form.elements.contested) form.elements.contested.value = said.contested ?? "";
  form.elements.propagated.checked = said.propagated;
  setSure(said.confidence);
  form.elements.reason.value = said.reason;
  for (const button of form.querySelectorAll("[data-cycle]")) pick(button.dataset.cycle, said.criteria[button.dataset.cycle.slice(10)]);
  place.set(said.place, true);
  show();
}

/** How sure the vote is; null until somebody says so: a value that stands there by itself says nothing. */
function setSure(percent) {
  sure.toggleAttribute("data-unset", percent === null || percent === undefined);
  form.elements.confidence.value = percent ?? 75;
}

function show() {
  const said = read();
  const wanted = missing(said, sealing);
  lightStep(stepAt(steps, said.place));
  if (said.choice) showDoubts();
  document.getElementById("confidence-out").textContent = said.confidence === null ? "not said yet" : `${said.confidence} %`;
  next.textContent = wanted?.words ?? "seal your vote and go on";
  next.hash = wanted ? "#pane-vote" : "#seal";
}

function changed() {
  if (form.dataset.busy) return;
  sealedVote = null;
  refuse(null);
  show();
  draft.changed();
}

/** Say what is missing, beside the button and at its field, and go there; null takes it all back. */
function refuse(wanted) {
  errors.textContent = wanted ? `Not yet: ${wanted.words}.` : "";
  const fields = { choice: form.elements.choice[0], error_type: form.elements.error_type[0], reason: form.elements.reason };
  if (sealing.contested) fields.contested = form.elements.contested;
  fields.confidence = form.elements.confidence;
  if (steps.length) fields.step = form.elements.step[0] ?? form.elements.step;
  for (const [name, field] of Object.entries(fields)) {
    field.closest("fieldset, .field").toggleAttribute("data-missing", wanted?.field === name);
  }
  form.elements.reason.setAttribute("aria-invalid", wanted?.field === "reason");
  form.elements.reason.setAttribute("aria-describedby", wanted?.field === "reason" ? "vote-error reason-help" : "reason-help");
  fields[wanted?.field]?.focus();
}

const place = new Place({
  text: sealing.text, root: document.querySelector("[data-current]"), shown: document.getElementById("place"), changed, say: sayState, steps,
});
const draft = new Draft({ form, seat: sealing.seatId, read, write, say: sayState, lost: giveUp });

/** While a sealed vote is under way nothing of it can be changed, by pointer or by key. */
function lock(on) {
  if (on) form.dataset.busy = "yes";
  else delete form.dataset.busy;
  for (const part of form.children) part.inert = on && !part.contains(status);
  if (!on) sealButton.setAttribute("aria-disabled", "false");
}

form.addEventListener("click", (event) => {
  if (!form.dataset.busy || undo.contains(event.target)) return;
  if (sealButton.contains(event.target)) grace.now();
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

form.addEventListener("input", (event) => {
  if (event.target.name === "step") {
    const [start, end] = steps[Number(event.target.value) - 1];
    place.set({ start, end }, true);
    pick("choice", "fail");
  }
  if (event.target.name === "confidence") sure.removeAttribute("data-unset");
  if (event.target.name === "propagated" && event.target.checked) pick("choice", "fail");
  if (event.target.name === "choice" && event.target.value !== "fail") form.elements.propagated.checked = false;
  changed();
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-all], [data-cycle], [data-confidence], [data-contested]");
  if (!button) return;
  if (button.dataset.confidence) setSure(button.dataset.confidence);
  if (button.dataset.all) for (const one of form.querySelectorAll("[data-cycle]")) pick(one.dataset.cycle, button.dataset.all);
  if (button.dataset.cycle) cycle(button.dataset.cycle);
  if ("contested" in button.dataset) nextReason();
  changed();
});

// The middle of the scale is a choice too: whoever clicks there says it, though nothing moves.
form.elements.confidence.addEventListener("pointerup", () => { setSure(form.elements.confidence.value); changed(); });

function cycle(name) {
  const inputs = [...form.querySelectorAll(`input[name="${CSS.escape(name)}"]`)];
  const now = inputs.findIndex((input) => input.checked);
  const to = inputs[(now + 1) % inputs.length];
  to.checked = true;
  tell(`${to.closest("fieldset").querySelector("legend").textContent}: ${to.parentElement.textContent.trim()}`);
}

/** An adjudicator's key walks the reasons why a segment was contested; the first choice is none. */
function nextReason() {
  const reasons = form.elements.contested;
  reasons.selectedIndex = reasons.selectedIndex + 1 < reasons.length ? reasons.selectedIndex + 1 : 1;
  tell(`Contested because: ${reasons.selectedOptions[0].textContent}`);
}

form.elements.reason.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (form.dataset.busy) return;
  const said = read();
  const wanted = missing(said, sealing);
  refuse(wanted);
  if (wanted) return;
  // Asked back once: whoever seals again means it.
  const odd = contradiction(said);
  if (odd && form.dataset.odd !== odd) {
    form.dataset.odd = odd;
    return refuse({ field: "choice", words: odd });
  }
  const was = document.activeElement;
  lock(true);
  if (!(await isMeant())) {
    lock(false);
    sayState("Taken back: nothing was sent.");
    was.focus();
    return;
  }
  sealButton.setAttribute("aria-disabled", "true");
  sayState("Sealing …");
  try {
    sealedVote ??= await sealVote(said, sealing);
    await send();
    await draft.end();
    work.end();
    signs.end();
    rememberSealed();
    location.assign(form.action);
  } catch (error) {
    lock(false);
    status.textContent = "";
    if (error instanceof Refused && FINAL.includes(error.said.code)) giveUp(error.message);
    else errors.textContent = `${error.message} Nothing is lost: press the button again.`;
  }
});

/** Three seconds to think again; none for a second try, or when the window is about to close. */
async function isMeant() {
  if (sealedVote || new Date(phase.dataset.due) - serverNow() < HURRY_MS) return true;
  sayState("Sealed in 3 seconds. Escape takes it back; the same key again seals at once.");
  return grace.wait();
}

/** The way on is the next segment. */
function giveUp(because) {
  errors.textContent = `${because} Your text stays on this page until you go on.`;
  goOn.hidden = false;
  goOn.focus();
}

/** Until the server has answered; the same bytes again are the same vote, so it can never be counted twice. */
async function send() {
  for (;;) {
    try {
      return await ask("POST", sealing.url, { ...sealedVote, ...work.times, signs: signs.signs });
    } catch (error) {
      if (error instanceof LoggedOut) await loggedIn();
      else if (error instanceof NoNetwork || error.status === 429) await wait(error.message);
      else throw error;
    }
  }
}

function wait(words) {
  sayState(`${words} Your sealed vote waits here and is sent again by itself.`);
  return new Promise((resolve) => {
    setTimeout(resolve, AGAIN_MS);
    addEventListener("online", resolve, { once: true });
  });
}

/** The lease lives while somebody works; whoever comes back after a pause renews it at once. */
function renew() {
  if (performance.now() - renewed < RENEW_MS || work.idle > RENEW_MS) return;
  renewed = performance.now();
  ask("POST", form.dataset.renewUrl).catch((error) => {
    if (error instanceof Refused && error.status === 409) giveUp("You hold this segment no longer: it was passed on or its round is over.");
  });
}

/** The window closes: told when five minutes are left, and when it is over. */
function watchWindow() {
  const left = new Date(phase.dataset.due) - serverNow();
  if (left <= 0 && goOn.hidden) {
    phase.querySelector("strong").textContent = "The window has closed.";
    giveUp("The window for sealed votes of this round has closed.");
  } else if (left > 0 && left <= WARN_MS) {
    tell(`The window for this vote closes ${countdown(left)}.`);
  }
}

document.addEventListener("keydown", renew, { passive: true });
setInterval(() => { renew(); watchWindow(); }, 30000);
document.getElementById("desk-title").focus({ preventScroll: true });
sealing.ownKey = sealing.openings === "browser" ? await findKey(form.dataset.person, sealing.keyCheck).catch(() => null) : null;
show();
sayState(tellSealed());
try {
  await draft.begin();
} catch {
  sayState("This browser keeps no data (a private window, or it is switched off): nothing is saved before you seal.");
  addEventListener("beforeunload", (event) => { if (read().reason && !form.dataset.busy) event.preventDefault(); });
}
form.dataset.ready = "yes";
await tidy(form.dataset.person, sealing.seatId).catch(() => null); // another time, then
