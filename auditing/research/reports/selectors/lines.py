"""One segment as a report shows it: its state, who is or was asked, the votes, what decided, and the same as JSON."""

from dataclasses import dataclass
from typing import Any

from auditing.core.stages import RoundStage
from auditing.core.values import Choice, Outcome, Tier
from auditing.models import Round, Route, SegmentOutcome
from auditing.research.reports.selectors.opened_votes import VoteLine, shared_family
from auditing.research.reports.selectors.units import UnitLine
from auditing.selectors.soundness import ClaimLine
from hdag.core.values import Segment
from hdag.models import Segment as SegmentRow


@dataclass(frozen=True, slots=True)
class SegmentLine:
    """One segment with its state and everything that led to it."""

    row: SegmentRow
    value: Segment
    state: str  # an outcome, "pending", "given", "parts" or "unasked"
    premises: tuple[str, ...]
    children: tuple[str, ...]
    route: Route | None
    rounds: tuple[Round, ...]
    votes: tuple[VoteLine, ...]
    outcome: SegmentOutcome | None
    soundness: ClaimLine | None = None  # under one entailment model; decides no segment
    unit: UnitLine | None = None  # of a passage graph: what is judged here
    fails_as: str = ""  # it passed, and its very words fail at this segment: pages never show both marks

    @property
    def one_family(self) -> str:
        """The family that all its models' votes come from, where there are several; they never count as independent."""
        return shared_family(self.votes)

    @property
    def where(self) -> str:
        """Its name, with the step that the failing votes name: "P3, step 2 (ST7)"."""
        step = self.unit.failing_step if self.unit else None
        return self.value.id if step is None else f"{self.value.id}, step {step.number} ({', '.join(step.labels)})"

    @property
    def decided_by(self) -> str:
        """The tier of the deciding round, in words."""
        if self.outcome is None or self.outcome.round is None:
            return ""
        return "adjudicator" if self.outcome.round.adjudicates else self.outcome.round.tier

    @property
    def tier(self) -> str:
        """The tier that decided, else the one that is asked now, else the one that comes first."""
        if self.outcome is not None and self.outcome.round is not None:
            return self.outcome.round.tier
        # At most one round of a segment is open at a time.
        open_round = next((round for round in self.rounds if round.stage != RoundStage.TALLIED), None)
        if open_round is not None:
            return open_round.tier
        return self.route.primary if self.route is not None else ""

    @property
    def computer(self) -> "VoteLine | None":
        """What the checkers said, once their round is tallied."""
        return next((vote for vote in self.votes if vote.tier == Tier.COMPUTER), None)

    @property
    def is_refuted(self) -> bool:
        """Whether it fails by a certain finding of the computer tier."""
        return self.state == Outcome.FAIL and self.computer is not None and self.computer.choice == Choice.FAIL

    @property
    def because(self) -> str:
        """The first reason given by those who voted as the outcome is."""
        for vote in self.votes:
            # A dissenter's reason would argue against the outcome that it stands beside.
            if self.outcome is not None and vote.choice == self.outcome.outcome:
                if vote.rationale.reason:
                    return vote.rationale.reason
                for finding in vote.rationale.evidence:
                    return finding.evidence.sentence
                if vote.rationale.is_propagated:
                    return "it follows, but from an earlier step that is wrong."
                if vote.rationale.error_type is not None:
                    return f"auditors found an error of this kind: {vote.rationale.error_words}."
        return ""


def segment_json(line: SegmentLine) -> dict[str, Any]:
    """The line as report.json has it."""
    value = line.value
    return {
        "id": value.id,
        "level": str(value.level),
        "content": value.content,
        "source": str(value.source),
        "start": value.start,
        "end": value.end,
        "step": value.step,
        "complexity": str(value.complexity),
        "state": line.state,
        "decided_by": line.decided_by,
        "posterior": line.outcome.posterior if line.outcome else None,
        **({"unit": line.unit.as_json()} if line.unit else {}),
        "soundness": line.soundness.as_json() if line.soundness else None,
        "why_tier": line.route.why if line.route else "",
        "tiers_by": ("model" if line.route.by_model else "rules") if line.route else "",
        "premises": list(line.premises),
        "children": list(line.children),
        "votes": [
            {
                "auditor": vote.auditor,
                "tier": vote.tier,
                "choice": vote.choice,
                "confidence": vote.confidence,
                "reason": vote.rationale.reason,
                "error_type": vote.rationale.error_type,
                "evidence": [finding.evidence.sentence for finding in vote.rationale.evidence],
                "simulated": vote.is_simulated,
            }
            for vote in line.votes
        ],
    }
