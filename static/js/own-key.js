// Strict mode: the reviewer's own key. Nonces are derived from it, so the recovery code alone opens every vote again.
import * as crypto from "./commit-crypto.js";
import { keepKey, keptKey } from "./vault.js";

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // Crockford's: no I, L, O or U
const HMAC = { name: "HMAC", hash: "SHA-256" };
const CHECKSUM = 3;
const subtle = globalThis.crypto.subtle;

const nameOf = (person) => `own:${person}`;
const imported = (bytes) => subtle.importKey("raw", bytes, HMAC, false, ["sign"]);
const mac = async (key, ...parts) => new Uint8Array(await subtle.sign("HMAC", key, crypto.concat(...parts)));

/** 64 hexadecimal digits by which the right key is known; they open nothing. */
export async function checkOf(key) {
  return crypto.toHex(await mac(key, crypto.pad32("TRUST/key-check/v1")));
}

/** A new key and its recovery code; the code is the only way to have the key twice. */
export async function makeKey() {
  const bytes = crypto.randomBytes(32);
  return { key: await imported(bytes), code: await writeCode(bytes) };
}

/** The key of this person in this browser, when it is the one with this check value; else null. */
export async function findKey(person, check) {
  const key = await keptKey(nameOf(person));
  return key && (await checkOf(key)) === check ? key : null;
}

export const holdKey = (person, key) => keepKey(nameOf(person), key);

/** 56 letters in groups of four: 32 bytes and a checksum of three. */
export async function writeCode(bytes) {
  const all = crypto.concat(bytes, (await crypto.sha256(bytes)).slice(0, CHECKSUM));
  let bits = 0n;
  for (const byte of all) bits = (bits << 8n) | BigInt(byte);
  const letters = Array.from({ length: 56 }, (_, at) => LETTERS[Number((bits >> BigInt(5 * (55 - at))) & 31n)]);
  return letters.join("").match(/.{4}/g).join("-");
}

/** The key of a typed code; throws with the sentence to show. */
export async function readCode(text) {
  const typed = text.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (typed.length !== 56 || [...typed].some((letter) => !LETTERS.includes(letter))) {
    throw new RangeError("A recovery code has 14 groups of four letters and digits.");
  }
  let bits = 0n;
  for (const letter of typed) bits = (bits << 5n) | BigInt(LETTERS.indexOf(letter));
  const all = Uint8Array.from({ length: 35 }, (_, at) => Number((bits >> BigInt(8 * (34 - at))) & 255n));
  const bytes = all.slice(0, 32);
  const sum = (await crypto.sha256(bytes)).slice(0, CHECKSUM);
  if (crypto.toHex(sum) !== crypto.toHex(all.slice(32))) throw new RangeError("There is a typing mistake in this code.");
  return imported(bytes);
}

export async function noncesOf(key, seal) {
  const logId = await crypto.logId(seal.origin);
  const nonce = await crypto.deriveNonce(key, logId, seal.seatId, seal.round);
  const rnonce = await mac(key, crypto.pad32("TRUST/rnonce/v1"), logId, crypto.uuidBytes(seal.seatId));
  return { logId, nonce, rnonce };
}

async function boxKey(key, seatId) {
  const bytes = await mac(key, crypto.pad32("TRUST/kept/v1"), crypto.uuidBytes(seatId));
  return subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** What the server keeps for this key alone: vote, confidence and reason of one seat. */
export async function lock(key, seatId, said) {
  const iv = crypto.randomBytes(12);
  const plain = new TextEncoder().encode(JSON.stringify(said));
  const options = { name: "AES-GCM", iv, additionalData: crypto.uuidBytes(seatId) };
  return crypto.concat(iv, new Uint8Array(await subtle.encrypt(options, await boxKey(key, seatId), plain)));
}

async function unlock(key, seatId, bytes) {
  try {
    const options = { name: "AES-GCM", iv: bytes.slice(0, 12), additionalData: crypto.uuidBytes(seatId) };
    const plain = await subtle.decrypt(options, await boxKey(key, seatId), bytes.slice(12));
    return JSON.parse(new TextDecoder().decode(plain));
  } catch {
    return null;
  }
}

/** The opening of a sealed vote, or null when this key did not seal it.
 * What was kept gives it at once; when that is lost, vote and confidence are found by trying, and the reason stays shut. */
export async function openingOf(key, sealed) {
  const { logId, nonce, rnonce } = await noncesOf(key, sealed);
  const rationaleDigest = crypto.fromHex(sealed.rationaleDigest, 32);
  const place = { ...sealed, logId, auditorId: crypto.fromHex(sealed.auditorId, 32), segmentDigest: crypto.fromHex(sealed.segmentDigest, 32) };
  const fits = async (vote, confidenceBp) =>
    crypto.toHex(await crypto.commitment(place, { vote, confidenceBp, rationaleDigest, nonce })) === sealed.commitment;
  const said = await unlock(key, sealed.seatId, Uint8Array.from(atob(sealed.kept), (letter) => letter.charCodeAt(0)));
  const base = { rationale_digest: sealed.rationaleDigest, nonce: crypto.toHex(nonce) };
  if (said && (await fits(said.vote, said.confidenceBp))) {
    return { ...base, vote: said.vote, confidence_bp: said.confidenceBp, rnonce: crypto.toHex(rnonce), rationale: said.rationale };
  }
  const found = await search(fits);
  return found && { ...base, vote: found.vote, confidence_bp: found.confidenceBp };
}

// 3 votes x 10,002 confidences: every value that the two bytes of a preimage can hold.
async function search(fits) {
  for (const confidenceBp of [null, ...Array.from({ length: 10001 }, (_, at) => 10000 - at)]) {
    for (const vote of [1, 0, 2]) if (await fits(vote, confidenceBp)) return { vote, confidenceBp };
  }
  return null;
}
