"""How good votes are where truth is known (gold), and against consensus where it is not: counts by PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, F
from numpy.typing import NDArray

from auditing.core.consensus.calibration import Bin, Confusion, brier, calibration_bins, confusion_by
from auditing.core.values import Choice, Outcome
from auditing.models import GoldAnswer
from auditing.research.agreement.selectors.counts import our_votes
from auditing.research.exports.selectors.scope import Scope
from auditing.selectors.gold.truths import on_gold, standing_outcome

GOLD, CONSENSUS = "gold", "consensus"
_SAID = {Choice.PASS: Outcome.PASS, Choice.FAIL: Outcome.FAIL, Choice.ABSTAIN: Outcome.UNDECIDED}


@dataclass(frozen=True, slots=True)
class Cell:
    """So many votes of one group that said `choice` with `confidence` where the truth was `valid`."""

    group: str
    choice: str
    confidence: float | None
    valid: bool
    count: int


@dataclass(frozen=True, slots=True)
class Quality:
    """Calibration and confusion; brier is None without a vote that names a confidence."""

    votes: int
    brier: float | None
    bins: Sequence[Bin]
    confusion: dict[str, Confusion]


def quality_of(*, scope: Scope, truth: str) -> Quality:
    """Votes against gold or against consensus, by domain."""
    cells = _against_gold(scope) if truth == GOLD else _against_consensus(scope)
    stated = [cell for cell in cells if cell.confidence is not None and cell.choice != Choice.ABSTAIN]
    # The database counts equal votes together; Brier and calibration weigh each of them.
    posterior = _spread([_posterior(cell) for cell in stated], stated)
    valid = _spread([float(cell.valid) for cell in stated], stated)
    rows = [(cell.group, _SAID[Choice(cell.choice)], cell.valid) for cell in cells for _ in range(cell.count)]
    return Quality(
        votes=len(rows),
        brier=brier(posterior=posterior, truth=valid) if len(posterior) else None,
        bins=calibration_bins(posterior=posterior, truth=valid) if len(posterior) else (),
        confusion={
            str(name): counts for name, counts in sorted(confusion_by(rows=rows).items(), key=lambda x: str(x[0]))
        },
    )


def _posterior(cell: Cell) -> float:
    """P(right segment) as the vote states it."""
    assert cell.confidence is not None
    return cell.confidence if cell.choice == Choice.PASS else 1 - cell.confidence


def _spread(values: list[float], cells: list[Cell]) -> NDArray[np.float64]:
    return np.repeat(np.array(values, dtype=np.float64), [cell.count for cell in cells])


def _against_gold(scope: Scope) -> list[Cell]:
    answers = GoldAnswer.objects.filter(gold__is_overturned=False)
    answers = answers.filter(gold__domain=scope.filters.domain) if scope.filters.domain else answers
    rows = answers.values_list("gold__domain", "choice", "confidence", "gold__truth").annotate(n=Count("pk"))
    # Gold is answered in two places: in qualification tests, and as segments hidden in live rounds.
    live = our_votes(scope=scope).filter(on_gold())
    columns = ("seat__round__audit__trace__domain", "choice", "confidence", "seat__round__segment__gold_truth__truth")
    return [
        # Confidence is stored in basis points: 8500 is .85.
        Cell(group, choice, None if confidence is None else confidence / 10_000, truth == Choice.PASS, count)
        for group, choice, confidence, truth, count in (*rows, *live.values_list(*columns).annotate(n=Count("pk")))
    ]


def _against_consensus(scope: Scope) -> list[Cell]:
    # Several rounds, and audits after appeals, may judge one segment: the outcome that stands in the end counts.
    final = standing_outcome(audit="seat__round__audit", segment="seat__round__segment")
    votes = our_votes(scope=scope).annotate(final=final)
    votes = votes.filter(final__in=[Outcome.PASS, Outcome.FAIL]).annotate(domain=F("seat__round__audit__trace__domain"))
    rows = votes.values_list("domain", "choice", "confidence", "final").annotate(n=Count("pk"))
    return [
        Cell(group, choice, None if confidence is None else confidence / 10_000, outcome == Outcome.PASS, count)
        for group, choice, confidence, outcome, count in rows
    ]
