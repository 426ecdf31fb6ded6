// Sealing a vote: commitment and sealed opening are made here; only they leave the browser.
import * as crypto from "./commit-crypto.js";
import { lock, noncesOf } from "./own-key.js";

const MAX_REASON = 10000; // code points, as auditing/core/voting/rationale.py counts them

/** The canonical rationale: keys in order, absent parts left out (auditing/core/voting/rationale.py). */
export function rationale(said) {
  const criteria = Object.fromEntries(Object.entries(said.criteria).sort(([one], [other]) => (one < other ? -1 : 1)));
  const text = { criteria };
  if (said.place) text.end = said.place.end;
  if (said.choice === "fail") text.error_type = said.propagated ? "propagated" : said.errorType;
  if (said.choice === "fail" && said.propagated) text.propagated = true;
  text.reason = said.reason;
  if (said.place) text.start = said.place.start;
  return JSON.stringify(text);
}

/** What is still missing, as the one next step and the field it stands in; null when the vote can be sealed. */
export function missing(said, sealing) {
  if (!globalThis.crypto.subtle) return { field: "", words: "open this desk by its https address: here your browser will not encrypt" };
  if (sealing.contested && !said.contested) return { field: "contested", words: "say why it was contested" };
  if (!said.choice) return { field: "choice", words: "choose pass, fail or abstain" };
  if (said.choice === "fail" && !said.errorType && !said.propagated) return { field: "error_type", words: "choose the kind of error" };
  if (said.choice === "fail" && !said.propagated && sealing.steps?.length && !said.place) return { field: "step", words: "name the first step that fails" };
  if (said.choice === "fail" && !said.reason.trim()) return { field: "reason", words: "say why it fails" };
  const over = [...said.reason.normalize("NFC")].length - MAX_REASON;
  if (over > 0) return { field: "reason", words: `shorten the reason by ${over} character${over === 1 ? "" : "s"}` };
  if (said.choice !== "abstain" && said.confidence === null) return { field: "confidence", words: "say how sure you are" };
  if (sealing.openings === "browser") return sealing.ownKey ? null : { field: "", words: "set up your own key: this vote is yours to open" };
  return sealing.revealPoint ? null : { field: "", words: "wait: the revealer has not announced its key yet" };
}

/** What in a complete vote speaks against the vote itself; "" where nothing does. */
export function contradiction(said) {
  const marks = Object.values(said.criteria);
  if (said.choice === "pass" && marks.includes("no")) return "a criterion says no, and the vote says that it holds. Change one of them, or seal again";
  const isAllYes = marks.includes("yes") && !marks.includes("no");
  if (said.choice === "fail" && !said.propagated && isAllYes) return "every criterion says yes, and the vote says that it fails. Change one of them, or seal again";
  return "";
}

export async function sealVote(said, sealing) {
  const own = sealing.openings === "browser" ? await noncesOf(sealing.ownKey, sealing) : null;
  const rnonce = own ? own.rnonce : crypto.randomBytes();
  const text = rationale(said);
  const opening = {
    vote: crypto.CHOICES[said.choice],
    confidenceBp: said.choice === "abstain" ? null : said.confidence * 100,
    rationaleDigest: await crypto.rationaleDigest(rnonce, text),
    nonce: own ? own.nonce : crypto.randomBytes(),
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
  const body = {
    commitment: crypto.toHex(digest),
    rationale_digest: crypto.toHex(opening.rationaleDigest),
    ...(own ? await keptOpening(sealing, opening, text) : await escrowed(sealing, digest, { opening, rnonce, rationale: text })),
  };
  if (sealing.contested) body.contested = said.contested; // an adjudicator's word on the round, beside the sealed vote
  return sealing.guidelines ? { ...body, guidelines: sealing.guidelines } : body;
}

async function escrowed(sealing, digest, unsealed) {
  const sealed = await crypto.seal(crypto.fromHex(sealing.revealPoint, 65), sealing.seatId, digest, unsealed);
  return { sealed: crypto.toBase64(sealed) };
}

async function keptOpening(sealing, opening, text) {
  const said = { vote: opening.vote, confidenceBp: opening.confidenceBp, rationale: text };
  return { sealed: null, kept: crypto.toBase64(await lock(sealing.ownKey, sealing.seatId, said)) };
}
