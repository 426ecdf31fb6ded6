"""How far errors of one family correlate, measured on opened votes whose truth is known. Writes FamilyMeasure.

What is measured counts from the next tally on: it stands in the skills leaf of every round that it weighs in.
"""

from auditing.core.model_tier.families import correlation_within, paired_segments
from auditing.models import FamilyMeasure
from auditing.selectors.model_tier.families import judgements, newest_measures

LEAST_SEGMENTS = 5


def measure_all() -> int:
    """Measure every family with enough segments and keep what has changed; returns how many rows were written."""
    votes = [one for one in judgements() if one.correct is not None]
    before = newest_measures()
    written = 0
    for family in sorted({one.judge for one in votes}):
        own = [one for one in votes if one.judge == family]
        segments, found = paired_segments(judgements=own), correlation_within(judgements=own)
        old = before.get(family)
        same = old is not None and (old.segments, old.correlation) == (segments, found)
        if segments >= LEAST_SEGMENTS and found is not None and not same:
            FamilyMeasure.objects.create(family=family, correlation=found, segments=segments, votes=len(own))
            written += 1
    return written
