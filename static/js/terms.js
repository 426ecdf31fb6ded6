// The meaning of a word: shown by hover and focus (CSS alone does that), put away by Escape, kept inside the window.
const MARGIN = 8;

function place(term) {
  const tip = term?.querySelector(".term-tip");
  if (!tip) return;
  tip.style.insetInlineStart = "0";
  const { left, right } = tip.getBoundingClientRect();
  const over = right - (document.documentElement.clientWidth - MARGIN);
  if (over > 0) tip.style.insetInlineStart = `${-Math.min(over, left - MARGIN)}px`;
}

const termOf = (event) => (event.target instanceof Element ? event.target.closest(".term") : null);
for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => place(termOf(event)));
for (const kind of ["pointerout", "focusout"]) {
  document.addEventListener(kind, (event) => {
    const term = termOf(event);
    if (term && !term.contains(event.relatedTarget)) term.classList.remove("is-away");
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const term of document.querySelectorAll(".term:hover, .term:focus-within")) term.classList.add("is-away");
});
