"""Remarks of reviewers as rows of their data set: edge labels (a missing premise), and badly cut passages."""

from collections.abc import Iterator

from auditing.models import Remark
from auditing.research.exports.selectors.scope import Scope
from auditing.research.exports.selectors.streams import IDS, Row, audit_columns, stream, texted


def remarks(scope: Scope) -> Iterator[Row]:
    """Every remark of a seat whose round is tallied, oldest first; who made it stands there by pseudonym."""
    rows = Remark.objects.filter(seat__round__in=scope.rounds()).order_by("created", "pk")
    named = audit_columns("seat__round__audit__") | {
        "segment": "seat__round__segment_id",
        "label": "seat__round__segment__label",
        "members": "seat__round__segment__members",
        "kind": "kind",
        "premise": "segment__label",
        "premise_members": "segment__members",
        "auditor": "seat__auditor_id",
    }
    for row in stream(rows, **named):
        row["auditor"] = scope.pseudonym(row["auditor"])
        row["members"] = " ".join(row["members"])
        row["premise_members"] = " ".join(row["premise_members"] or ()) or None
        yield texted(row, *IDS, "segment")
