// Sealing a vote: commitment and sealed opening are made here; only they leave the browser.
import * as crypto from "./commit-crypto.js";

/** The canonical rationale: keys in order, absent parts left out (auditing/core/rationale.py). */
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

/** What is still missing, as the one next step; "" when the vote can be sealed. */
export function missing(said, sealing) {
  if (!said.choice) return "choose pass, fail or abstain";
  if (said.choice === "fail" && !said.errorType && !said.propagated) return "choose the kind of error";
  if (said.choice === "fail" && !said.reason.trim()) return "say why it fails";
  if (!sealing.revealPoint) return "wait: the revealer has not announced its key yet";
  return "";
}

export async function sealVote(said, sealing) {
  const rnonce = crypto.randomBytes();
  const text = rationale(said);
  const opening = {
    vote: crypto.CHOICES[said.choice],
    confidenceBp: said.choice === "abstain" ? null : said.confidence * 100,
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
  const sealed = await crypto.seal(crypto.fromHex(sealing.revealPoint, 65), sealing.seatId, digest, { opening, rnonce, rationale: text });
  const body = {
    commitment: crypto.toHex(digest),
    rationale_digest: crypto.toHex(opening.rationaleDigest),
    sealed: crypto.toBase64(sealed),
  };
  return sealing.guidelines ? { ...body, guidelines: sealing.guidelines } : body;
}
