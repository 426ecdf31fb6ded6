// The ledger's tree, checked in the reader's browser: RFC 6962 hashes, RFC 9162 sections 2.1.3.2 and 2.1.4.2, WebCrypto only.
export const HASH = 32;

export function fromBase64(text) {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  if (btoa(String.fromCharCode(...bytes)) !== text) throw new RangeError("base64 with stray bits");
  return bytes;
}

export function same(one, other) {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

async function hash(prefix, ...parts) {
  const bytes = new Uint8Array(await new Blob([Uint8Array.of(prefix), ...parts]).arrayBuffer());
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export const leafHash = (entry) => hash(0, entry);

/** The root that the path leads to from a leaf's hash. */
export async function rootOf(leaf, index, size, path) {
  let [fn, sn] = [BigInt(index), BigInt(size) - 1n];
  if (fn < 0n || fn > sn) throw new RangeError("the leaf lies beyond the tree");
  let found = leaf;
  for (const node of path) {
    if (sn === 0n || node.length !== HASH) throw new RangeError("the path does not fit the tree");
    if (fn & 1n || fn === sn) {
      found = await hash(1, node, found);
      while (!(fn & 1n) && fn) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else {
      found = await hash(1, found, node);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  if (sn !== 0n) throw new RangeError("the path is too short");
  return found;
}

/** Whether the newer head, { size, root }, only appended to the older one. */
export async function continues(older, newer, proof) {
  if (older.size < 1n || older.size > newer.size) return false;
  if (older.size === newer.size) return !proof.length && same(older.root, newer.root);
  const nodes = older.size & (older.size - 1n) ? [...proof] : [older.root, ...proof];
  if (!nodes.length || nodes.some((node) => node.length !== HASH)) return false;
  let [fn, sn] = [older.size - 1n, newer.size - 1n];
  while (fn & 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let first = nodes[0];
  let second = nodes[0];
  for (const node of nodes.slice(1)) {
    if (sn === 0n) return false;
    if (fn & 1n || fn === sn) {
      [first, second] = [await hash(1, node, first), await hash(1, node, second)];
      while (!(fn & 1n) && fn) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else {
      second = await hash(1, second, node);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && same(first, older.root) && same(second, newer.root);
}

/** The root over a short list of entries. */
export async function rootOfList(entries) {
  if (!entries.length) return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array()));
  let row = await Promise.all(entries.map(leafHash));
  while (row.length > 1) {
    const pairs = [];
    for (let at = 0; at < row.length; at += 2) pairs.push(at + 1 < row.length ? hash(1, row[at], row[at + 1]) : row[at]);
    row = await Promise.all(pairs);
  }
  return row[0];
}
