"""Publishing policies: checked parameters become the next numbered, immutable version. Writes PolicyVersion."""

from typing import Any

from django.db import connection, transaction

from auditing.core.policy import Policy, digest, to_json
from auditing.models import PolicyVersion
from auditing.services import ledger
from auditing.services.doors import note

LOCK = 0x706F6C


def publish_policy(*, policy: Policy, author: Any, follows: PolicyVersion | None = None) -> PolicyVersion:
    """The next version. Raises BadPolicyError naming the field."""
    policy.validate()
    with transaction.atomic():
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
        ledger.append(kind="params.policy", audit=None, policy=version.number, digest=digest(policy=policy))
        note(audit=None, kind="policy.published", actor=author, number=version.number, name=policy.name)
    return version
