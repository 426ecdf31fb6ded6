"""Which calibrations open live seats to a reviewer: of the fields that they are asked about, those not passed.

Reads GoldSegment, GoldAnswer, Qualification, Profile.
"""

from django.db.models import Count

from accounts.models import Role, User
from auditing.models import Auditor, GoldSegment, Qualification
from auditing.research.practice.selectors.attempts import Attempt, attempts_of
from auditing.selectors.seating.eligible import CALIBRATION_SIZE, is_of_field


def calibrations_to_pass(*, auditor: Auditor) -> tuple[Attempt, ...]:
    """By field; some wait for gold. Adjudicators need none: their role is given by an admin."""
    person = auditor.user
    if not isinstance(person, User) or Role.REVIEWER not in person.roles:
        return ()
    sets = GoldSegment.objects.filter(purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
    passed = Qualification.objects.filter(auditor=auditor, state=Qualification.State.PASSED)
    # A smaller set opens nothing (needs_calibration), and whoever began one has nothing to end.
    large = sets.values("domain").annotate(size=Count("pk")).filter(size__gte=CALIBRATION_SIZE)
    fields = large.exclude(domain__in=passed.values("domain")).order_by("domain").values_list("domain", flat=True)
    profile = getattr(person, "profile", None)
    asked = [field for field in fields if is_of_field(profile=profile, domain=field)]
    return tuple(attempts_of(auditor=auditor, domains=asked)) if asked else ()
