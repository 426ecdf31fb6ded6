"""Cases about reviewers: what was decided, what it rests on, and where the appeal stands.

Reads ConductCase and the blocks of its pleas, RoleGrant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from accounts.models import Role, User
from auditing.core.conduct import APPEALABLE, ConductStep
from auditing.models import Auditor, ConductCase
from auditing.selectors.voting.bindings import conduct_case, conduct_salt
from hdag.core import canonical
from hdag.store import content
from hdag.store.content import ContentDamagedError, ContentGoneError

LAST, SHOWN = 20, 60  # cases on a record, appeals on the page
WORDS = {
    ConductStep.CLEARED: "An admin looked at your votes and found nothing to object to",
    ConductStep.WARNED: "An admin looked at your votes and asks you to read more closely",
    ConductStep.RETRAIN: "An admin asks you to calibrate again before your next seat in each field",
    ConductStep.GOLD_ONLY: "An admin decided that for a while you are given only passages whose truth is known",
    ConductStep.SUSPENDED: "An admin decided that for a while you are given no seats",
    ConductStep.SLASHED: "An admin decided that points are taken from you",
}


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case as its person or an admin reads it."""

    row: ConductCase
    plea: str
    is_mine: bool  # the reader decided it, or is its person, and may not rule on it
    has_judge: bool  # there is an admin who may rule on an appeal
    has_ended: bool = False  # it was for a while, which is over

    @property
    def words(self) -> str:
        """What was decided, as the person is told."""
        points = f": {self.row.points} points" if self.row.points else ""
        return f"{WORDS[ConductStep(self.row.decision)]}{points}"

    @property
    def may_appeal(self) -> bool:
        """Whether the person may still appeal."""
        return ConductStep(self.row.decision) in APPEALABLE and self.row.appealed_at is None

    @property
    def is_open(self) -> bool:
        """Whether an appeal waits for somebody."""
        return self.row.appealed_at is not None and not self.row.ruling

    @property
    def name(self) -> str:
        """Of the case in the ledger."""
        return conduct_case(case=self.row.pk).hex()


def find_case(*, key: UUID) -> ConductCase | None:
    """A case by its key."""
    return ConductCase.objects.select_related("auditor__user", "by").filter(pk=key).first()


def cases_of(*, auditor: Auditor) -> Sequence[CaseLine]:
    """What was decided about one reviewer, newest first."""
    rows = _with_judge(ConductCase.objects.filter(auditor=auditor)).select_related("auditor__user", "plea")
    return [_line(row, auditor.user) for row in rows.order_by("-created")[:LAST]]


def appeals(*, reader: User) -> Sequence[CaseLine]:
    """Appeals, those that wait first and oldest first, then the newest that were ruled on."""
    rows = _with_judge(ConductCase.objects.filter(appealed_at__isnull=False))
    rows = rows.select_related("auditor__user", "plea", "by")
    waiting_first = F("ruled_at").desc(nulls_first=True)
    return [_line(row, reader) for row in rows.order_by(waiting_first, "appealed_at")[:SHOWN]]


def record_of_case(*, case: ConductCase) -> dict[str, Any]:
    """What the digest in the ledger opens to: SHA-256 of the salt and of the canonical JSON of the record."""
    record = {"decision": case.decision, "why": case.why, "evidence": case.evidence}
    return {"case": conduct_case(case=case.pk).hex(), "salt": conduct_salt(case=case.pk).hex(), "record": record}


def opened(*, record: dict[str, Any]) -> bytes:
    """The bytes whose SHA-256 stands in the ledger, from what `record_of_case` returns."""
    return bytes.fromhex(record["salt"]) + canonical.encode(value=record["record"])


def _with_judge(cases: QuerySet[ConductCase]) -> QuerySet[ConductCase]:
    """Beside each case, whether there is an admin who neither decided it nor is its person."""
    admins = User.objects.filter(is_active=True, grants__role=Role.ADMIN)
    concerned = (Coalesce(OuterRef("by"), 0), Coalesce(OuterRef("auditor__user"), 0))
    judges = Exists(admins.exclude(pk=concerned[0]).exclude(pk=concerned[1]))
    return cases.annotate(has_judge=judges, has_ended=Q(until__lte=Now()))


def _line(row: Any, reader: Any) -> CaseLine:
    is_mine = reader is not None and reader.pk in (row.by_id, row.auditor.user_id)
    try:
        plea = str(content.read(row.plea)) if row.plea is not None else ""
    except (ContentGoneError, ContentDamagedError):
        plea = ""
    return CaseLine(row, plea, is_mine, row.has_judge, bool(row.has_ended))
