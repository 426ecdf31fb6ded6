"""Leaves of what comes in: a trace that was handed in, a policy that was published. Writes Leaf."""

from collections.abc import Iterable, Mapping
from typing import Any

from auditing.core.ledger import leaves as kinds
from auditing.core.ledger.leaves import Digest
from auditing.models import Audit, Leaf
from auditing.services.ledger.leaves.writing import write, write_named
from hdag.core import cid

LONG_FIELDS = ("routes", "domains")  # of a policy: they may not fit into a leaf


def submission_leaf(*, audit: Audit) -> kinds.Submission:
    """submission: the SHA-256 of the trace's encrypted block."""
    return kinds.Submission(audit=audit.pk, digest=Digest(cid.parse(text=audit.trace.payload_id)))


def submit(*, audits: Iterable[Audit]) -> None:
    """The submission of each audit."""
    write_named(leaves=[submission_leaf(audit=audit) for audit in audits])


def publish_policy(*, number: int, digest: bytes, params: Mapping[str, Any]) -> Leaf:
    """params.policy: a version's parameters; its routes are left to the digest when they do not fit into a leaf."""
    try:
        return _write_policy(number, digest, params)
    except kinds.LeafError:
        short = {name: value for name, value in params.items() if name not in LONG_FIELDS}
        return _write_policy(number, digest, short)


def _write_policy(number: int, digest: bytes, params: Mapping[str, Any]) -> Leaf:
    leaf = kinds.ParamsPolicy(policy=number, digest=Digest(digest), params=kinds.Parameters(dict(params)))
    return write(audit=None, leaves=[leaf])[0]
