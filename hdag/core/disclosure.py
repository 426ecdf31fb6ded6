"""The disclosure budget: how much of a trace one auditor has seen, and how the panes shrink to keep within it.

Characters are those of the trace outside its problem. Spans count once however often they are shown; a summary is no
span of the text, so each segment's summary counts by its length.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from itertools import groupby

from hdag.core.own_text import own_pieces
from hdag.core.units import Stretch
from hdag.core.values import Segment, Source, Trace

LONGEST_CONCLUSION = 300
_NAMED = re.compile(r"^[PA]\d{1,6}: ")
_ENDS = (". ", ".\n", "! ", "? ", "\n")


class Degree(StrEnum):
    """How much stands around the current reasoning, from everything to nothing: panes shrink in this order."""

    FULL = "full"
    SUMMARIES = "summaries"  # implications by their summaries
    PREMISES = "premises"  # dependencies whole, implications not at all
    CONCLUSIONS = "conclusions"  # and dependencies by their stated conclusions
    ALONE = "alone"  # the current reasoning alone


@dataclass(frozen=True, slots=True, order=True)
class DisclosedSpan:
    """Characters [start, end) of one text of the trace; `text` names it: "thinking", "answer", "tool_call:2"."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Disclosed:
    """What an auditor has seen of one trace: spans, and summaries by segment with their lengths."""

    spans: tuple[DisclosedSpan, ...] = ()
    summaries: Mapping[str, int] = field(default_factory=dict)

    def __or__(self, more: "Disclosed") -> "Disclosed":
        """Both together; what overlaps counts once."""
        return Disclosed(joined((*self.spans, *more.spans)), {**self.summaries, **more.summaries})

    @property
    def characters(self) -> int:
        """Length of the union of the spans, plus the summaries.

        >>> Disclosed((DisclosedSpan("thinking", 0, 5), DisclosedSpan("thinking", 3, 8)), {"ST1": 2}).characters
        10
        """
        return sum(span.end - span.start for span in joined(self.spans)) + sum(self.summaries.values())


def joined(spans: Iterable[DisclosedSpan]) -> tuple[DisclosedSpan, ...]:
    """The same characters as disjoint spans, in order."""
    merged: list[DisclosedSpan] = []
    # Sorted spans of one text stand together by start, so one comparison with the last merged span is enough.
    for text, group in groupby(sorted(spans), key=lambda span: span.text):
        for span in group:
            if merged and merged[-1].text == text and span.start <= merged[-1].end:
                merged[-1] = DisclosedSpan(text, merged[-1].start, max(merged[-1].end, span.end))
            elif span.end > span.start:
                merged.append(span)
    return tuple(merged)


def outside_problem(*, trace: Trace) -> int:
    """Characters of a trace that count: thinking, answer and tool calls."""
    return len(trace.thinking) + len(trace.answer) + sum(len(call.text) for call in trace.tool_calls)


def budget(*, characters: int, share: Decimal, least: int = 0) -> int:
    """Characters that one auditor may see at most: floor(share * characters), but never fewer than `least`.

    least: the length up to which a trace may be read whole. So a longer trace never shows less than a shorter one.

    >>> budget(characters=1001, share=Decimal("0.3")), budget(characters=1001, share=Decimal("0.3"), least=600)
    (300, 600)
    """
    return max(int(share * characters), least)


def current_alone(*, segment: Segment, children: Sequence[Segment]) -> Disclosed:
    """What the current reasoning of `segment` discloses: its own characters and its children's summaries."""
    pieces = own_pieces(segment=segment, children=children)
    spans = tuple(_span(segment, start, end) for start, end, _ in pieces)
    return Disclosed(joined(spans), {child.id: len(child.summary) for _, _, child in pieces if child is not None})


def views(
    *,
    current: Disclosed,
    dependencies: Sequence[Segment],
    implications: Sequence[Segment],
    takes: Sequence[Stretch] = (),
) -> dict[Degree, Disclosed]:
    """What each degree discloses, from the fullest to the current reasoning alone.

    takes: what of its dependencies a unit takes; the degree of conclusions shows that too.
    """
    # The problem is public to every auditor, so dependencies that lie in it cost nothing (_audited).
    taken = reserved(current=Disclosed(), dependencies=dependencies)
    stated = reserved(current=Disclosed(), dependencies=dependencies, takes=takes)
    after = Disclosed(joined(_span(implication, implication.start, implication.end) for implication in implications))
    short = Disclosed((), {implication.id: len(implication.summary) for implication in implications})
    return {
        Degree.FULL: current | taken | after,
        Degree.SUMMARIES: current | taken | short,
        Degree.PREMISES: current | taken,
        Degree.CONCLUSIONS: current | stated | short,
        Degree.ALONE: current,
    }


def whole(*, segment: Segment) -> Disclosed:
    """What the whole text of a segment discloses; nothing for the problem, which everybody reads."""
    return Disclosed(tuple(_span(span, span.start, span.end) for span in _audited([segment])))


