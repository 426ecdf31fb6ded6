// A comment is about what is selected in the text above its form. Without this file the words are copied by hand.
import { selectedPlace } from "./selection.js";

const form = document.querySelector("#comment-form");
const text = document.querySelector("[data-comments]");

function take() {
  const views = [...text.querySelectorAll("[data-trace], [data-trace-source]")];
  const place = views.map(selectedPlace).find(Boolean);
  if (!place) return; // a click into the form ends the selection, not what it chose
  form.elements.start.value = place.start;
  form.elements.end.value = place.end;
  form.elements.words.value = document.getSelection().toString().replaceAll(/\s+/g, " ").trim().slice(0, 1000);
}

if (form && text) {
  document.addEventListener("selectionchange", take);
  // Typed words are looked for by the server: the place that was selected before no longer counts.
  form.elements.words.addEventListener("input", () => {
    form.elements.start.value = "";
    form.elements.end.value = "";
  });
}
