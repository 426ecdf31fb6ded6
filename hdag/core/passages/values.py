"""The values of a plan: limits, passages, plan seats, and why a passage is asked of nobody."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from hdag.core.levels import Tier
from hdag.core.values import Source


@dataclass(frozen=True, slots=True)
class PassageLimits:
    """Sizes of passages in characters, and the steps that one sealed vote can tell apart (1 to 8)."""

    least: int = 200
    most: int = 900
    most_steps: int = 8
    one_unit_below: int = 1_500


class Why(StrEnum):
    """Why a passage is asked of nobody; the empty one is asked."""

    ASKED = ""
    HEADING = "heading"
    SEPARATOR = "separator"
    PROMPT = "prompt"
    RESTATED_PROBLEM = "restated_problem"
    META = "meta"
    QUESTION = "question"
    DEFINITION = "definition"
    REPEAT = "repeat"
    LEAD_IN = "lead_in"
    FRAGMENT = "fragment"
    BREAKS_OFF = "breaks_off"
    ABANDONED_BRANCH = "abandoned_branch"
    PROVED = "proved"
    PROVED_BEFORE = "proved_before"
    TOOL_RECORD = "tool_record"
    ONE_UNIT = "one_unit"

    @property
    def sentence(self) -> str:
        """What a page says beside an unasked passage."""
        return _SENTENCES[self]


_SENTENCES = {
    Why.ASKED: "",
    Why.HEADING: "A heading claims nothing; it is shown with what stands below it.",
    Why.SEPARATOR: "A separator claims nothing.",
    Why.PROMPT: "A prompt or a mark of the chat format claims nothing.",
    Why.RESTATED_PROBLEM: "It repeats the problem; the goal seat judges how the problem was read.",
    Why.META: "It talks about the work and claims nothing about the problem.",
    Why.QUESTION: "A question claims nothing; what answers it is asked.",
    Why.DEFINITION: "It gives a name to something and claims nothing; what uses the name is asked.",
    Why.REPEAT: "The same words stand earlier in the trace and are asked there.",
    Why.LEAD_IN: "It only announces what follows.",
    Why.FRAGMENT: "Too little to judge alone; it is shown with its neighbours.",
    Why.BREAKS_OFF: "The text breaks off here: what is not finished claims nothing yet.",
    Why.ABANDONED_BRANCH: "The trace gives this branch up; the branch is asked once, as a whole.",
    Why.PROVED: "The computer proved every statement in it.",
    Why.PROVED_BEFORE: "The computer proved the same statement in another place.",
    Why.TOOL_RECORD: "A record of what a tool was asked and returned; the steps that use it are asked.",
    Why.ONE_UNIT: "The trace is short: it is judged on one form with the reasoning.",
}


class Passage(NamedTuple):
    """A run of neighbouring segments as one unit: an exact span of one source, what it holds, and whether it is asked.

    segments are the step-level segments in it, and the containers of which it holds own text. marks are what a failing
    vote can name, numbered from 1, at most eight: groups of segments, nearly always of one. carries names unasked
    passages that the same form shows.
    """

    id: str
    segments: tuple[str, ...]
    source: Source
    start: int
    end: int
    text: str
    why: Why = Why.ASKED
    tier: Tier = Tier.HUMAN
    marks: tuple[tuple[str, ...], ...] = ()
    source_index: int = 0
    carries: tuple[str, ...] = ()

    @property
    def asked(self) -> bool:
        """Whether anybody is asked about it."""
        return self.why is Why.ASKED


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands behind one segment of the passage graph: the fine segments, whether it is asked, and as what.

    kind is "passage", or the PlanKind of a plan seat. text is what the form shows and the seal binds: a passage's exact
    slice, a plan seat's digest. marks are what a failing vote can name (see Passage); plan seats have none.
    """

    kind: str
    members: tuple[str, ...]
    text: str
    why: Why = Why.ASKED
    marks: tuple[tuple[str, ...], ...] = ()
    carries: tuple[str, ...] = ()

    @property
    def asked(self) -> bool:
        """Whether anybody is asked about it."""
        return self.why is Why.ASKED


class PlanKind(StrEnum):
    """What a plan seat asks about."""

    GOAL = "goal"
    STRATEGY = "strategy"
    ANSWER = "answer"

    @property
    def question(self) -> str:
        """What the seat is asked."""
        return _QUESTIONS[self]


_QUESTIONS = {
    PlanKind.GOAL: "Is the problem read as it was asked, and are all its givens used?",
    PlanKind.STRATEGY: "Does this plan, carried out well, answer the problem?",
    PlanKind.ANSWER: "Does the answer follow, and does it answer the question, in its unit and form?",
}


@dataclass(frozen=True, slots=True)
class PlanSeat:
    """A question about the whole trace: at which segment of the passage graph, about which passages, with what to read.

    text is a digest for the form (headings, summaries, conclusions), no span. asks: usually its kind alone; in a trace
    of two passages the answer seat asks about the strategy too.
    """

    id: str
    kind: PlanKind
    segments: tuple[str, ...]
    text: str
    asks: tuple[PlanKind, ...]

    @property
    def question(self) -> str:
        """What the seat is asked."""
        return " ".join(kind.question for kind in self.asks)


@dataclass(frozen=True, slots=True)
class PassagePlan:
    """All passages of a trace in reading order, every non-blank character in one; plan seats (none for one unit)."""

    passages: tuple[Passage, ...]
    plan_seats: tuple[PlanSeat, ...]
    is_one_unit: bool

    @property
    def asked(self) -> tuple[Passage, ...]:
        """The passages that somebody is asked about."""
        return tuple(passage for passage in self.passages if passage.asked)

    def units(self) -> dict[str, Unit]:
        """What is behind each segment of the passage graph, by id: passages, and the plan seats where there are any."""
        seats = {seat.id: seat for seat in self.plan_seats}
        units = {seat.id: Unit(seat.kind.value, seat.segments, seat.text) for seat in self.plan_seats}
        for p in self.passages:
            # A1 is a passage and the answer seat at once: one unit, with its steps to name.
            kind = seats[p.id].kind.value if p.id in seats else "passage"
            units[p.id] = Unit(kind, p.segments, p.text, p.why, p.marks, p.carries)
        return units
