// Signed notes (C2SP signed-note, tlog-checkpoint): a text, a blank line, signature lines. Ed25519 by WebCrypto.
import { fromBase64, HASH, same } from "./merkle.js";

export class CannotCheck extends Error {}

/** { name, id, bytes } of a key's one line. */
export async function readKey(vkey) {
  const [name, id, ...rest] = vkey.split("+");
  const typed = fromBase64(rest.join("+"));
  if (typed.length !== HASH + 1 || typed[0] !== 1) throw new RangeError("not an Ed25519 key");
  const bytes = new Uint8Array(await new Blob([`${name}\n`, typed]).arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 4);
  if (Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") !== id) throw new RangeError("the key id does not belong to the key");
  return { name, id: digest, bytes: typed.slice(1) };
}

/** The signed text of a note; throws unless one of these keys signed it. */
export async function signedText(note, vkeys) {
  const cut = note.lastIndexOf("\n\n");
  if (cut < 0 || !note.endsWith("\n")) throw new RangeError("it is not a signed note");
  const text = note.slice(0, cut + 1);
  const lines = note.slice(cut + 2, -1).split("\n").map((line) => line.split(" "));
  if (lines.some((line) => line.length !== 3 || line[0] !== "—")) throw new RangeError("a signature line is malformed");
  let known = false;
  for (const vkey of vkeys) {
    const key = await readKey(vkey);
    for (const [, name, data] of lines) {
      const bytes = fromBase64(data);
      if (name !== key.name || !same(bytes.slice(0, 4), key.id)) continue;
      known = true;
      if (!(await verifies(key.bytes, bytes.slice(4), text))) throw new RangeError("the signature does not belong to this text");
    }
    if (known) return text;
  }
  throw new RangeError("no key that this page knows signed it");
}

async function verifies(key, signature, text) {
  let imported;
  try {
    imported = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    throw new CannotCheck("This browser cannot check Ed25519 signatures; newer ones can.");
  }
  return crypto.subtle.verify({ name: "Ed25519" }, imported, signature, new TextEncoder().encode(text));
}

/** { origin, size, root } of a signed checkpoint. */
export async function openCheckpoint(note, vkeys) {
  const [origin, size, root] = (await signedText(note, vkeys)).split("\n");
  if (!/^(0|[1-9][0-9]{0,18})$/.test(size)) throw new RangeError("the size is no number");
  const bytes = fromBase64(root);
  if (bytes.length !== HASH) throw new RangeError("the root is no hash");
  return { origin, size: BigInt(size), root: bytes };
}
