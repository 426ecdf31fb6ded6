// Between what is selected on the page and where that lies in the source: code points [start, end).
// Runs carry data-at (their first code point); a formula counts as a whole (data-at to data-to). A mark that stands for
// unseen characters counts as what it stands for (data-points, else one).
const points = (text) => [...text].length;
const runsOf = (root) => [...(root.matches("[data-at]") ? [root] : []), ...root.querySelectorAll("[data-at]")];
const standsFor = (mark) => Number(mark.dataset.points ?? 1);

function pointsBefore(run, container, offset) {
  const range = document.createRange();
  range.setStart(run, 0);
  range.setEnd(container, offset);
  const copy = range.cloneContents();
  for (const mark of copy.querySelectorAll(".hidden-char")) mark.textContent = "x".repeat(standsFor(mark));
  return points(copy.textContent);
}

/** What of one run lies in the range, or null. */
function partOf(run, range) {
  const whole = document.createRange();
  whole.selectNodeContents(run);
  if (range.compareBoundaryPoints(Range.END_TO_START, whole) >= 0 || range.compareBoundaryPoints(Range.START_TO_END, whole) <= 0) return null;
  if (run.dataset.to) return { start: Number(run.dataset.at), end: Number(run.dataset.to) };
  const begins = run.contains(range.startContainer) ? [range.startContainer, range.startOffset] : [run, 0];
  const ends = run.contains(range.endContainer) ? [range.endContainer, range.endOffset] : [run, run.childNodes.length];
  const at = Number(run.dataset.at);
  const part = { start: at + pointsBefore(run, ...begins), end: at + pointsBefore(run, ...ends) };
  return part.start < part.end ? part : null;
}

/** The selected place of `root` (rendered text or source), or null when nothing of it is selected. */
export function selectedPlace(root) {
  const selection = document.getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const parts = runsOf(root).filter((run) => range.intersectsNode(run)).map((run) => partOf(run, range)).filter(Boolean);
  if (!parts.length) return null;
  return { start: Math.min(...parts.map((part) => part.start)), end: Math.max(...parts.map((part) => part.end)) };
}

/** The ranges of `root` that show the place, in reading order; whole formulas for what touches them. */
export function rangesOf(root, place) {
  const found = [];
  for (const run of runsOf(root)) {
    if (Number(run.dataset.at) >= place.end) continue;
    if (!run.dataset.to) found.push(...pieces(run, place));
    else if (Number(run.dataset.to) > place.start) {
      const range = document.createRange();
      range.selectNodeContents(run);
      found.push(range);
    }
  }
  return found;
}

function* pieces(run, place) {
  const walker = document.createTreeWalker(run, NodeFilter.SHOW_TEXT);
  let at = Number(run.dataset.at);
  while (walker.nextNode() && at < place.end) {
    const node = walker.currentNode;
    const mark = node.parentElement.closest(".hidden-char");
    const letters = mark ? null : [...node.data];
    const size = mark ? standsFor(mark) : letters.length;
    if (at + size > place.start) {
      const range = document.createRange();
      range.selectNodeContents(node);
      if (letters) {
        range.setStart(node, letters.slice(0, Math.max(0, place.start - at)).join("").length);
        range.setEnd(node, letters.slice(0, Math.min(size, place.end - at)).join("").length);
      }
      yield range;
    }
    at += size;
  }
}
