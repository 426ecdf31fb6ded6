"""What a qualification found, and what gold in seats says since; both may refuse seats.

1. A qualification counts votes on labelled steps or on gold (manage.py qualify).
2. Every night the votes that an endpoint gave on gold in its seats are watched for drift, and where enough people
   judged the same items the alternative annotator test is run.

Reads Vote, GoldAnswer; writes Endpoint.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from auditing.research.qualification.core.alternative_annotator import AlternativeAnnotator, find_test
from auditing.research.qualification.core.drift import ALPHA, Watch, watch
from auditing.research.qualification.core.qualification import DomainCounts, read_domains, whole
from auditing.research.qualification.selectors.standing import gold_votes, people_labels
from auditing.selectors.model_tier.labels import labels_of
from hdag.models import Endpoint

_SIDES = {"pass": "right gold that it passes", "fail": "wrong gold that it fails"}


def keep_qualification(*, name: str, qualification: Mapping[str, Any], is_gold: bool = False) -> None:
    """The newest one counts: from now on an endpoint that it refuses is drawn for no seat.

    Gold stands beside labels.
    """
    with transaction.atomic():
        row = Endpoint.objects.select_for_update().get(name=name)
        stored = dict(row.qualification or {})
        # A new qualification is a new beginning: what was watched since the last one is about another model.
        stored.pop("watch", None)
        stored = {**stored, "gold": dict(qualification)} if is_gold else {**_gold_of(stored), **qualification}
        Endpoint.objects.filter(pk=row.pk).update(qualification=stored, qualified_at=Now())
    watch_endpoint(row=Endpoint.objects.get(pk=row.pk))


def watch_all() -> int:
    """Watch every qualified endpoint; how many are refused by what was seen."""
    return sum(bool(watch_endpoint(row=row)) for row in Endpoint.objects.exclude(qualification=None))


def watch_endpoint(*, row: Endpoint) -> str:
    """Measure drift and the alternative annotator test, keep both; why seats are refused, "" where they are not."""
    stored = dict(row.qualification or {})
    counts = whole(domains=read_domains(values=stored) or read_domains(values=stored.get("gold", {})))
    sides = _watched(row, counts)
    test = find_test(people=people_labels(endpoint=row), model=labels_of(endpoint=row))
    refused = _drifted(sides) or _outvoted(test)
    stored["watch"] = {
        "sides": {side: {**asdict(seen), "below": below} for side, (seen, below) in sides.items()},
        "annotators": None
        if test is None
        else {**asdict(test), "rate": test.winning_rate, "advantage": test.advantage},
        "refused": refused,
    }
    Endpoint.objects.filter(pk=row.pk).update(qualification=stored)
    return refused


def _gold_of(stored: Mapping[str, Any]) -> dict[str, Any]:
    return {"gold": stored["gold"]} if "gold" in stored else {}


def _watched(row: Endpoint, counts: DomainCounts) -> dict[str, tuple[Watch, float]]:
    """Right gold and wrong gold apart, each at half the risk, beside the lower bound at qualification."""
    votes = gold_votes(endpoint=row)
    floors = {"pass": counts.sensitivity.low or 0.0, "fail": counts.specificity.low or 0.0}
    return {
        side: (watch(votes=[right for truth, right in votes if truth == side], alpha=ALPHA / 2), floors[side])
        for side in _SIDES
    }


def _drifted(sides: Mapping[str, tuple[Watch, float]]) -> str:
    for side, (seen, below) in sides.items():
        if seen.has_drifted(below=below):
            return (
                f"it has drifted: {_SIDES[side]} is at most {100 * seen.high:.0f} % after {seen.votes} votes, "
                f"and was at least {100 * below:.0f} % when it was qualified"
            )
    return ""


def _outvoted(test: AlternativeAnnotator | None) -> str:
    if test is None or test.passes:
        return ""
    wins = sum(person.wins for person in test.people)
    return f"the alternative annotator test: it may stand in for {wins} of {len(test.people)} people, half are needed"
