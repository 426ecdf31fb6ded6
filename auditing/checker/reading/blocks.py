"""Blocks: numbered steps that go on over several passages; what is refuted in one also fails the step at its head."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from auditing.checker.findings import Verdict
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "blocks"
_HEAD = re.compile(r"[\s#*_]*step\s*#?\d{1,3}\b", re.IGNORECASE)
_CLOSING = re.compile(
    r"[\s#*_]*(?:(?:final\s+)?(?:solution|answer|conclusion|result)\b\W|"
    r"(?:so|thus|therefore|hence|in conclusion|finally)\b[^.\n]{0,60}\b(?:answer|choice|option)\b|####)",
    re.IGNORECASE,
)


def carried(script: Script, placed: Iterable[Placed]) -> Iterator[Placed]:
    """For each "Step 4: Solving the system:" whose block holds a refuted line, the refutation at the step itself.

    A trace cut at its line breaks has the heading of a numbered step and its lines as passages of their own. The
    step is what its lines say: it cannot be right when one of them is wrong. The first refuted line counts.
    """
    heads = _heads(script.passages)
    starts = [passage.start for passage in script.passages]
    done: set[int] = set()
    for candidate in sorted(placed, key=lambda earlier: earlier.start):
        if not candidate.finding.accuses:
            continue
        # the passage that the finding stands in
        at = bisect_right(starts, candidate.start) - 1
        head = heads.get((candidate.source, at))
        if head is not None and head.start not in done:
            done.add(head.start)
            yield _carried(head, candidate)


def _heads(passages: list[Passage]) -> dict[tuple[object, int], Passage]:
    """Passage -> the head of its block, for passages that are no heads themselves."""
    head_of: dict[tuple[object, int], Passage] = {}
    head: Passage | None = None
    for index, passage in enumerate(passages):
        # the answer is a text of its own: no step of the thinking goes on in it
        if head is not None and passage.source is not head.source:
            head = None
        if _HEAD.match(passage.text):
            head = passage
        # "So the answer is ..." belongs to no step
        elif _CLOSING.match(passage.text):
            head = None
        elif head is not None:
            head_of[passage.source, index] = head
    return head_of


def _carried(head: Passage, refutation: Placed) -> Placed:
    old = refutation.finding.evidence
    sentence = f"This step's own line is false: {old.sentence}"
    details = {**old.details, "line": old.read, "found_by": old.checker, "proof": refutation.finding.proof}
    return place(
        passage=head,
        start=0,
        end=len(head.text),
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="a line of this step is refuted",
        sentence=sentence,
        details=details,
    )
