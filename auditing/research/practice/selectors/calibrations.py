"""Which calibrations open live seats to a reviewer: of the fields that they are asked about, those not passed.

Reads GoldSegment, GoldAnswer, Qualification, Profile.
"""

from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef
from django.db.models.functions import JSONObject

from accounts.models import Role, User
from auditing.models import Auditor, GoldSegment, Qualification
from auditing.research.practice.selectors.attempts import Attempt, attempts_of
from auditing.selectors.seating.eligible import CALIBRATION_SIZE, is_among


@dataclass(frozen=True, slots=True)
class Calibrations:
    """How far one reviewer's calibrations are (rows of domain, state, why), and the fields that are still to pass."""

    standings: tuple[dict[str, Any], ...]
    to_pass: tuple[str, ...]


def calibrations_of(*, auditor: Auditor, person: User) -> Calibrations:
    """Both by field, in one statement. Adjudicators need none to pass: their role is given by an admin."""
    own = Qualification.objects.filter(auditor=OuterRef("pk")).order_by("domain")
    passed = Qualification.objects.filter(auditor=auditor, state=Qualification.State.PASSED)
    sets = GoldSegment.objects.filter(purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
    # A smaller set opens nothing (needs_calibration), and whoever began one has nothing to end.
    large = sets.values("domain").annotate(size=Count("pk")).filter(size__gte=CALIBRATION_SIZE)
    fields = large.exclude(domain__in=passed.values("domain")).order_by("domain").values("domain")
    named, standings, unpassed = Auditor.objects.values_list(
        "user__profile__domains",
        ArraySubquery(own.values(row=JSONObject(domain="domain", state="state", why="why"))),
        ArraySubquery(fields),
    ).get(pk=auditor.pk)
    is_asked = Role.REVIEWER in person.roles
    to_pass = [field for field in unpassed if is_asked and is_among(named=named or (), domain=field)]
    return Calibrations(tuple(standings), tuple(to_pass))


def calibrations_to_pass(*, auditor: Auditor) -> tuple[Attempt, ...]:
    """How far the calibrations to pass are, by field; some wait for gold."""
    person = auditor.user
    fields = calibrations_of(auditor=auditor, person=person).to_pass if isinstance(person, User) else ()
    return tuple(attempts_of(auditor=auditor, domains=fields)) if fields else ()
