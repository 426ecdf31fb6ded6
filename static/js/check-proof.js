// A receipt, a .tlog-proof or a checkpoint, step by step; `keys` are those of the page: { ledger: [...], receipt: [...] }.
import { fromBase64, leafHash, rootOf, same } from "./merkle.js";
import { openCheckpoint, signedText } from "./note.js";

const PROOF = "c2sp.org/tlog-proof@v1\n";
const RECEIPT = /^[^\n]+\n(vote\.commit|submission)\nsubject ([0-9a-f-]{36})\ndigest [0-9a-f]{64}\nleaf ([0-9a-f]{64})\ntime \d+\ndeadline (\d+)\n$/;

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

// Only where both clocks say that the time is over does a missing leaf accuse the operator: this one may be wrong.
const CLOCKS = " By the clock of this machine that is over, by the server's it is not: set the clock, or look again later.";

export async function checkReceipt(step, text, keys) {
  const signed = await step("Signed by a receipt key of this page", () => signedText(text, keys.receipt));
  if (!signed) return;
  const said = await step("It is a receipt", () => RECEIPT.exec(signed));
  if (!said) return;
  const [, kind, subject, leaf, deadline] = said;
  const [{ index }, sent] = await fetched(`/verify/place/${kind}/${subject}`,
    async (answer) => [await answer.json(), new Date(answer.headers.get("Date") ?? Date.now())]);
  if (index === null) {
    const until = new Date(Number(deadline) * 1000);
    await step("The ledger holds it", () => {
      if (until < sent && until < new Date()) throw new RangeError("No leaf stands there, and the promised time is over. Keep this receipt: it proves that.");
      return null;
    }, `Not yet; promised by ${until.toISOString()}.${until < new Date() ? CLOCKS : ""}`);
    return;
  }
  const proof = await fetched(`/ledger/v1/proof/${index}.tlog-proof`, (answer) => answer.text());
  await checkProof(step, proof, keys, leaf);
}

/** `wanted`: hash of the entry in hexadecimal, when the reader holds it already; else the published entry is fetched. */
export async function checkProof(step, text, keys, wanted = "") {
  const { index, path, note } = await step("The proof can be read", () => readProof(text)) ?? {};
  if (!note) return;
  const head = await step("The checkpoint is signed by this ledger", () => openCheckpoint(note, keys.ledger));
  if (!head) return;
  await step("The path leads from the leaf to the signed root", async () => {
    const leaf = wanted ? Uint8Array.from(wanted.match(/../g), (pair) => parseInt(pair, 16)) : await leafHash(await publishedEntry(index, head.size));
    if (!same(await rootOf(leaf, index, head.size, path), head.root)) throw new RangeError(`leaf ${index} leads to another root`);
    return `Leaf ${index} of ${head.size}, hash ${hex(leaf)}.`;
  });
}

export async function checkCheckpoint(step, text, keys) {
  await step("The checkpoint is signed by this ledger", async () => {
    const head = await openCheckpoint(text, keys.ledger);
    return `${head.size} leaves.`;
  });
}

function readProof(text) {
  const cut = text.indexOf("\n\n");
  const lines = text.slice(PROOF.length, cut).split("\n");
  if (!text.startsWith(PROOF) || cut < 0) throw new RangeError("it is not of the form c2sp.org/tlog-proof@v1");
  if (lines[0].startsWith("extra ")) lines.shift();
  const [, index] = /^index (0|[1-9][0-9]{0,18})$/.exec(lines.shift() ?? "") ?? [];
  if (index === undefined) throw new RangeError("its index line is missing");
  return { index, path: lines.filter(Boolean).map(fromBase64), note: text.slice(cut + 2) };
}

/** The entry as the ledger publishes it, out of its bundle. */
async function publishedEntry(index, size) {
  const [bundle, place] = [BigInt(index) / 256n, Number(BigInt(index) % 256n)];
  const width = size - bundle * 256n;
  const digits = bundle.toString().padStart(Math.ceil(bundle.toString().length / 3) * 3, "0").match(/.{3}/g);
  const name = [...digits.slice(0, -1).map((part) => `x${part}`), digits.at(-1)].join("/");
  const url = `/ledger/v1/tile/entries/${name}${width < 256n ? `.p/${width}` : ""}`;
  const bytes = new Uint8Array(await fetched(url, (answer) => answer.arrayBuffer()));
  let at = 0;
  for (let number = 0; number < place; number += 1) at += 2 + bytes[at] * 256 + bytes[at + 1];
  return bytes.slice(at + 2, at + 2 + bytes[at] * 256 + bytes[at + 1]);
}

async function fetched(url, read) {
  const answer = await fetch(url);
  if (!answer.ok) throw new RangeError(`${url} answered ${answer.status}`);
  return read(answer);
}
