// A passage is drawn step by step: the runs of each piece get their places in the whole text, so that a mark made in any
// of them is a mark of the passage. The step that is marked is lit, and the radio of the vote form says its number.
const pieces = () => document.querySelectorAll("[data-offset]");

/** Give the runs of every piece that the page shows their places; once for each that came. */
export function joinPieces() {
  for (const piece of pieces()) {
    const offset = Number(piece.dataset.offset);
    for (const run of piece.querySelectorAll("[data-at]")) {
      run.dataset.at = Number(run.dataset.at) + offset;
      if (run.dataset.to) run.dataset.to = Number(run.dataset.to) + offset;
    }
  }
}

/** The number of the step that a mark begins in, from 1; what stands between two steps counts to the one before. */
export function stepAt(steps, place) {
  if (!place || !steps.length) return 0;
  return Math.max(1, steps.findLastIndex(([start]) => start <= place.start) + 1);
}

/** Show which step is named: 0 for none. */
export function lightStep(number) {
  for (const piece of pieces()) piece.classList.toggle("is-named", Boolean(number) && piece.dataset.step === String(number));
  for (const input of document.querySelectorAll('input[name="step"]')) input.checked = input.value === String(number);
}

/** What the computer doubts is shown once the reviewer has judged: earlier it would do the judging. */
export function showDoubts() {
  for (const doubt of document.querySelectorAll("[data-doubt]")) doubt.hidden = false;
}
