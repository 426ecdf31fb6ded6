// The next page in place of this one without a navigation, where both load the same scripts and styles: these, the sockets
// and the masthead stay, and only what the page shows is taken from the server's answer.
import { PATIENCE_MS } from "./server.js";

const SHOWN = ["notices", "main"];
const LOADED = "link[rel=stylesheet], script[src]";
const loaded = (page) => [...page.head.querySelectorAll(LOADED)].map((one) => one.getAttribute("href") ?? one.getAttribute("src")).sort().join(" ");

export const goTo = (address) => location.assign(address);

/** The page at an address, or null where only a navigation leads there: elsewhere, broken, late, or of other files. */
export async function askFor(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, redirect: "error", signal: AbortSignal.timeout(PATIENCE_MS) });
    const page = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    return page && SHOWN.every((id) => page.getElementById(id)) && loaded(page) === loaded(document) ? page : null;
  } catch {
    return null;
  }
}

/** Show it as if the browser had come there: from its top, and known to what listens for new parts of a page. */
export function show(page) {
  document.title = page.title;
  const parts = SHOWN.map((id) => page.getElementById(id));
  for (const part of parts) document.getElementById(part.id).replaceWith(document.adoptNode(part));
  scrollTo({ top: 0, behavior: "instant" });
  document.getElementById("main").focus({ preventScroll: true }); // what had the focus is gone
  for (const part of parts) {
    htmx.process(part);
    htmx.trigger(part, "htmx:load");
  }
}
