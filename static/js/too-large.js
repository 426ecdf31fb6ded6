// What is larger than the server takes is refused here, before it is sent: the form keeps its text, the page its file.
const alert = document.getElementById("too-large");
const inMegabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** Bytes of a form's texts on the wire; a file has its own limit. */
function sizeOf(form) {
  const texts = [...new FormData(form)].filter(([, value]) => typeof value === "string");
  return new URLSearchParams(texts).toString().length;
}

function say(what, size, most) {
  alert.textContent = `${what} ${inMegabytes(size)}; at most ${inMegabytes(most)} can be sent at once. ${alert.dataset.way}`;
}

/** Words for the chosen file where it is too large; without one they go away. */
function lookAt(input) {
  const file = input.files[0];
  alert.textContent = "";
  if (file && file.size > Number(input.dataset.mostBytes)) say("This file has", file.size, Number(input.dataset.mostBytes));
  return alert.textContent === "";
}

const form = alert.closest("form");
const input = form.querySelector("input[type=file][data-most-bytes]");
input?.addEventListener("change", () => lookAt(input));
// Captured: htmx, which listens at the form and at its buttons, must not send what is refused here.
form.addEventListener("submit", (event) => refuse(event), true);
form.addEventListener("htmx:beforeRequest", (event) => refuse(event), true);

function refuse(event) {
  const size = sizeOf(form);
  const most = Number(form.dataset.mostBytes);
  if (form.dataset.mostBytes) alert.textContent = "";
  if (form.dataset.mostBytes && size > most) say("This form holds", size, most);
  if (input) lookAt(input);
  if (alert.textContent === "") return;
  event.preventDefault();
  event.stopPropagation();
  alert.focus();
}
