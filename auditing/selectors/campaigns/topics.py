"""Which topics of the live socket a person may subscribe to: those whose pages they may read. Reads Audit."""

from uuid import UUID

from accounts.models import User
from accounts.permissions import Person
from auditing.models import Audit
from auditing.permissions import may_read_audit

OPEN_TOPICS = frozenset({"audits", "ledger", "desk"})


def may_hear(*, user: Person, topic: str) -> bool:
    """Whether `user` may be told that `topic` changed: "audits", "news.<person>", "audit.<id>" and the like."""
    if topic in OPEN_TOPICS:
        # These topics carry no content, only "something changed": what a person then reads is asked of the page.
        return bool(user.is_authenticated)
    subject, _, name = topic.partition(".")
    try:
        key = UUID(name)
    except ValueError:
        return False
    if subject == "news":
        return isinstance(user, User) and user.public_id == key
    if subject != "audit":
        return False
    audit = Audit.objects.select_related("trace").filter(pk=key).first()
    return audit is not None and may_read_audit(user=user, audit=audit)
