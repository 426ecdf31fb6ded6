"""The corridor's tables as rows of the data sets, streamed by a server-side cursor: memory does not grow with rows.

Each source takes a Scope and yields mappings with exactly the columns of its data set. Text is opened only by
hdag/store/content.py, only when the scope carries text; what was erased is None.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.db.models import BigIntegerField, F, Func, QuerySet, TextField
from django.db.models.functions import Cast

from auditing.core.voting.rationale import Rationale, read
from auditing.models import Route, SegmentOutcome, TraceOutcome, Vote
from auditing.research.exports.selectors.scope import ANY, WITHOUT, Scope
from auditing.research.models import ImportedVote
from hdag.models import Block, Edge
from hdag.store import content

Row = Mapping[str, Any]
CHUNK = 2000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOTHING = Rationale()


def as_text(path: str) -> Cast:
    """An id as the text that PostgreSQL makes of it: a million UUID objects would only be turned into text again."""
    return Cast(path, TextField())


def as_microseconds(path: str) -> Func:
    """A moment as microseconds since 1970: reading a million timestamps from text costs more than all else."""
    template = "(EXTRACT(EPOCH FROM %(expressions)s) * 1000000)::bigint"
    return Func(F(path), template=template, output_field=BigIntegerField())


def moment(microseconds: int | None) -> datetime | None:
    """The moment that as_microseconds gave."""
    return None if microseconds is None else EPOCH + timedelta(microseconds=microseconds)


def stream(queryset: QuerySet[Any], **named: Any) -> Iterator[dict[str, Any]]:
    """The named columns of a query, a chunk of the cursor at a time; texts that lie elsewhere come chunk by chunk."""
    column_names = list(named)
    values = queryset.values_list(*named.values()).iterator(chunk_size=CHUNK)
    while rows := [dict(zip(column_names, row_values, strict=True)) for row_values in islice(values, CHUNK)]:
        if "cid" in named:
            _fetch(rows)
        yield from rows


def _fetch(rows: list[dict[str, Any]]) -> None:
    """Put the block of each row in the place of its columns."""
    for row in rows:
        columns = {name: row.pop(name) for name in ("cid", "ciphertext", "wrapped_key", "is_manifest")}
        row["block"] = Block(**columns | {"is_manifest": bool(columns["is_manifest"])})
    content.fetch(row["block"] for row in rows)


def audit_columns(prefix: str) -> dict[str, str]:
    """The columns that say which audit a row belongs to; `prefix` leads to the audit."""
    return {
        "audit": f"{prefix}pk",
        "trace": f"{prefix}trace_id",
        "campaign": f"{prefix}campaign_id",
        "domain": f"{prefix}trace__domain",
        "policy": f"{prefix}policy__number",
        "is_simulated": f"{prefix}is_simulated",
    }


def texted(row: dict[str, Any], *columns: str) -> dict[str, Any]:
    """Ids as text, None kept."""
    for column in columns:
        row[column] = None if row[column] is None else str(row[column])
    return row


IDS = ("audit", "trace", "campaign")


def block_columns(scope: Scope, path: str) -> dict[str, str]:
    """The block behind `path`, when text goes along."""
    if not scope.with_text:
        return {}
    columns = ("ciphertext", "wrapped_key", "is_manifest")
    return {"cid": f"{path}_id"} | {column: f"{path}__{column}" for column in columns}


def take_text(row: dict[str, Any]) -> str | None:
    """The text of the row's block, which is taken away; None without one, and when it was erased."""
    block: Block | None = row.pop("block", None)
    return None if block is None or block.wrapped_key is None else content.read(block)


def segments(scope: Scope) -> Iterator[Row]:
    """Segments that were routed in these audits."""
    filters, routes = scope.filters, Route.objects.filter(audit__in=scope.audits())
    routes = routes.filter(primary=filters.tier) if filters.tier else routes
    if filters.gold != ANY:
        routes = routes.filter(segment__gold_truth__isnull=filters.gold == WITHOUT)
    if filters.outcome:
        routes = routes.filter(
            audit__segment_outcomes__segment=F("segment"), audit__segment_outcomes__outcome=filters.outcome
        )
    columns = audit_columns("audit__") | {
        "segment": "segment_id",
        "label": "segment__label",
        "level": "segment__level",
        "position": "segment__position",
        "source": "segment__source",
        "source_index": "segment__source_index",
        "start": "segment__start",
        "end": "segment__end",
        "step": "segment__step",
        "complexity": "segment__complexity",
        "primary_tier": "primary",
        "gold": "segment__gold_truth__truth",
    }
    order = routes.order_by("audit_id", "segment__position")
    for row in stream(order, **columns, **block_columns(scope, "segment__block")):
        text = take_text(row)
        row["content"] = None if text is None else content_of(text)
        row["is_gold"] = row.pop("gold") is not None
        yield texted(row, *IDS, "segment")


