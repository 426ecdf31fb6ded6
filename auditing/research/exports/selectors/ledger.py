"""Leaves of the transparency log as rows of their data set."""

from collections.abc import Iterator

from auditing.models import Leaf
from auditing.research.exports.selectors.scope import Scope
from auditing.research.exports.selectors.streams import Row, stream, texted
from auditing.translog.merkle import leaf_hash


def ledger(scope: Scope) -> Iterator[Row]:
    """Leaves of these audits that the sequencer has given their place."""
    leaves = Leaf.objects.filter(audit__in=scope.wholes(), index__isnull=False).order_by("index")
    named = {"audit": "audit_id", "index": "index", "kind": "kind", "body": "body", "created": "created"}
    for row in stream(leaves, **named):
        row["leaf_hash"] = leaf_hash(entry=bytes(row.pop("body"))).hex()
        yield texted(row, "audit")
