"""Soundness as rows of its data set: one a claim, from the newest certificate of each audit."""

from collections.abc import Iterator
from typing import Any

from auditing.models import SoundnessRun
from auditing.research.exports.selectors.scope import Scope
from auditing.research.exports.selectors.streams import IDS, Row, audit_columns, texted
from hdag.models import Segment


def soundness(scope: Scope) -> Iterator[Row]:
    """Every claim that the newest certificate of an audit speaks of, in reading order."""
    # DISTINCT ON (audit) keeps the first row of each audit, the newest certificate.
    newest = SoundnessRun.objects.filter(audit__in=scope.wholes(), state="done").order_by("audit", "-created")
    named = audit_columns("audit__") | {
        "decomposition": "audit__decomposition_id",
        "claims": "claims",
        "certificate": "certificate",
        "method": "model",
        "delta": "delta",
    }
    for values in newest.distinct("audit").values_list(*named.values()):
        row = dict(zip(named, values, strict=True))
        yield from _claims(row)


def _claims(row: dict[str, Any]) -> Iterator[Row]:
    claims, certificate = row.pop("claims"), row.pop("certificate")
    # "Settled": the entailment model left nothing to chance, so the interval holds with certainty.
    row["confidence"] = 1.0 if certificate["settled"] else 1 - row["delta"]
    del row["delta"]
    segments = Segment.objects.filter(decomposition=row.pop("decomposition"), label__in=claims).order_by("position")
    texted(row, *IDS)
    for key, label in segments.values_list("pk", "label"):
        yield row | {
            "segment": str(key),
            "label": label,
            "soundness": claims[label]["tau"],
            "half_width": certificate["epsilon"],
            "samples": certificate["particles"],
        }
