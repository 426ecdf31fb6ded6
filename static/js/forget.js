// Signing out deletes unfinished votes, here, in other tabs and on the server, before the session ends.
import { ask } from "./server.js";
import { forget, silence, tabs } from "./vault.js";

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.action.endsWith("/accounts/logout/") || form.dataset.forgotten) return;
  event.preventDefault();
  const underWay = [];
  document.dispatchEvent(new CustomEvent("trust:forget", { detail: underWay }));
  tabs.postMessage({ signedOut: true });
  await Promise.allSettled(underWay);
  await silence(); // or a draft under way from another tab would be stored after all were forgotten
  await Promise.allSettled([ask("POST", "/desk/drafts/forget"), forget()]);
  form.dataset.forgotten = "yes";
  form.requestSubmit();
});
