// Signing out deletes unfinished votes, here and on the server, before the session ends.
import { ask } from "./server.js";
import { forget } from "./vault.js";

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.action.endsWith("/accounts/logout/") || form.dataset.forgotten) return;
  event.preventDefault();
  await Promise.allSettled([ask("POST", "/desk/drafts/forget"), forget()]);
  form.dataset.forgotten = "yes";
  form.requestSubmit();
});
