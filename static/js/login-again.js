// The session ended while somebody was writing: log in on the spot, then whatever was refused is tried again.
import { ask, LoggedOut } from "./server.js";

const sheet = document.getElementById("login-sheet");
const form = document.getElementById("login-form");
const errors = document.getElementById("login-error");
let waiting = [];

function done() {
  sheet.close();
  errors.textContent = "";
  form.reset();
  const woken = waiting;
  waiting = [];
  for (const wake of woken) wake();
}

/** Resolves once somebody is logged in again. */
export function loggedIn() {
  if (!sheet.open) sheet.showModal();
  return new Promise((resolve) => waiting.push(resolve));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await fetch(form.action); // a browser that lost its cookies is given a token first
    const said = await ask("POST", form.action, new URLSearchParams(new FormData(form)));
    if (said.location && /2fa|authenticate|confirm/.test(said.location)) {
      errors.textContent = "A second step is needed: log in on another page, then come back.";
      return;
    }
    done();
  } catch (error) {
    errors.textContent = error instanceof LoggedOut ? "Log in on another page, then come back." : "That did not work. Check e-mail and password.";
  }
});
document.getElementById("login-done").addEventListener("click", done);
sheet.addEventListener("cancel", (event) => event.preventDefault());
