"""The unit of a passage graph as a report shows it: its numbered steps with what is known of each, and where it fails.

No queries: reads rows and opened votes that were read already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditing.checker.findings import Verdict
from auditing.core.values import Choice, Outcome, Tier
from auditing.research.reports.core.localisation import Localisation, localise
from auditing.research.reports.selectors.opened_votes import VoteLine
from hdag.core.passages import Why
from hdag.core.units import UnitStep, find_step
from hdag.models import Segment

SURE = Fraction(1)  # the weight of a vote that states no confidence: a checker's


@dataclass(frozen=True, slots=True)
class StepLine:
    """One numbered step of a passage: the fine segments in it, its text, and what the computer is certain of there."""

    number: int
    labels: tuple[str, ...]
    text: str
    state: str  # "verified", "refuted" or ""
    sentence: str  # of the finding
    share: float  # of the weight of the failing votes that name it

    def as_json(self) -> dict[str, Any]:
        """The step as data."""
        return {
            "number": self.number,
            "segments": list(self.labels),
            "text": self.text,
            "computer": self.state or None,
            "named_by": round(self.share, 4),
        }


@dataclass(frozen=True, slots=True)
class UnitLine:
    """What is judged at a segment of a passage graph."""

    kind: str
    unasked: str  # why nobody is asked, as a code
    steps: tuple[StepLine, ...]
    localisation: Localisation | None

    @property
    def why_unasked(self) -> str:
        """Why nobody is asked, in a sentence."""
        return Why(self.unasked).sentence if self.unasked else ""

    @property
    def failing_step(self) -> StepLine | None:
        """The step that the failing votes name."""
        return self.steps[self.localisation.step - 1] if self.localisation is not None else None

    @property
    def numbering(self) -> str:
        """Which fine segments the numbered steps are, runs in one: "1 to 3 = ST4 to ST6; 4 = ST8, ST9"."""
        runs: list[list[StepLine]] = []
        for step in self.steps:
            if runs and step.labels == (_label_after(runs[-1][-1]),):
                runs[-1].append(step)
            else:
                runs.append([step])
        return "; ".join(_run_in_words(run) for run in runs)

    def as_json(self) -> dict[str, Any]:
        """The unit as data."""
        return {
            "kind": self.kind,
            "unasked": self.unasked or None,
            "steps": [step.as_json() for step in self.steps],
            "fails_at": None
            if self.localisation is None
            else {
                "step": self.localisation.step,
                "share": round(float(self.localisation.share), 4),
                "votes": self.localisation.votes,
            },
        }


def _label_after(step: StepLine) -> str:
    """The label that follows a step of one segment: ST5 after ST4; nothing follows a step of several."""
    prefix = step.labels[0].rstrip("0123456789") if len(step.labels) == 1 else ""
    number = step.labels[0].removeprefix(prefix) if prefix else ""
    return f"{prefix}{int(number) + 1}" if number else ""


def _run_in_words(run: Sequence[StepLine]) -> str:
    first, last = run[0], run[-1]
    if len(run) < 3:
        return "; ".join(f"{step.number} = {', '.join(step.labels)}" for step in run)
    return f"{first.number} to {last.number} = {first.labels[0]} to {last.labels[0]}"


def find_unit(*, row: Segment, own: str, votes: Sequence[VoteLine], outcome: str) -> UnitLine | None:
    """The unit at a segment; None in a fine graph. own: the text that was judged. votes: those opened so far."""
    if not row.unit:
        return None
    numbered = row.numbered
    failing = [vote for vote in votes if vote.choice == Choice.FAIL]
    weights: list[tuple[int | None, Fraction]] = []
    for vote in failing:
        at = mark_of(vote=vote)
        weight = SURE if vote.confidence is None else Fraction(str(vote.confidence))
        weights.append((None if at is None else find_step(steps=numbered, start=at), weight))
    total = sum((weight for _, weight in weights), Fraction(0))
    shares = {
        number: float(sum((weight for step, weight in weights if step == number), Fraction(0)) / total)
        for number in range(1, len(numbered) + 1)
        if total
    }
    # Only a failed unit has a wrong step; of one that passed a lonely fail says where its author looked.
    localisation = localise(named=weights) if outcome == Outcome.FAIL else None
    computer = next((vote for vote in votes if vote.tier == Tier.COMPUTER), None)
    steps = [
        StepLine(
            number,
            step.labels,
            own[step.start : step.end],
            *_certain(numbered, number, computer),
            shares.get(number, 0.0),
        )
        for number, step in enumerate(numbered, 1)
    ]
    return UnitLine(row.unit, row.unasked, tuple(steps), localisation)


def mark_of(*, vote: VoteLine) -> int | None:
    """Where the mark of a vote begins in the text that was judged: a checker's is the place of its accusation."""
    if vote.tier != Tier.COMPUTER:
        return vote.rationale.start
    accusing = [finding for finding in vote.rationale.evidence if finding.accuses]
    return accusing[0].evidence.start if accusing else None


def _certain(numbered: Sequence[UnitStep], number: int, computer: VoteLine | None) -> tuple[str, str]:
    """(state, sentence) of one step: a certain refutation before a verification."""
    if computer is None:
        return "", ""
    findings = computer.rationale.evidence
    here = [finding for finding in findings if find_step(steps=numbered, start=finding.evidence.start) == number]
    # a doubt refutes no step
    told = [finding for finding in here if finding.accuses]
    # What was verified in words between the steps, which no vote can name, says nothing of the step before them.
    own = range(numbered[number - 1].start, numbered[number - 1].end)
    told += [finding for finding in here if finding.verdict is Verdict.VERIFIED and finding.evidence.start in own]
    return (str(told[0].verdict), told[0].evidence.sentence) if told else ("", "")
