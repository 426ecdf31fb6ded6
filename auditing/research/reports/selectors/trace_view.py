"""The trace page: which segments it lists, which one it shows in its source, and the measures beside them.

Works on a Report that was read already; no queries of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from accounts.parameters import read_text
from auditing.core.values import Outcome, Tier
from auditing.research.reports.selectors.lines import SegmentLine
from auditing.research.reports.selectors.report import GIVEN, UNASKED, WHOLE, Report
from auditing.research.reports.selectors.windows import (
    Cell,
    Jump,
    Stretch,
    cut_around,
    jumps_from,
    map_of,
    stretch_around,
)
from hdag.core.complexity import HIGH_FROM, MEDIUM_FROM, Contribution, contributions
from hdag.core.description import describe
from hdag.core.levels import Level
from hdag.core.values import Segment, Source, Trace
from hdag.rendering.calls import CallCard, card_of
from hdag.rendering.phases import Entry, Phase, phases_of

STATES = (*(str(outcome) for outcome in Outcome), "pending", GIVEN, WHOLE, UNASKED)
TITLES = {Source.PROBLEM: "Problem", Source.THINKING: "Thinking", Source.ANSWER: "Answer"}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the list of segments is narrowed to, and which segment is shown; "" means every one."""

    tier: str = ""
    state: str = ""
    level: str = ""
    words: str = ""
    segment: str = ""

    @classmethod
    def read(cls, params: Mapping[str, Any]) -> "Narrowing":
        """From query parameters; a word that is no tier, state or level narrows nothing."""
        allowed = {"tier": list(Tier), "state": STATES, "level": list(Level)}
        asked = {name: read_text(params, name).lower() for name in allowed}
        narrowing = {name: value for name, value in asked.items() if value in allowed[name]}
        # Names of segments are short (ST12); a longer word can name none and is not carried into links.
        return cls(
            **narrowing, words=read_text(params, "words", most=80), segment=read_text(params, "segment", most=12)
        )

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out."""
        return bool(self.tier or self.state or self.level or self.words)

    @property
    def query(self) -> str:
        """The query up to the segment: "?" or "?tier=human&", for links that keep what the list is narrowed to."""
        narrowing = {"tier": self.tier, "state": self.state, "level": self.level, "words": quote(self.words)}
        return "?" + "".join(f"{name}={value}&" for name, value in narrowing.items() if value)

    def lets(self, line: SegmentLine) -> bool:
        """Whether a segment is listed."""
        return (
            self.level in ("", line.value.level)
            and self.state in ("", line.state)
            and (not self.tier or self.tier == line.tier)
            and (not self.words or self.words.casefold() in line.value.content.casefold())
        )


@dataclass(frozen=True, slots=True)
class Pane:
    """One source text, with the place of the shown segment marked where it lies in it."""

    title: str
    text: str
    spans: tuple[tuple[int, int], ...]
    before: int = 0  # characters of it that are not shown
    after: int = 0
    card: CallCard | None = None  # of a tool call


@dataclass(frozen=True, slots=True)
class Shown:
    """The segment that the page shows: its line, its neighbours in reading order, and why it is as complex as it is."""

    line: SegmentLine
    before: str
    after: str
    premises: tuple[SegmentLine, ...]
    consequences: tuple[SegmentLine, ...]
    features: tuple[Contribution, ...]

    @property
    def score(self) -> float:
        """The sum of the contributions."""
        return sum(contribution.points for contribution in self.features)

    @property
    def thresholds(self) -> tuple[float, float]:
        """Where medium and high begin."""
        return MEDIUM_FROM, HIGH_FROM


@dataclass(frozen=True, slots=True)
class TraceView:
    """Everything that the trace page shows beside the outcome."""

    narrowing: Narrowing
    lines: tuple[SegmentLine, ...]
    left_out: frozenset[str]
    shown: Shown | None
    panes: tuple[Pane, ...]
    metrics: Mapping[str, Any]
    stretch: Stretch
    map: tuple[Cell, ...]
    jumps: tuple[Jump, ...]
    phases: tuple[Phase, ...]


def view_of(*, report: Report, narrowing: Narrowing) -> TraceView:
    """The page of a report whose graph is made; without a graph the sources alone."""
    lines = tuple(line for line in report.lines if narrowing.lets(line))
    listed = {line.value.id for line in lines}
    left_out = frozenset(line.value.id for line in report.lines) - listed
    # A link may name a segment that the narrowed list leaves out: it is shown all the same.
    chosen = _shown(report, lines, narrowing.segment)
    panes = tuple(_panes(report.trace, chosen.line.value if chosen else None))
    label = chosen.line.value.id if chosen else ""
    return TraceView(
        narrowing,
        lines,
        left_out,
        chosen,
        panes,
        _metrics(report),
        stretch=stretch_around(lines=lines, label=label),
        map=map_of(lines=report.lines, label=label),
        jumps=jumps_from(lines=report.lines, label=label),
        phases=phases_of(entries=[_entry(line) for line in report.lines], here=label),
    )


def _entry(line: SegmentLine) -> Entry:
    return Entry(line.value.id, str(line.value.level), line.value.summary or line.value.content, line.state)


def _metrics(report: Report) -> Mapping[str, Any]:
    """As stored; graphs made before the measures were stored are measured now."""
    if report.graph is None:
        return {}
    stored: Mapping[str, Any] = report.audit.job.metrics
    return stored if "flow" in stored else describe(graph=report.graph.graph)


def _shown(report: Report, lines: tuple[SegmentLine, ...], wanted: str) -> Shown | None:
    """The wanted segment, else the first that failed, else the first that is audited, of those listed."""
    by_id = report.by_id
    line = by_id.get(wanted)  # also one that the list is narrowed not to show
    if line is None:
        audited = (candidate for candidate in lines if candidate.state not in (GIVEN, WHOLE, UNASKED))
        failed = (candidate for candidate in lines if candidate.state == "fail")
        line = next(failed, None) or next(audited, None) or next(iter(lines), None)
    if line is None:
        return None
    order = [candidate.value.id for candidate in lines]
    # A segment that the list leaves out has no neighbours in it: -1 switches both ways off.
    position = order.index(line.value.id) if line.value.id in order else -1
    return Shown(
        line=line,
        before=order[position - 1] if position > 0 else "",
        after=order[position + 1] if 0 <= position < len(order) - 1 else "",
        premises=tuple(by_id[key] for key in line.premises),
        consequences=tuple(candidate for candidate in report.lines if line.value.id in candidate.premises),
        features=contributions(features=line.value.features),
    )


def _panes(trace: Trace, chosen: Segment | None) -> Iterator[Pane]:
    for source, title in TITLES.items():
        if text := trace.source_text(source):
            yield _pane(title, text, _spans(chosen, source, 0))
    for index, call in enumerate(trace.tool_calls):
        spans = _spans(chosen, Source.TOOL_CALL, index)
        yield Pane(f"Tool call {index + 1}: {call.name}"[:80], call.text, spans, card=card_of(call=call, spans=spans))


def _pane(title: str, text: str, spans: tuple[tuple[int, int], ...]) -> Pane:
    """What is shown of one source: the surroundings of the segment in a long text."""
    start, end = cut_around(text=text, spans=spans)
    return Pane(title, text[start:end], tuple((a - start, b - start) for a, b in spans), start, len(text) - end)


def _spans(chosen: Segment | None, source: Source, index: int) -> tuple[tuple[int, int], ...]:
    # Offsets count within one source: the same numbers in another text are another place.
    if chosen is None or (chosen.source, chosen.source_index) != (source, index):
        return ()
    return ((chosen.start, chosen.end),)