def reserved(
    *, current: Disclosed, dependencies: Sequence[Segment], takes: Sequence[Stretch] | None = None
) -> Disclosed:
    """What a seat on a unit needs: the unit, and of each dependency its conclusion and the steps that the unit takes.

    takes: None where nobody wrote down what is taken; then the dependencies are needed whole.
    """
    if takes is None:
        return current | Disclosed(joined(_span(needed, needed.start, needed.end) for needed in _audited(dependencies)))
    spans = [conclusion_span(segment=dependency) for dependency in _audited(dependencies)]
    for dependency in _audited(dependencies):
        spans += map(span_of, _taken_of(dependency, takes))
    return current | Disclosed(joined(spans))


def shown_of(*, segment: Segment, takes: Sequence[Stretch]) -> str:
    """The text of a dependency that the degree of conclusions shows: what is taken of it, and its conclusion.

    >>> from hdag.core.levels import Level
    >>> segment = Segment("P1", Level.STEP, "Let v = 3. We add. So x = 2.", Source.THINKING, 10, 38)
    >>> shown_of(segment=segment, takes=[Stretch(Source.THINKING, 0, 10, 20)])
    'Let v = 3. … So x = 2.'
    """
    spans = joined([conclusion_span(segment=segment), *map(span_of, _taken_of(segment, takes))])
    return " … ".join(segment.content[span.start - segment.start : span.end - segment.start] for span in spans)


def _taken_of(segment: Segment, takes: Iterable[Stretch]) -> list[Stretch]:
    """Those of `takes` that lie in a segment."""
    return [
        taken
        for taken in takes
        if (taken.source, taken.source_index) == (segment.source, segment.source_index)
        and segment.start <= taken.start
        and taken.end <= segment.end
    ]


def digest(*, label: str, text: str, trace: Trace) -> Disclosed:
    """What the digest that a plan seat reads discloses: its lines where they stand in the trace, the rest by length.

    So whoever has read a passage pays nothing for its conclusion in a digest. Lines as "P3: So x = 2."
    """
    spans, unplaced = [], 0
    for line in text.split("\n"):
        bare = _NAMED.sub("", line).strip().rstrip("…")
        standing = _standing(bare, trace)
        if standing is not None:
            spans.append(span_of(standing))
        else:
            unplaced += len(bare)
    return Disclosed(joined(spans), {f"plan {label}": unplaced} if unplaced else {})


def _standing(line: str, trace: Trace) -> Stretch | None:
    """Where a line of a digest stands in the trace; its blanks may be line breaks there."""
    words = [re.escape(word) for word in line.split()]
    if not words:
        return None
    pattern = re.compile(r"\s+".join(words))
    for source, text in ((Source.THINKING, trace.thinking), (Source.ANSWER, trace.answer)):
        match = pattern.search(text)
        if match:
            return Stretch(source, 0, match.start(), match.end())
    return None


def choose_degree(*, seen: Disclosed, views: Mapping[Degree, Disclosed], budget: int) -> Degree | None:
    """The fullest degree that keeps `seen` and the view together within `budget`; None when not even ALONE does."""
    # Degree is declared from the fullest to the barest: the first that fits is the best.
    return next((degree for degree in Degree if (seen | views[degree]).characters <= budget), None)


def conclusion_span(*, segment: Segment) -> DisclosedSpan:
    """The last sentence of a segment, at most its last 300 characters: what it states."""
    text = segment.content.rstrip()
    # No sentence end before `floor` is looked for, so a text without any gives its last 300 characters.
    floor = max(0, len(text) - LONGEST_CONCLUSION)
    # The last character is left out of the search, or the end of the last sentence would be found behind itself.
    before_last = max(floor, len(text) - 1)
    cut = floor
    for end in _ENDS:
        at = text.rfind(end, floor, before_last)
        if at >= 0:
            cut = max(cut, at + len(end))
    return _span(segment, segment.start + cut, segment.start + len(text))


def conclusion(*, segment: Segment) -> str:
    """The text of conclusion_span.

    >>> from hdag.core.levels import Level
    >>> conclusion(segment=Segment("ST1", Level.STEP, "We add. So x = 2.", Source.THINKING, 10, 27))
    'So x = 2.'
    """
    span = conclusion_span(segment=segment)
    return segment.content[span.start - segment.start : span.end - segment.start]


def are_neighbours(
    *, left_spans: Sequence[DisclosedSpan], right_spans: Sequence[DisclosedSpan], text: str, name: str
) -> bool:
    """Whether nothing telling (letter or digit) of the text `name` lies between two sets of spans."""
    for left in left_spans:
        for right in right_spans:
            if left.text == right.text == name:
                # What lies between them: for overlapping spans the slice is empty, and they are neighbours.
                low, high = sorted((left, right))
                if not any(character.isalnum() for character in text[low.end : high.start]):
                    return True
    return False


def _audited(segments: Sequence[Segment]) -> list[Segment]:
    return [segment for segment in segments if segment.source is not Source.PROBLEM]


def span_of(stretch: Stretch) -> DisclosedSpan:
    """A stretch of the trace's texts as a disclosed span."""
    name = stretch.source.value
    is_call = stretch.source is Source.TOOL_CALL
    return DisclosedSpan(f"{name}:{stretch.source_index}" if is_call else name, stretch.start, stretch.end)


def _span(segment: Segment, start: int, end: int) -> DisclosedSpan:
    return span_of(Stretch(segment.source, segment.source_index, start, end))