def edges(scope: Scope) -> Iterator[Row]:
    """Edges of the audited graphs."""
    graph_edges = Edge.objects.filter(decomposition__audits__in=scope.audits())
    columns = audit_columns("decomposition__audits__") | {
        "source": "source_id",
        "target": "target_id",
        "relation": "relation",
        "strength": "strength",
        "confidence": "confidence",
    }
    for row in stream(graph_edges.order_by("decomposition__audits__pk", "pk"), **columns):
        yield texted(row, *IDS, "source", "target")


def vote_columns() -> dict[str, Any]:
    """The columns that say which vote of which auditor in which round; ids come as text."""
    about = audit_columns("seat__round__audit__")
    return (
        about
        | {name: as_text(about[name]) for name in IDS}
        | {
            "segment": as_text("seat__round__segment_id"),
            "label": "seat__round__segment__label",
            "round": "seat__round__number",
            "tier": "seat__round__tier",
            "auditor": "seat__auditor_id",
            "rubric_version": "seat__commitment__guidelines__version",
        }
    )


def cast(scope: Scope) -> QuerySet[Vote]:
    """Opened votes of tallied rounds."""
    return Vote.objects.filter(seat__round__in=scope.rounds()).order_by("revealed_at", "pk")


def votes(scope: Scope) -> Iterator[Row]:
    """Opened votes, then imported ones when they are asked for."""
    columns = vote_columns() | {
        "choice": "choice",
        "confidence": "confidence",
        "error_type": "error_type",
        "is_propagated": "is_propagated",
        "raw": "seat__commitment__raw_ms",
        "active": "seat__commitment__active_ms",
        "committed_at": as_microseconds("seat__commitment__committed_at"),
        "revealed_at": as_microseconds("revealed_at"),
        "gold": "seat__round__segment__gold_truth__truth",
    }
    for row in stream(cast(scope), **columns, **block_columns(scope, "rationale")):
        row["reason"] = reason_in(take_text(row))
        row["auditor"] = scope.pseudonym(row["auditor"])
        row["confidence"] = None if row["confidence"] is None else row["confidence"] / 10_000
        row["error_type"] = row["error_type"] or None
        row["raw_seconds"], row["active_seconds"] = row.pop("raw") / 1000, row.pop("active") / 1000
        row["is_imported"], row["is_gold"] = False, row.pop("gold") is not None
        row["committed_at"], row["revealed_at"] = moment(row["committed_at"]), moment(row["revealed_at"])
        yield row
    yield from imported_votes(scope)


def imported_votes(scope: Scope) -> Iterator[Row]:
    """Votes cast elsewhere, in the same columns: the set is audit and campaign, the item trace and segment."""
    imported = ImportedVote.objects.filter(set__in=scope.imported()).order_by("set__created", "pk")
    imported = imported.filter(choice=scope.filters.outcome) if scope.filters.outcome in ("pass", "fail") else imported
    columns = {
        "audit": "set_id",
        "domain": "set__domain",
        "tier": "set__tier",
        "item": "item",
        "auditor": "auditor",
        "choice": "choice",
        "confidence": "confidence",
        "classes": "classes",
        "seconds": "seconds",
        "revealed_at": "set__created",
    }
    for row in stream(imported, **columns, **block_columns(scope, "reason")):
        item, classes, auditor = row.pop("item"), row.pop("classes"), (row["audit"], row["auditor"])
        row |= {
            "trace": item,
            "segment": item,
            "label": "",
            "campaign": row["audit"],
            "policy": 0,
            "round": 1,
            "is_simulated": False,
            "is_imported": True,
            "is_gold": False,
            "auditor": scope.pseudonym(auditor),
            "error_type": "; ".join(classes) or None,
            "is_propagated": False,
            "reason": take_text(row),
            "rubric_version": None,
            "raw_seconds": row.pop("seconds"),
            "active_seconds": None,
            "committed_at": None,
        }
        yield texted(row, "audit", "campaign")


