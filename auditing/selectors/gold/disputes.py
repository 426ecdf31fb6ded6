"""Disputed gold: what waits for a decision, with what a judge needs to see; and all decoys of one text.

Reads GoldDispute, GoldTruth, Decoy, Audit, Seat, and the blocks of their texts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Role, User
from accounts.permissions import has_role
from auditing.core.stages import AuditStage
from auditing.core.values import Choice
from auditing.models import Audit, Auditor, Campaign, Decoy, GoldAnswer, GoldDispute, GoldSegment, GoldTruth, Seat
from hdag.store import content
from hdag.store.content import ContentDamagedError, ContentGoneError

SETTLED = (AuditStage.SETTLED, AuditStage.RECORDED)
LAST = 50
DECISIONS = GoldDispute.Decision.choices


@dataclass(frozen=True, slots=True)
class DisputeLine:
    """One dispute as a judge reads it. passes, fails: of people and models, in all settled decoys of the text."""

    row: GoldDispute
    text: str
    problem: str
    truth: str
    explanation: str
    said: str
    passes: int
    fails: int
    is_mine: bool  # the reader may not decide it


def find_dispute(*, number: int) -> GoldDispute | None:
    """A dispute by its number."""
    return GoldDispute.objects.select_related("truth__segment", "gold", "by").filter(pk=number).first()


def audits_of(*, truth: GoldTruth) -> list[Audit]:
    """The settled audits in which a truth was revealed."""
    rows = Audit.objects.filter(decomposition=truth.segment.decomposition_id, stage__in=SETTLED)
    return list(rows.select_related("policy", "trace").order_by("created", "pk"))


def copies_of(*, truth: GoldTruth) -> list[Decoy]:
    """The decoys of the same text as a truth's, itself included; none for gold that is no decoy."""
    decoy = _decoy_of(truth)
    if decoy is None:
        return []
    same = {name: getattr(decoy, name) for name in ("original", "gold", "source", "start", "end", "truth", "change")}
    return list(Decoy.objects.filter(**same).select_related("gold"))


def standing_copies(*, truth: GoldTruth | None, gold: GoldSegment | None) -> list[GoldTruth]:
    """Truths of settled decoys of one text, or of one gold segment, that nobody has overturned."""
    traces = {decoy.pk for decoy in copies_of(truth=truth)} if truth is not None else set()
    if gold is not None:
        traces |= set(gold.decoys.values_list("pk", flat=True))
    settled = Audit.objects.filter(trace__in=traces, stage__in=SETTLED).values("decomposition")
    rows = GoldTruth.objects.filter(segment__decomposition__in=settled, overturn__isnull=True)
    return list(rows.select_related("segment").order_by("pk"))


def has_judged(*, dispute: GoldDispute, user: User) -> bool:
    """Whether a person voted on disputed gold, in a decoy or in calibration, or wrote it."""
    auditor = Auditor.objects.filter(user=user).first()
    if dispute.truth is not None and dispute.truth.author_id == user.pk:
        return True
    if auditor is None:
        return False
    if dispute.gold is not None:
        return GoldAnswer.objects.filter(auditor=auditor, gold=dispute.gold).exists()
    return Seat.objects.filter(auditor=auditor, round__segment=dispute.truth_id, commitment__isnull=False).exists()


def named_judges(*, dispute: GoldDispute) -> QuerySet[User] | None:
    """The adjudicators whom the campaign of disputed gold names; None where every adjudicator decides."""
    if dispute.truth is None:
        return None
    campaigns = Campaign.objects.filter(
        any_adjudicator=False, audits__decomposition=dispute.truth.segment.decomposition_id
    )
    return User.objects.filter(adjudicates_for__in=campaigns).distinct() if campaigns.exists() else None


def disputes(*, reader: User) -> list[DisputeLine]:
    """Open ones first, oldest first; then the newest that are decided. Admins read all, adjudicators their own part."""
    rows = GoldDispute.objects.select_related("truth__segment__block", "gold__block", "block", "by", "decided_by")
    if not has_role(reader, Role.ADMIN):
        others = Campaign.objects.filter(
            any_adjudicator=False, audits__decomposition=OuterRef("truth__segment__decomposition")
        )
        rows = rows.exclude(Exists(others.exclude(adjudicators=reader)))
    undecided, decided = rows.filter(decision="").order_by("pk"), rows.exclude(decision="").order_by("-decided_at")
    return [_line(row, reader) for row in [*undecided, *decided[:LAST]]]


def own_disputes(*, auditor: Auditor, truths: Iterable[UUID]) -> dict[UUID, GoldDispute]:
    """What a reviewer disputed of these truths."""
    rows: QuerySet[GoldDispute] = GoldDispute.objects.filter(by=auditor.user_id, truth__in=truths)
    return {row.truth_id: row for row in rows if row.truth_id is not None}


def _line(row: GoldDispute, reader: User) -> DisputeLine:
    if row.gold is not None:
        texts = _read(row.gold.block)
        text, truth, explanation = texts.get("text"), row.gold.truth, texts.get("explanation")
        # First attempts alone: whoever answers again has read the explanation that is in dispute.
        words = list(GoldAnswer.objects.filter(gold=row.gold, attempt=1).values_list("choice", flat=True))
    else:
        assert row.truth is not None
        decoy, texts = _decoy_of(row.truth), _read(row.truth.segment.block)
        text, truth = texts.get("own"), row.truth.truth
        explanation = None if decoy is None else _read(decoy.explanation, is_json=False).get("")
        voted = Seat.objects.filter(round__segment=row.truth_id, vote__isnull=False)
        words = list(voted.values_list("vote__choice", flat=True))
    return DisputeLine(
        row=row,
        text=str(text or ""),
        problem=str(texts.get("problem") or ""),
        truth=truth,
        explanation=str(explanation or ""),
        said=str(_read(row.block, is_json=False).get("") or ""),
        passes=words.count(Choice.PASS),
        fails=words.count(Choice.FAIL),
        is_mine=row.by_id == reader.pk or has_judged(dispute=row, user=reader),
    )


def _decoy_of(truth: GoldTruth) -> Decoy | None:
    trace = truth.segment.decomposition.trace_id
    return Decoy.objects.filter(pk=trace).select_related("explanation", "gold").first()


def _read(block: object, *, is_json: bool = True) -> dict[str, object]:
    """The texts of a block, a bare one under ""; empty where it was erased."""
    try:
        read = content.read_json(block) if is_json else content.read(block)  # type: ignore[arg-type]
    except (ContentGoneError, ContentDamagedError):
        return {}
    return read if isinstance(read, dict) else {"": read}
