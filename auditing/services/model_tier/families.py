"""How far errors of models of one family correlate, measured on opened votes whose truth is known.

Reads Vote, GoldTruth, FamilyMeasure; writes FamilyMeasure.

What is measured counts from the next tally on: it stands in the skills leaf of every round that it weighs in.
"""

from auditing.core.model_tier.families import correlation_within, paired_segments
from auditing.models import FamilyMeasure
from auditing.selectors.model_tier.families import judgements, newest_measures

LEAST_SEGMENTS = 5  # on which two members of a family voted, before a correlation means anything


def measure_all() -> int:
    """Measure every family with enough segments and keep what has changed; returns how many rows were written."""
    votes = [vote for vote in judgements() if vote.correct is not None]
    before = newest_measures()
    written = 0
    for family in sorted({vote.judge for vote in votes}):
        own = [vote for vote in votes if vote.judge == family]
        segments, correlation = paired_segments(judgements=own), correlation_within(judgements=own)
        old = before.get(family)
        same = old is not None and (old.segments, old.correlation) == (segments, correlation)
        # Rows are never changed: a tally of last week must be found again as it was.
        if segments >= LEAST_SEGMENTS and correlation is not None and not same:
            FamilyMeasure.objects.create(family=family, correlation=correlation, segments=segments, votes=len(own))
            written += 1
    return written
