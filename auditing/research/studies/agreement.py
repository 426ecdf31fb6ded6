"""Study `agreement`: how far the medical annotators of usmle_gpt4_errors agree, per class of error, with intervals."""

from auditing.core.values import Choice
from auditing.research.agreement.core import Coefficient, Estimate, compare_pairs, estimate_agreement, tabulate_votes
from auditing.research.studies.instruments.public_votes import ImportedVote, votes_of
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study

COLUMNS = (
    "class",
    "items",
    "votes",
    "AC1",
    "low",
    "high",
    "Fleiss kappa",
    "low",
    "high",
    "alpha nominal",
    "low",
    "high",
)
SHOWN = (Coefficient.GWET_AC1, Coefficient.FLEISS_KAPPA, Coefficient.ALPHA_NOMINAL)
# Below these, a coefficient or a pair is reported as undefined with its reason.
MINIMUM_ITEMS = 10
MINIMUM_SHARED = 5


def marks_of(*, votes: list[ImportedVote], name: str) -> list[tuple[str, str, str]]:
    """(item, auditor, marked or not) for one class of error; empty sheets say nothing."""
    # An empty sheet is no statement that an error is absent.
    cast = [vote for vote in votes if vote.choice is not Choice.ABSTAIN]
    return [(vote.item, vote.auditor, "marked" if name in vote.classes else "not marked") for vote in cast]


def _row(name: str, triples: list[tuple[str, str, str]], categories: list[str], run: Run) -> list[Cell]:
    counts = tabulate_votes(votes=triples, categories=categories).counts()
    # Bootstrap resamples over items.
    resamples = 1000 if run.full else 200
    by_coefficient = estimate_agreement(counts=counts, rng=run.rng(), resamples=resamples, minimum_items=MINIMUM_ITEMS)
    estimates: list[Estimate] = [by_coefficient[coefficient] for coefficient in SHOWN]
    return [name, estimates[0].items, estimates[0].votes, *[c for e in estimates for c in (e.value, e.low, e.high)]]


@study("agreement", "Agreement of medical annotators", reads="votes")
def run_agreement(run: Run) -> Report:
    """One row for pass or fail, one for each class of error, and the pairs of annotators."""
    votes = votes_of(run=run)
    triples = [(vote.item, vote.auditor, vote.choice.value) for vote in votes]
    rows = [_row("pass or fail", triples, ["fail", "pass"], run)]
    classes = sorted({error_class for vote in votes for error_class in vote.classes})
    for number, error_class in enumerate(classes):
        run.say(error_class, number / len(classes))
        marks = marks_of(votes=votes, name=error_class)
        rows.append(run.piece(key=error_class, make=lambda: _row(error_class, marks, ["not marked", "marked"], run)))  # noqa: B023
    matrix = compare_pairs(
        table=tabulate_votes(votes=triples, categories=["fail", "pass"]), minimum_shared=MINIMUM_SHARED
    )
    pairs: list[list[Cell]] = []
    for a, first in enumerate(matrix.auditors):
        for second in matrix.auditors[a + 1 :]:
            pair = matrix.pair(first=first, second=second)
            if pair.agreement is not None:
                label = f"{str(first)[:6]} and {str(second)[:6]}"
                pairs.append([label, pair.shared, pair.agreement, pair.kappa, pair.sentence])
    tables = [
        Table("Imported votes, items with two votes or more", COLUMNS, rows),
        Table(
            f"Pairs with at least {MINIMUM_SHARED} shared items",
            ("annotators", "shared", "raw agreement", "kappa", "why undefined"),
            pairs,
        ),
    ]
    return Report("Agreement", tables, ["Cast elsewhere: imported, never sealed, never paid."])
