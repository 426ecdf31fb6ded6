// What this browser keeps of unfinished votes: one AES-GCM key a person that never leaves it, and ciphertexts.
const NAME = "trust-desk";
const SENDING_MS = 16000; // the longest that another tab waits for an answer (server.js), and a little more

/** What the tabs of this browser tell each other about drafts; one object a page, so that no page hears itself. */
export const tabs = new BroadcastChannel(NAME);

function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => { asked.result.createObjectStore("keys"); asked.result.createObjectStore("drafts"); };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function ask(store, mode, act) {
  const base = await open();
  try {
    return await new Promise((resolve, reject) => {
      const deal = base.transaction(store, mode);
      const asked = act(deal.objectStore(store));
      deal.oncomplete = () => resolve(asked.result);
      deal.onabort = deal.onerror = () => reject(deal.error);
    });
  } finally {
    base.close();
  }
}

/** The person's key; two tabs that make one at the same moment end with the same. */
export async function keyOf(person) {
  const known = await ask("keys", "readonly", (keys) => keys.get(person));
  if (known) return known;
  const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  await ask("keys", "readwrite", (keys) => keys.add(made, person)).catch(() => null);
  return ask("keys", "readonly", (keys) => keys.get(person));
}

export async function encrypt(key, seat, said) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = new TextEncoder().encode(seat);
  const plain = new TextEncoder().encode(JSON.stringify(said));
  const cipher = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plain));
  const out = new Uint8Array(12 + cipher.length);
  out.set(iv);
  out.set(cipher, 12);
  return out;
}

/** What was encrypted, or null when it was another browser's key. */
export async function decrypt(key, seat, bytes) {
  try {
    const additionalData = new TextEncoder().encode(seat);
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, 12), additionalData }, key, bytes.slice(12));
    return JSON.parse(new TextDecoder().decode(plain));
  } catch {
    return null;
  }
}

export const keep = (seat, kept) => ask("drafts", "readwrite", (drafts) => drafts.put(kept, seat));
export const kept = (seat) => ask("drafts", "readonly", (drafts) => drafts.get(seat));
export const drop = (seat) => ask("drafts", "readwrite", (drafts) => drafts.delete(seat));
export const seats = () => ask("drafts", "readonly", (drafts) => drafts.getAllKeys());

/** A key of another purpose under a name of its own; it cannot be taken out of the browser again. */
export const keepKey = (name, key) => ask("keys", "readwrite", (keys) => keys.put(key, name));
export const keptKey = (name) => ask("keys", "readonly", (keys) => keys.get(name));

/** Send a draft; the drafts of all tabs are sent under one lock that they share. */
export const sending = (work) => navigator.locks.request(NAME, { mode: "shared" }, work);

/** At logout: resolves when no tab sends a draft, and none will before this page is left; a tab that hangs is not waited for. */
export function silence() {
  return new Promise((resolve) => {
    if (!navigator.locks) return void resolve(); // an address that is not secure: nothing was ever kept
    const untilLeft = () => { resolve(); return new Promise(() => {}); };
    navigator.locks.request(NAME, { signal: AbortSignal.timeout(SENDING_MS) }, untilLeft).catch(resolve);
  });
}

/** At logout: keys and drafts go together. */
export function forget() {
  return new Promise((resolve) => {
    const asked = indexedDB.deleteDatabase(NAME);
    asked.onsuccess = asked.onerror = asked.onblocked = () => resolve();
  });
}
