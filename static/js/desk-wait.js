// An empty desk asks again by itself (the fragment polls, and a bell wakes it). A segment that came is announced in the
// tab's title as well, and opened by a key or a click: a lease never begins while nobody looks.
import "./countdown.js";
import { tellSealed } from "./sealed-news.js";
import { tidy } from "./tidy.js";

export async function wait() {
  const title = document.title;
  document.addEventListener("htmx:load", () => {
    document.title = document.querySelector("[data-work]") ? `(1) ${title}` : title;
  });
  const news = document.getElementById("desk-news");
  news.textContent = tellSealed();
  await tidy(news.dataset.person).catch(() => null); // another time, then
}
