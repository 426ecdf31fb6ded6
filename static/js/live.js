// Live pages: an element with data-live="audit.42 audits" is told when one of its topics changed; it then fetches
// itself again (hx-get="..." hx-trigger="live"). Only topics travel. Without a socket the page asks every few seconds.
//   to the server:   {"subscribe": ["audit.42"]}       from the server: {"topic": "audit.42"}
const POLL_MS = 5000;
const LONGEST_WAIT_MS = 30000;
const topicsOf = (element) => element.dataset.live.split(/\s+/).filter(Boolean);
const lively = () => [...document.querySelectorAll("[data-live]")];
const asked = new Set();
const held = new Set(); // elements that rang while somebody was at work in them
let socket = null;
let wait = 1000;
let poll = null;
let missed = false; // whether something may have rung while there was no socket

/** Somebody ticks rows of it, or writes into a box that stands open in it: fetched again it would all be lost. */
const isInHand = (element) => element.querySelector("input[form=bulk]:checked, .list-views details[open]") !== null;

function tell(element) {
  if (isInHand(element)) held.add(element);
  else htmx.trigger(element, "live");
}

/** What rang meanwhile is fetched as soon as the hand is off it. */
function release() {
  for (const element of held) if (!element.isConnected) held.delete(element);
  for (const element of held) if (!isInHand(element) && held.delete(element)) htmx.trigger(element, "live");
}

function ring(topic, isPoll = false) {
  for (const element of lively()) if (topicsOf(element).includes(topic)) tell(element);
  document.dispatchEvent(new CustomEvent("trust:live", { detail: { topic, isPoll } }));
}

function ringAll(isPoll) {
  for (const topic of new Set(lively().flatMap(topicsOf))) ring(topic, isPoll);
}

function subscribe() {
  const topics = [...new Set(lively().flatMap(topicsOf))].filter((topic) => !asked.has(topic));
  if (!topics.length) return;
  if (!socket) return void open();
  if (socket.readyState !== WebSocket.OPEN) return;
  for (const topic of topics) asked.add(topic);
  socket.send(JSON.stringify({ subscribe: topics }));
}

function open() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}/ws/live`);
  socket.addEventListener("open", () => {
    wait = 1000;
    stopPolling();
    asked.clear();
    subscribe();
    if (missed) ringAll();
    missed = false;
  });
  socket.addEventListener("message", (event) => {
    try { ring(String(JSON.parse(event.data).topic)); } catch { /* not a message of ours */ }
  });
  socket.addEventListener("close", (event) => {
    socket = null;
    missed = true;
    asked.clear();
    startPolling();
    if (event.code === 4401 || event.code === 4403) return;
    setTimeout(reopen, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  });
}

function reopen() { if (!socket && lively().length) open(); }

function startPolling() {
  poll ??= setInterval(() => {
    if (!lively().length) return stopPolling();
    if (!document.hidden) ringAll(true);
  }, POLL_MS);
}

function stopPolling() {
  clearInterval(poll);
  poll = null;
}

document.addEventListener("htmx:load", subscribe);
// A session that has ended answers with the login page: that is no part of any page.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (new URL(event.detail.xhr.responseURL).pathname.startsWith("/accounts/login/")) event.detail.shouldSwap = false;
});
document.addEventListener("visibilitychange", () => { if (!document.hidden && !socket) ringAll(true); });
document.addEventListener("change", () => setTimeout(release));
document.addEventListener("toggle", () => setTimeout(release), true);
addEventListener("online", () => { if (missed) reopen(); });
subscribe();
