"""Study `bias`: does a family of models favour its own traces, and how much is a second vote of one family worth?

Reads the votes in a JSON file (option votes: rows of judge, author, passed, segment, correct) or, one row a line, in
one's own file (--file); without one, simulates families with a known bias and correlation and shows that the
estimates find them.
"""

import json
from pathlib import Path

from auditing.core.model_tier.families import Judgement, correlation_within, effective_votes, family_bias
from auditing.research.studies.instruments.labelled import DataMissingError, Record
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study

PLANTED = {"family a": 0.15, "family b": 0.0, "family c": -0.05}
SHARED = 0.4  # chance that two votes of a family on one segment share one random draw


def simulate(*, run: Run, segments: int) -> list[Judgement]:
    """Votes on segments that are right four times in five; a family approves of its own wrong ones more often."""
    rng = run.rng()
    votes = []
    families = list(PLANTED)
    for segment in range(segments):
        author, sound = families[segment % len(families)], bool(rng.random() < 0.8)
        for judge in families:
            shared_draw = rng.random()
            # Two votes of a family on a segment: with probability SHARED they rest on the same draw.
            for _ in range(2):
                draw = shared_draw if rng.random() < SHARED else rng.random()
                # P(pass): 85 % of right and 25 % of wrong segments, shifted for the family's own traces.
                chance = (0.85 if sound else 0.25) + (PLANTED[judge] if judge == author else 0.0)
                passed = bool(draw < chance)
                votes.append(Judgement(judge, author, passed, f"{judge} {segment}", passed == sound))
    return votes


@study("bias", "Self-favouritism and correlation of model families", reads="judgements", options=("votes",))
def run_bias(run: Run) -> Report:
    """Bias of every family with its standard error; correlation within a family and what it makes of several votes."""
    votes_file = run.file.name if run.file else run.options.get("votes")
    votes = _votes(run)
    rows: list[list[Cell]] = []
    for estimate in family_bias(judgements=votes):
        # Real votes have no planted bias to compare with.
        planted = None if votes_file else PLANTED[estimate.family]
        rows.append(
            [
                estimate.family,
                estimate.own,
                estimate.others,
                estimate.bias,
                estimate.error,
                estimate.own_count,
                estimate.others_count,
                planted,
            ]
        )
    within: list[list[Cell]] = []
    for family in sorted({vote.judge for vote in votes}):
        # Of errors, between two votes of a family on one segment.
        rho = correlation_within(judgements=[vote for vote in votes if vote.judge == family])
        worth = None if rho is None else effective_votes(votes=3, correlation=rho)
        within.append([family, rho, worth])
    columns = ("family", "approves own", "approves others", "bias", "standard error", "own", "others", "planted")
    tables = [
        Table("Approval of own and of others' traces", columns, rows),
        Table("Votes of one family", ("family", "correlation of errors", "three votes count as"), within),
    ]
    notes = [f"Votes from {votes_file}."] if votes_file else []
    simulated = "" if votes_file else "families of models with planted biases; no file was named with the option votes."
    # The study passes when each estimate lies within three standard errors of what was planted.
    within_errors = [
        abs(float(str(row[3])) - float(str(row[7]))) <= 3 * float(str(row[4])) for row in rows if not votes_file
    ]
    return Report("Bias of model families", tables, notes, all(within_errors) if within_errors else None, simulated)


def _votes(run: Run) -> list[Judgement]:
    if run.file is not None:
        return own_records(run=run, make=_judgement)
    path = run.options.get("votes")
    if not path:
        return simulate(run=run, segments=6000 if run.full else 1500)
    try:
        return [_judgement(row) for row in json.loads(Path(path).read_text(encoding="utf-8"))]
    except (ValueError, KeyError, TypeError) as error:
        raise DataMissingError(f"{Path(path).name} holds no list of judgements: {error}") from None


def _judgement(row: Record) -> Judgement:
    """Raises ValueError, KeyError, TypeError."""
    names, truths = ("judge", "author", "segment"), ("passed", "correct")
    for name in truths:
        if not isinstance(row[name], bool):
            raise ValueError(f"{name} is true or false, not {str(row[name])[:20]!r}")
    texts = {name: str(row[name]) for name in names}
    return Judgement(texts["judge"], texts["author"], row["passed"], texts["segment"], row["correct"])
