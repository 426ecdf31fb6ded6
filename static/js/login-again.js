// The session ended while somebody was writing: log in on the spot, then whatever was refused is tried again.
import { ask, LoggedOut } from "./server.js";

const sheet = () => document.getElementById("login-sheet");
let waiting = [];

function say(words) { document.getElementById("login-error").textContent = words; }

function done() {
  sheet().close();
  say("");
  document.getElementById("login-form").reset();
  const woken = waiting;
  waiting = [];
  for (const wake of woken) wake();
}

/** Resolves once somebody is logged in again. */
export function loggedIn() {
  if (!sheet().open) sheet().showModal();
  return new Promise((resolve) => waiting.push(resolve));
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id !== "login-form") return;
  event.preventDefault();
  try {
    await fetch(form.action); // a browser that lost its cookies is given a token first
    const said = await ask("POST", form.action, new URLSearchParams(new FormData(form)));
    if (said.location && /2fa|authenticate|confirm/.test(said.location)) {
      say("A second step is needed: log in on another page, then come back.");
      return;
    }
    done();
  } catch (error) {
    say(error instanceof LoggedOut ? "Log in on another page, then come back." : "That did not work. Check e-mail and password.");
  }
});
document.addEventListener("click", (event) => { if (event.target.id === "login-done") done(); });
document.addEventListener("cancel", (event) => { if (event.target === sheet()) event.preventDefault(); }, true); // it does not bubble
