"""Refutations that an adjudicator overruled, as labelled cases: what a checker said, and who says otherwise."""

from collections.abc import Iterator

from django.db.models import OuterRef, Subquery

from auditing.core.values import Choice, Tier
from auditing.models import Vote
from auditing.research.exports.selectors.scope import Scope
from auditing.research.exports.selectors.segments import content_of
from auditing.research.exports.selectors.streams import IDS, Row, block_columns, stream, take_text, texted
from auditing.research.exports.selectors.votes import cast, rationale_in, vote_columns
from hdag.models import Segment
from hdag.store import content


def overruled(scope: Scope) -> Iterator[Row]:
    """One row a certain refutation that an adjudicator's pass overruled; they quote the trace: none without text."""
    if not scope.with_text:
        return
    words = Vote.objects.filter(
        seat__round__audit=OuterRef("seat__round__audit"),
        seat__round__segment=OuterRef("seat__round__segment"),
        seat__round__adjudicates=True,
        choice=Choice.PASS,
    )
    refuted = cast(scope).filter(seat__round__tier=Tier.COMPUTER, choice=Choice.FAIL)
    cases = refuted.annotate(
        judge=Subquery(words.values("seat__auditor")[:1]),
        why=Subquery(words.values("seat__round__adjudication__reason")[:1]),
        overruled_at=Subquery(words.values("revealed_at")[:1]),
    ).filter(judge__isnull=False)
    columns = vote_columns() | {"auditor": "judge", "why": "why", "overruled_at": "overruled_at"}
    for row in stream(cases, **columns, **block_columns(scope, "rationale")):
        rationale = rationale_in(take_text(row))
        row["auditor"] = scope.pseudonym(row["auditor"])
        for unneeded in ("round", "tier", "rubric_version", "vote"):
            row.pop(unneeded)
        # One query a case: overruled refutations are rare, and their texts may have been erased since.
        segment = Segment.objects.select_related("block").get(pk=row["segment"])
        row["content"] = content_of(content.read(segment.block)) if segment.block.wrapped_key else None
        texted(row, *IDS, "segment")
        for finding in rationale.evidence:
            if finding.accuses:
                yield row | {
                    "checker": finding.evidence.checker,
                    "rule": finding.evidence.rule,
                    "version": rationale.checker or None,
                    "read": finding.evidence.read or None,
                    "sentence": finding.evidence.sentence,
                }
