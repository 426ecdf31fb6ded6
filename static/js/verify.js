// Checks in the reader's browser that the leaf on this page leads to the signed root.
import { fromBase64, HASH, leafHash, rootOf, same } from "./merkle.js";

export async function holds({ entry, index, size, path, root }) {
  const nodes = path.split(" ").filter(Boolean).map(fromBase64);
  const found = await rootOf(await leafHash(fromBase64(entry)), index, size, nodes);
  const signed = fromBase64(root);
  return signed.length === HASH && same(found, signed);
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
