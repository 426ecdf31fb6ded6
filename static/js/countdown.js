// <time data-countdown datetime="...">: "in 3 h 12 min", told again twice a minute; the exact time is its title.
// What counts is the server's clock: data-now says what it was when the page was made, however wrong this machine's is.
const [visit] = performance.getEntriesByType("navigation");
const made = Date.parse(document.documentElement.dataset.now);
const ahead = visit && made ? performance.timeOrigin + visit.responseStart - made : 0;
export const serverNow = () => Date.now() - ahead;

export function words(ms) {
  const minutes = Math.floor(ms / 60000);
  if (ms <= 0) return "now";
  if (minutes < 1) return "in less than a minute";
  const parts = [[Math.floor(minutes / 1440), "d"], [Math.floor(minutes / 60) % 24, "h"], [minutes % 60, "min"]];
  return `in ${parts.filter(([count]) => count).slice(0, 2).map(([count, unit]) => `${count} ${unit}`).join(" ")}`;
}

function show() {
  for (const time of document.querySelectorAll("[data-countdown]")) {
    time.title ||= time.textContent;
    time.textContent = words(new Date(time.dateTime) - serverNow());
  }
}

show();
document.addEventListener("htmx:load", show);
setInterval(show, 30000);