def criteria(scope: Scope) -> Iterator[Row]:
    """One row a criterion of a vote."""
    for row in stream(cast(scope), **vote_columns(), criteria="criteria"):
        marks = row.pop("criteria")
        row["auditor"], row["is_imported"] = scope.pseudonym(row["auditor"]), False
        texted(row, *IDS, "segment")
        for name in sorted(marks):
            yield row | {"criterion": name, "score": _SCORES.get(marks[name], str(marks[name]))}


_SCORES = {"yes": "pass", "no": "fail", "na": "not_applicable"}


def evidence(scope: Scope) -> Iterator[Row]:
    """Findings of checkers and tools behind votes; they quote the trace, so an export without text has none."""
    if not scope.with_text:
        return
    for row in stream(cast(scope), **vote_columns(), **block_columns(scope, "rationale")):
        rationale = rationale_in(take_text(row))
        row["auditor"], row["is_imported"] = scope.pseudonym(row["auditor"]), False
        texted(row, *IDS, "segment").pop("rubric_version")
        for finding in rationale.evidence:
            yield row | {
                "checker": finding.evidence.checker,
                "rule": finding.evidence.rule,
                "verdict": str(finding.verdict),
                "read": finding.evidence.read or None,
                "sentence": finding.evidence.sentence,
                "start": finding.evidence.start,
                "end": finding.evidence.end,
            }


def outcomes(scope: Scope) -> Iterator[Row]:
    """Outcomes of segments, then of whole traces."""
    filters, audits = scope.filters, scope.audits()
    segment_outcomes = SegmentOutcome.objects.filter(audit__in=audits)
    segment_outcomes = (
        segment_outcomes.filter(round__in=scope.rounds()) if filters.tier or filters.agreement else segment_outcomes
    )
    segment_outcomes = segment_outcomes.filter(outcome=filters.outcome) if filters.outcome else segment_outcomes
    columns = audit_columns("audit__") | {
        "segment": "segment_id",
        "label": "segment__label",
        "tier": "round__tier",
        "outcome": "outcome",
        "paper_outcome": "paper_outcome",
        "posterior": "posterior",
        "low": "low",
        "high": "high",
        "seats": "round__k",
        "tally": "round__tally",
        "decided_at": "decided_at",
    }
    for row in stream(segment_outcomes.order_by("decided_at", "pk"), **columns):
        tally = row.pop("tally") or {}
        row |= {name: tally.get(name) for name in _TALLIED}
        row["paper_outcome"] = row["paper_outcome"] or None
        yield texted(row, *IDS, "segment")
    if not (filters.tier or filters.agreement):
        yield from trace_outcomes(scope)


_TALLIED = ("passes", "fails", "abstentions", "need_pass", "need_fail")


def trace_outcomes(scope: Scope) -> Iterator[Row]:
    """Outcomes of whole traces: the segment is empty."""
    whole_outcomes = TraceOutcome.objects.filter(audit__in=scope.audits())
    whole_outcomes = whole_outcomes.filter(outcome=scope.filters.outcome) if scope.filters.outcome else whole_outcomes
    columns = audit_columns("audit__") | {
        "outcome": "outcome",
        "paper_outcome": "paper_outcome",
        "posterior": "score",
        "decided_at": "decided_at",
    }
    empty = dict.fromkeys(("segment", "label", "tier", "low", "high", "seats", *_TALLIED))
    for row in stream(whole_outcomes.order_by("decided_at", "pk"), **columns):
        row["paper_outcome"] = row["paper_outcome"] or None
        yield texted(row | empty, *IDS)


def rationale_in(text: str | None) -> Rationale:
    """The rationale of a vote; an erased one says nothing."""
    return NOTHING if text is None else read(text=text)


def reason_in(text: str | None) -> str | None:
    """The reason in a rationale."""
    return None if text is None else read(text=text).reason


def content_of(text: str) -> str:
    """The exact text of a segment in its block."""
    return str(json.loads(text)["content"])


SOURCES: dict[str, Callable[[Scope], Iterator[Row]]] = {
    "segments": segments,
    "edges": edges,
    "votes": votes,
    "criteria": criteria,
    "evidence": evidence,
    "outcomes": outcomes,
}
