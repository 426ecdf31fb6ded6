"""Appeals as the readers of an audit see them, and which audit of a trace has the last word. Reads Appeal, Audit."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import Role
from accounts.permissions import Person, has_role
from auditing.core.stages import AuditStage
from auditing.models import Appeal, Audit
from hdag.models import Block
from hdag.store import content

WITHOUT_OUTCOME = (AuditStage.FAILED, AuditStage.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class AppealLine:
    """One appeal: who (as the ledger says it), why, and what was written where the reader may see it."""

    side: str
    reason: str
    created: datetime
    words: str
    is_own: bool


def appeals_against(*, audit: Audit, reader: Person) -> tuple[AppealLine, ...]:
    """Every appeal, the oldest first; its words for admins and for whoever wrote them, as the form promises."""
    if getattr(audit, "successor", None) is None:
        return ()  # each appeal has one: most audits need not ask
    rows = Appeal.objects.filter(audit=audit).select_related("block").order_by("created")
    lines = []
    for row in rows:
        is_own = row.by_id == reader.pk
        words = _words(row.block) if is_own or has_role(reader, Role.ADMIN) else ""
        lines.append(AppealLine(row.side, row.get_reason_display(), row.created, words, is_own))
    return tuple(lines)


def has_appealed(*, audit: Audit, person: Person) -> bool:
    """Whether a person has appealed against this audit already."""
    return Appeal.objects.filter(audit=audit, by=person.pk).exists()


def last_word(*, audit: Audit) -> Audit:
    """The newest audit that looked at the trace again, or looks now; one that ended without an outcome says nothing."""
    newest = audit
    while (later := getattr(newest, "successor", None)) is not None and later.stage not in WITHOUT_OUTCOME:
        newest = later
    return newest


def _words(block: Block | None) -> str:
    if block is None:
        return ""
    try:
        return content.read(block)
    except content.ContentGoneError:
        return ""
