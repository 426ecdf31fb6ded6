"""Rows of the log for its pages: leaves by index or by audit, checkpoints, anchors. Never writes."""

from uuid import UUID

from django.db.models import QuerySet

from auditing.models import Anchoring, Checkpoint, Leaf


def find_leaf(*, index: int) -> Leaf | None:
    """The leaf at a place of the log; None beyond its end."""
    return Leaf.objects.filter(index=index).first()


def newest_leaves() -> QuerySet[Leaf]:
    """Leaves that have their place, the newest first."""
    # A leaf is written first and sequenced a moment later; until then it has no index and is no part of any tree.
    return Leaf.objects.filter(index__isnull=False).order_by("-index")


def leaves_of(*, audit_id: UUID) -> QuerySet[Leaf]:
    """Leaves of one audit in the order of the log."""
    # Found by the index (audit, id): the rest of the log is not read.
    return Leaf.objects.filter(audit_id=audit_id, index__isnull=False).order_by("index")


def find_checkpoint(*, size: int) -> Checkpoint | None:
    """The checkpoint that was signed at a size."""
    return Checkpoint.objects.filter(size=size).first()


def confirmed_anchors(*, most: int) -> QuerySet[Anchoring]:
    """Signed heads that a chain has confirmed, the largest first."""
    return Anchoring.objects.filter(confirmed_at__isnull=False).order_by("-size")[:most]


def find_anchor_trouble() -> Anchoring | None:
    """A head that the chain has not taken, with what it said; None when all is well."""
    return Anchoring.objects.filter(confirmed_at__isnull=True).exclude(trouble="").first()
