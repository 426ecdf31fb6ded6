"""Which topics a person may hear on the live socket; the answer is the page's own permission."""

from typing import Any
from uuid import UUID

from auditing.models import Audit
from auditing.permissions import may_read_audit

OPEN_TOPICS = frozenset({"audits", "ledger", "desk"})


def may_hear(*, user: Any, topic: str) -> bool:
    """Whether `user` may be told that `topic` changed."""
    if topic in OPEN_TOPICS:
        return bool(user.is_authenticated)
    subject, _, name = topic.partition(".")
    try:
        key = UUID(name)
    except ValueError:
        return False
    if subject == "news":
        return bool(user.public_id == key)
    if subject != "audit":
        return False
    audit = Audit.objects.select_related("trace").filter(pk=key).first()
    return audit is not None and may_read_audit(user=user, audit=audit)
