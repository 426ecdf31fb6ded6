// Sealed votes in the browser: the mirror of auditing/core/voting/commitment.py and seal.py, WebCrypto only.
// Names and byte layouts are those of the Python; the same 50 vectors prove both.

export const PREIMAGE_BYTES = 248;
export const OPENING_BYTES = 68;
export const NO_CONFIDENCE = 0xffff;
export const CHOICES = Object.freeze({ fail: 0, pass: 1, abstain: 2 });
const PADDING = 256;
const LONGEST_RATIONALE = 65536;
const P256 = { name: "ECDH", namedCurve: "P-256" };

function utf8(text) {
  if (/\p{Surrogate}/u.test(text)) throw new RangeError("the text holds a lone surrogate");
  return new TextEncoder().encode(text);
}

function uint(number, width, name) {
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** (8 * width)) {
    throw new RangeError(`${name} does not fit into ${width} bytes`);
  }
  return Uint8Array.from({ length: width }, (_, index) => Math.floor(number / 2 ** (8 * (width - 1 - index))) % 256);
}

function exactly(bytes, length, name) {
  if (!(bytes instanceof Uint8Array) || bytes.length !== length) throw new RangeError(`${name} needs ${length} bytes`);
  return bytes;
}

export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text, length = text.length / 2) {
  if (!/^[0-9a-f]*$/.test(text) || text.length !== 2 * length) {
    throw new RangeError(`${length} bytes in lower-case hexadecimal are needed`);
  }
  return Uint8Array.from({ length }, (_, index) => parseInt(text.slice(2 * index, 2 * index + 2), 16));
}

export function toBase64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

export function randomBytes(length = 32) {
  return crypto.getRandomValues(new Uint8Array(length));
}

export function uuidBytes(text) {
  return fromHex(text.replaceAll("-", ""), 16);
}

export function pad32(label) {
  const out = new Uint8Array(32);
  out.set(utf8(label));
  return out;
}

export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export function logId(origin) {
  return sha256(utf8(origin));
}

export function segmentDigest(salt, text) {
  return sha256(concat(pad32("TRUST/segment/v1"), exactly(salt, 32, "salt"), utf8(text)));
}

export function rationaleDigest(rnonce, text) {
  return sha256(concat(pad32("TRUST/rationale/v1"), exactly(rnonce, 32, "rnonce"), utf8(text.normalize("NFC"))));
}

// key: an HMAC-SHA-256 CryptoKey (non-extractable will do). The same seat gives the same nonce, so a lost tab can
// compute it again and find its vote by trying.
export async function deriveNonce(key, logIdBytes, seatId, round) {
  const seat = concat(exactly(logIdBytes, 32, "log_id"), uuidBytes(seatId), uint(round, 4, "round"));
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, concat(pad32("TRUST/nonce/v1"), seat)));
}

// place: { logId, auditId, segmentId, round, seatId, auditorId, segmentDigest }; ids as UUID text, the rest as bytes.
export function placeBytes(place) {
  return concat(
    pad32("TRUST/vote-commit/v1"),
    exactly(place.logId, 32, "log_id"),
    uuidBytes(place.auditId),
    uuidBytes(place.segmentId),
    uint(place.round, 4, "round"),
    uuidBytes(place.seatId),
    exactly(place.auditorId, 32, "auditor_id"),
    exactly(place.segmentDigest, 32, "segment_digest"),
  );
}

// opening: { vote: 0 | 1 | 2, confidenceBp: number | null, rationaleDigest, nonce }
export function openingBytes(opening) {
  if (![0, 1, 2].includes(opening.vote)) throw new RangeError("vote must be 0 (fail), 1 (pass) or 2 (abstain)");
  return concat(
    uint(opening.vote, 1, "vote"),
    uint(opening.flags ?? 0, 1, "flags"),
    uint(opening.confidenceBp ?? NO_CONFIDENCE, 2, "confidence_bp"),
    exactly(opening.rationaleDigest, 32, "rationale_digest"),
    exactly(opening.nonce, 32, "nonce"),
  );
}

export function preimage(place, opening) {
  return concat(placeBytes(place), openingBytes(opening));
}

export function commitment(place, opening) {
  return sha256(preimage(place, opening));
}

// revealPoint: the reveal key, 65 bytes; unsealed: { opening, rnonce, rationale }. The layout stands in seal.py.
export async function seal(revealPoint, seatId, commitmentBytes, unsealed) {
  const reveal = await crypto.subtle.importKey("raw", exactly(revealPoint, 65, "reveal key"), P256, false, []);
  const pair = await crypto.subtle.generateKey(P256, false, ["deriveBits"]);
  const ephemeral = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const secret = await crypto.subtle.deriveBits({ name: "ECDH", public: reveal }, pair.privateKey, 256);
  const [key, iv] = await keyAndIv(secret, ephemeral, revealPoint);
  const additionalData = concat(uuidBytes(seatId), exactly(commitmentBytes, 32, "commitment"));
  const cipher = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plaintext(unsealed));
  return concat(Uint8Array.of(1), ephemeral, new Uint8Array(cipher));
}

function plaintext({ opening, rnonce, rationale }) {
  const text = utf8(rationale.normalize("NFC"));
  if (text.length > LONGEST_RATIONALE) throw new RangeError(`a rationale has at most ${LONGEST_RATIONALE} bytes`);
  const length = uint(text.length, 4, "length");
  const plain = concat(openingBytes(opening), exactly(rnonce, 32, "rnonce"), length, text);
  return concat(plain, new Uint8Array((PADDING - (plain.length % PADDING)) % PADDING));
}

async function keyAndIv(secret, ephemeral, reveal) {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const info = concat(pad32("TRUST/seal/v1"), ephemeral, reveal);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info };
  const bits = await crypto.subtle.deriveBits(hkdf, base, 352);
  const key = await crypto.subtle.importKey("raw", bits.slice(0, 32), "AES-GCM", false, ["encrypt"]);
  return [key, new Uint8Array(bits, 32, 12)];
}
