// An empty desk looks again when a bell rings, at most every five seconds, and never while somebody is at a menu.
import "./countdown.js";
import { tellSealed } from "./sealed-news.js";

let last = Date.now();
document.addEventListener("trust:live", (event) => {
  if (event.detail.topic !== "desk" || document.querySelector("dialog[open], details[open]") || Date.now() - last < 5000) return;
  last = Date.now();
  location.reload();
});
document.getElementById("desk-news").textContent = tellSealed();
