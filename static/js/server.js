// Asking the server: the token of the moment, one way to tell "no network", "logged out" and "refused" apart.
export const PATIENCE_MS = 15000; // a connection that swallows everything is no connection

export class LoggedOut extends Error {}
export class NoNetwork extends Error {}
export class Refused extends Error {
  constructor(status, said) {
    super(said.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.said = said;
  }
}

function token() {
  const cookie = document.cookie.split("; ").find((one) => /^(__Host-)?csrftoken=/.test(one));
  return cookie ? cookie.slice(cookie.indexOf("=") + 1) : JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
}

export async function ask(method, url, body) {
  const json = body !== undefined && !(body instanceof URLSearchParams);
  const headers = { "X-CSRFToken": token(), "X-Requested-With": "XMLHttpRequest", Accept: "application/json" };
  if (json) headers["Content-Type"] = "application/json";
  let answer;
  try {
    const sent = json ? JSON.stringify(body) : body;
    answer = await fetch(url, { method, headers, body: sent, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    throw new NoNetwork("There is no connection.");
  }
  if (answer.status === 502 || answer.status === 503 || answer.status === 504) throw new NoNetwork("The server does not answer.");
  const heard = await answer.json().catch(() => null);
  if (answer.ok && !heard) throw new NoNetwork("The server broke off in the middle of its answer.");
  if (answer.ok) return heard;
  const said = heard ?? {};
  if (answer.status === 401 || answer.type === "opaqueredirect" || isLogout(answer.status, said)) throw new LoggedOut("You are logged out.");
  throw new Refused(answer.status, said);
}

// The API answers 403 to a stranger, and a token of the old session is refused before anything else is looked at.
function isLogout(status, said) {
  return status === 403 && (!said.detail || /credentials|CSRF|logged|too old/i.test(said.detail));
}
