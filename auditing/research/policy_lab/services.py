"""Publishing policies: checked parameters become the next numbered version, which never changes.

Reads PolicyVersion; writes PolicyVersion, Leaf, AuditEvent.
"""

from typing import Any

from django.db import connection, transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.policy import Policy, changes, digest, to_json
from auditing.models import PolicyVersion
from auditing.research.policy_lab.core.windows import check_windows
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event
from auditing.services.ledger import leaves

LOCK = 0x706F6C  # "pol": the key of an advisory lock


def publish_policy(*, policy: Policy, author: User, follows: PolicyVersion | None = None) -> PolicyVersion:
    """The next version. Raises BadPolicyError naming the field."""
    policy.validate()
    check_windows(policy=policy)
    with transaction.atomic():
        # One publication at a time: numbers have no gap, and their order is the order of the leaves.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        latest = PolicyVersion.objects.order_by("-number").first()
        version = PolicyVersion.objects.create(
            number=latest.number + 1 if latest else 1,
            name=policy.name,
            body=to_json(policy=policy),
            digest=bytes.fromhex(digest(policy=policy)),
            follows=follows,
            author=author,
        )
        # The ledger holds the parameters themselves: a stranger recomputes outcomes from them.
        leaves.publish_policy(
            number=version.number, digest=bytes.fromhex(digest(policy=policy)), params=to_json(policy=policy)
        )
        record_event(
            audit=None,
            kind=EventKind.POLICY_PUBLISHED,
            actor=author,
            number=version.number,
            name=policy.name,
            follows=follows.number if follows else None,
            diff=_diff(policy, follows),
        )
    return version


def roll_back(*, to: PolicyVersion, author: User) -> PolicyVersion:
    """The parameters of an earlier version again, as the next version. Raises BadPolicyError for its short windows."""
    latest = PolicyVersion.objects.order_by("-number").first()
    return publish_policy(policy=load_policy(version=to), author=author, follows=latest)


def _diff(policy: Policy, follows: PolicyVersion | None) -> dict[str, list[Any]]:
    """field -> [old, new] against the version it follows."""
    if follows is None:
        return {}
    fields = changes(before=load_policy(version=follows), after=policy)
    return {field: [old, new] for field, (old, new) in fields.items()}
