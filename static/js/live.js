// Live pages: an element with data-live="audit.42 audits" is told when one of its topics changed; it then fetches
// itself again (hx-get="..." hx-trigger="live"). Only topics travel. Without a socket the page asks every few seconds.
//   to the server:   {"subscribe": ["audit.42"]}       from the server: {"topic": "audit.42"}
const POLL_MS = 5000;
const LONGEST_WAIT_MS = 30000;
const topicsOf = (element) => element.dataset.live.split(/\s+/).filter(Boolean);
const lively = () => [...document.querySelectorAll("[data-live]")];
const asked = new Set();
let socket = null;
let wait = 1000;
let poll = null;

function wake(element) { htmx.trigger(element, "live"); }

function ring(topic) {
  for (const element of lively()) if (topicsOf(element).includes(topic)) wake(element);
  document.dispatchEvent(new CustomEvent("trust:live", { detail: { topic } }));
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
  socket.addEventListener("open", () => { wait = 1000; stopPolling(); asked.clear(); subscribe(); });
  socket.addEventListener("message", (event) => {
    try { ring(String(JSON.parse(event.data).topic)); } catch { /* not a message of ours */ }
  });
  socket.addEventListener("close", (event) => {
    socket = null;
    asked.clear();
    startPolling();
    if (event.code === 4401 || event.code === 4403) return;
    setTimeout(() => { if (!socket && lively().length) open(); }, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  });
}

function startPolling() {
  poll ??= setInterval(() => {
    const elements = lively();
    if (!elements.length) return stopPolling();
    if (!document.hidden) elements.forEach(wake);
  }, POLL_MS);
}

function stopPolling() {
  clearInterval(poll);
  poll = null;
}

document.addEventListener("htmx:load", subscribe);
document.addEventListener("visibilitychange", () => { if (!document.hidden && !socket) lively().forEach(wake); });
subscribe();
