// Sealing a vote: the commitment and the sealed opening are made here; only they leave the browser.
import * as crypto from "./commit-crypto.js";

const form = document.getElementById("vote");
const sealing = JSON.parse(form.dataset.sealing);
const errors = document.getElementById("vote-error");
const status = document.getElementById("vote-status");
const range = document.getElementById("confidence");
const opened = performance.now();
let active = 0;
let lastUse = performance.now();
let sealedVote = null;

for (const kind of ["pointermove", "keydown", "scroll"]) {
  document.addEventListener(kind, () => {
    const now = performance.now();
    if (document.hasFocus() && now - lastUse < 30000) active += now - lastUse;
    lastUse = now;
  }, { passive: true });
}

function showConfidence() { document.getElementById("confidence-out").textContent = range.value; }
range.addEventListener("input", showConfidence);
showConfidence();
form.addEventListener("input", () => { sealedVote = null; });

function rationale(said) {
  const criteria = {};
  for (const [name, value] of said) if (name.startsWith("criterion.")) criteria[name.slice(10)] = value;
  const text = { criteria, reason: said.get("reason") ?? "" };
  if (said.get("choice") === "fail") {
    if (said.get("error_type")) text.error_type = said.get("error_type");
    if (said.get("propagated")) text.propagated = true;
  }
  return JSON.stringify(text, Object.keys(text).concat(Object.keys(criteria)).sort());
}

function findProblem(said) {
  if (!said.get("choice")) return "Choose pass, fail or abstain.";
  if (said.get("choice") === "fail" && !said.get("reason").trim()) return "A fail needs a reason.";
  if (said.get("choice") === "fail" && !said.get("error_type")) return "Choose the kind of error.";
  if (!sealing.revealPoint) return "The revealer has not announced its key yet. Try again in a moment.";
  return "";
}

async function sealVote(said) {
  const rnonce = crypto.randomBytes();
  const text = rationale(said);
  const opening = {
    vote: crypto.CHOICES[said.get("choice")],
    confidenceBp: said.get("choice") === "abstain" ? null : Number(said.get("confidence")) * 100,
    rationaleDigest: await crypto.rationaleDigest(rnonce, text),
    nonce: crypto.randomBytes(),
  };
  const place = {
    logId: await crypto.logId(sealing.origin),
    auditId: sealing.auditId,
    segmentId: sealing.segmentId,
    round: sealing.round,
    seatId: sealing.seatId,
    auditorId: crypto.fromHex(sealing.auditorId, 32),
    segmentDigest: await crypto.segmentDigest(crypto.fromHex(sealing.salt, 32), sealing.text),
  };
  const digest = await crypto.commitment(place, opening);
  const point = crypto.fromHex(sealing.revealPoint, 65);
  const sealed = await crypto.seal(point, sealing.seatId, digest, { opening, rnonce, rationale: text });
  return {
    commitment: crypto.toHex(digest),
    rationale_digest: crypto.toHex(opening.rationaleDigest),
    sealed: crypto.toBase64(sealed),
    raw_ms: Math.round(performance.now() - opened),
    active_ms: Math.round(active),
  };
}

async function send(body) {
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  const answer = await fetch(sealing.url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify(body),
  });
  if (answer.ok) return;
  const said = await answer.json().catch(() => ({}));
  throw new Error(said.detail ?? `The server answered ${answer.status}.`);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = new FormData(form);
  const problem = findProblem(said);
  errors.textContent = problem;
  if (problem || form.dataset.busy) return;
  form.dataset.busy = "yes";
  status.textContent = "Sealing …";
  try {
    sealedVote ??= await sealVote(said); // a retry sends the same bytes, so it can never vote twice
    await send(sealedVote);
    location.assign(form.action);
  } catch (error) {
    errors.textContent = `${error.message} Nothing is lost: press the button again.`;
    status.textContent = "";
    delete form.dataset.busy;
  }
});
