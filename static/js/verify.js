// Checks in the reader's browser that a leaf leads to the signed root: RFC 9162 section 2.1.3.2, WebCrypto only.
const HASH = 32;

export function fromBase64(text) {
  return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
}

async function hash(prefix, ...parts) {
  const bytes = new Uint8Array(await new Blob([Uint8Array.of(prefix), ...parts]).arrayBuffer());
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export async function rootOf(entry, index, size, path) {
  let [fn, sn] = [BigInt(index), BigInt(size) - 1n];
  if (fn > sn) throw new RangeError("the leaf lies beyond the tree");
  let found = await hash(0, entry);
  for (const node of path) {
    if (sn === 0n || node.length !== HASH) throw new RangeError("the proof does not fit the tree");
    if (fn & 1n || fn === sn) {
      found = await hash(1, node, found);
      while (!(fn & 1n) && fn) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else {
      found = await hash(1, found, node);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  if (sn !== 0n) throw new RangeError("the proof is too short");
  return found;
}

export async function holds({ entry, index, size, path, root }) {
  const nodes = path.split(" ").filter(Boolean).map(fromBase64);
  const found = await rootOf(fromBase64(entry), index, size, nodes);
  const signed = fromBase64(root);
  return signed.length === HASH && found.every((byte, at) => byte === signed[at]);
}

async function show(place) {
  const good = await holds(place.dataset).catch(() => false);
  place.textContent = good
    ? "Verified in your browser as well."
    : "Your browser could not confirm it: the leaf does not lead to the signed root.";
  place.dataset.verified = good ? "yes" : "wrong";
}

for (const place of document.querySelectorAll("[data-verify]")) {
  if (globalThis.crypto?.subtle) show(place);
  else place.textContent = "Your browser can check it only over HTTPS.";
}
