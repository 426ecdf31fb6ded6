// Where in the source a selection lies: code points [start, end) within an element with data-trace, or null.
// Runs carry data-at (their first code point); a formula counts as a whole (data-at to data-to).
const points = (text) => [...text].length;

function place(node, offset, atEnd) {
  const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const formula = element.closest("[data-to]");
  if (formula) return Number(atEnd ? formula.dataset.to : formula.dataset.at);
  const run = element.closest("[data-at]");
  if (!run) return null;
  const range = document.createRange();
  range.setStart(run, 0);
  range.setEnd(node, offset);
  const copy = range.cloneContents();
  for (const mark of copy.querySelectorAll(".hidden-char")) mark.textContent = "x";
  return Number(run.dataset.at) + points(copy.textContent);
}

/** The selected place of `root` (an element with data-trace), or null when nothing of it is selected. */
export function selectedPlace(root) {
  const selection = document.getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.commonAncestorContainer)) return null;
  const start = place(range.startContainer, range.startOffset, false);
  const end = place(range.endContainer, range.endOffset, true);
  return start === null || end === null || start >= end ? null : { start, end };
}
