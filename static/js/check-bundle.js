// An audit's bundle, step by step: signature, inclusion, lists, seals, counts. Draws, posteriors and points are
// recomputed by the server and by verify_audit.py, not here.
import { commitment, fromHex, sha256, toHex } from "./commit-crypto.js";
import { continues, fromBase64, leafHash, rootOf, rootOfList, same } from "./merkle.js";
import { openCheckpoint } from "./note.js";

const FORMAT = "trust-audit-bundle/v1";
const NONE = 0xffff;
const utf8 = (text) => new TextEncoder().encode(text);

function need(holds, why) {
  if (!holds) throw new RangeError(why);
}

export async function checkBundle(step, text, keys) {
  const bundle = await step("The bundle can be read", () => {
    const read = JSON.parse(text);
    need(read.format === FORMAT, `it is not of format ${FORMAT}`);
    return read;
  });
  if (!bundle) return;
  await step("The key in it is a key of this ledger", () => need(keys.ledger.includes(bundle.vkey), "it is another key"));
  const head = await step("The checkpoint is signed by that key", () => openCheckpoint(bundle.checkpoint, [bundle.vkey]));
  if (!head) return;
  // Browsers bring no ML-DSA along, and a signature nobody checked must not look like one that holds.
  if (bundle.vkey_ml_dsa) await step("The second signature, by ML-DSA-44", () => null, "This browser cannot check it. The server and verify_audit.py do.");
  await step("Every leaf is in the ledger", () => checkLeaves(bundle, head));
  if (bundle.later) await step("A later checkpoint continues this one", () => checkLater(bundle, head));
  const leaves = bundle.leaves.map((item) => JSON.parse(item.entry));
  const of = (kind) => leaves.filter((leaf) => leaf.t === kind);
  await step("The lists of segments and auditors are the committed ones", () => checkLists(bundle, of));
  if (of("trace.outcome").length) await step("The secret of the draw is the committed one", () => checkSecret(of));
  await step("Every opened vote is the sealed one", () => checkSeals(head.origin, of));
  await step("Every count is that of the opened votes", () => checkCounts(of));
}

async function checkLeaves(bundle, head) {
  for (const { index, entry, proof } of bundle.leaves) {
    const found = await rootOf(await leafHash(utf8(entry)), index, head.size, proof.map(fromBase64));
    need(same(found, head.root), `leaf ${index} is not: it was changed, or its proof was`);
  }
  return `${bundle.leaves.length} leaves under ${head.size}.`;
}

async function checkLater(bundle, head) {
  const later = await openCheckpoint(bundle.later.checkpoint, [bundle.vkey]);
  need(await continues(head, later, bundle.later.consistency.map(fromBase64)), "it does not");
  return `From ${head.size} to ${later.size} leaves.`;
}

async function checkLists(bundle, of) {
  const [open] = of("audit.open");
  let rest = bundle.eligible;
  const fixed = async (name, lines, leaf) => {
    const root = await rootOfList(lines.map((line) => utf8(JSON.stringify(line))));
    need(lines.length === leaf[name] && toHex(root) === leaf[`${name}_root`], `the list ${name} is not the one that ${leaf.t} fixed`);
  };
  await fixed("segments", bundle.segments, open);
  for (const leaf of [open, ...of("eligible.extend")]) {
    await fixed("eligible", rest.slice(0, leaf.eligible), leaf);
    rest = rest.slice(leaf.eligible);
  }
  need(!rest.length, "the list of auditors has lines that no leaf fixed");
  return `${bundle.segments.length} segments, ${bundle.eligible.length} auditors.`;
}

async function checkSecret(of) {
  const [open] = of("audit.open");
  const [done] = of("trace.outcome");
  need(toHex(await sha256(fromHex(done.seed, 32))) === open.seed_commit, "it is another one");
}

async function checkSeals(origin, of) {
  const logId = await sha256(utf8(origin));
  const sealed = new Map(of("vote.commit").map((leaf) => [leaf.seat, leaf.commitment]));
  const texts = new Map(of("round.open").map((leaf) => [`${leaf.segment} ${leaf.round}`, leaf.segment_digest]));
  let count = 0;
  for (const leaf of of("vote.reveal")) {
    for (const one of leaf.openings) {
      const digest = texts.get(`${leaf.segment} ${leaf.round}`);
      need(digest, `no text was fixed for segment ${leaf.segment}`);
      const place = {
        logId, auditId: leaf.audit, segmentId: leaf.segment, round: leaf.round, seatId: one.seat,
        auditorId: fromHex(one.auditor, 32), segmentDigest: fromHex(digest, 32),
      };
      const opening = {
        vote: one.vote, confidenceBp: one.confidence === NONE ? null : one.confidence,
        rationaleDigest: fromHex(one.rationale, 32), nonce: fromHex(one.nonce, 32),
      };
      need(toHex(await commitment(place, opening)) === sealed.get(one.seat), `the vote of seat ${one.seat} is another one than was sealed`);
      count += 1;
    }
  }
  return `${count} votes.`;
}

function checkCounts(of) {
  const counts = new Map();
  for (const leaf of of("vote.reveal")) {
    const key = `${leaf.segment} ${leaf.round}`;
    const sum = counts.get(key) ?? [0, 0, 0];
    for (const one of leaf.openings) sum[one.vote] += 1;
    counts.set(key, sum);
  }
  for (const leaf of of("outcome.preliminary")) {
    const [fails, passes, abstentions] = counts.get(`${leaf.segment} ${leaf.round}`) ?? [0, 0, 0];
    const right = leaf.fails === fails && leaf.passes === passes && leaf.abstentions === abstentions;
    need(right, `segment ${leaf.segment}, round ${leaf.round}: the votes count ${passes} pass, ${fails} fail, ${abstentions} abstain`);
  }
  return `${of("outcome.preliminary").length} rounds.`;
}
