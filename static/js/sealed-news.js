// What the page before has to say to the next one: that the vote is sealed. Told once, politely.
const KEY = "trust.sealed";

export function rememberSealed() {
  try { sessionStorage.setItem(KEY, new Date().toTimeString().slice(0, 8)); } catch { /* private mode */ }
}

/** "Sealed 12:03:07." when the page before sealed a vote, else "". */
export function tellSealed() {
  try {
    const at = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return at ? `Sealed ${at}.` : "";
  } catch {
    return "";
  }
}
