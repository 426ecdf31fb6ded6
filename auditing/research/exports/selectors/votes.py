"""Votes as rows: opened ones of counted rounds with their criteria and evidence, then imported ones."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from auditing.checker.planting import Origin
from auditing.core.voting.rationale import Rationale, read
from auditing.models import Vote
from auditing.research.exports.selectors.scope import Scope
from auditing.research.exports.selectors.streams import (
    IDS,
    Row,
    as_microseconds,
    as_text,
    audit_columns,
    block_columns,
    moment,
    stream,
    take_text,
    texted,
)
from auditing.research.models import ImportedVote
from auditing.selectors.gold.truths import standing_truth

NOTHING = Rationale()
_SCORES = {"yes": "pass", "no": "fail", "na": "not_applicable"}


def vote_columns() -> dict[str, Any]:
    """The columns that say which vote of which auditor in which round; ids come as text."""
    about = audit_columns("seat__round__audit__")
    return (
        about
        # A million votes would make three million UUID objects, only to be turned into text again.
        | {name: as_text(about[name]) for name in IDS}
        | {
            "segment": as_text("seat__round__segment_id"),
            "label": "seat__round__segment__label",
            "round": "seat__round__number",
            "tier": "seat__round__tier",
            "auditor": "seat__auditor_id",
            "vote": "pk",
            "rubric_version": "seat__commitment__guidelines__version",
        }
    )


def name_vote(row: dict[str, Any], scope: Scope) -> None:
    """Pseudonyms in the places of the auditor's and the vote's keys."""
    row["auditor"] = scope.pseudonym(row["auditor"])
    # A plain key would join exports of different bundles.
    row["vote"] = f"v-{scope.pseudonym(('vote', row['vote']))[2:]}"


def cast(scope: Scope, *, repeats: bool = False) -> QuerySet[Vote]:
    """Opened votes of tallied rounds; repeats: second ones of the same person on the same passage too."""
    return Vote.objects.filter(seat__round__in=scope.rounds(repeats=repeats)).order_by("revealed_at", "pk")


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
        "gold": standing_truth(),
        "origin": "seat__round__audit__trace__decoy__origin",
    }
    for row in stream(cast(scope, repeats=True), **columns, **block_columns(scope, "rationale")):
        row["reason"] = reason_in(take_text(row))
        name_vote(row, scope)
        # Basis points to a probability.
        row["confidence"] = None if row["confidence"] is None else row["confidence"] / 10_000
        row["error_type"] = row["error_type"] or None
        row["raw_seconds"], row["active_seconds"] = row.pop("raw") / 1000, row.pop("active") / 1000
        row["is_imported"], row["is_gold"] = False, row.pop("gold") is not None
        row["is_repeat"] = row.pop("origin") == Origin.REPEATED
        row["committed_at"], row["revealed_at"] = moment(row["committed_at"]), moment(row["revealed_at"])
        yield row
    # One data set holds both; is_imported tells them apart.
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
        # Names of auditors are unique within a set only, so the pseudonym is made of set and name.
        unit, classes, auditor = row.pop("item"), row.pop("classes"), (row["audit"], row["auditor"])
        row |= {
            "trace": unit,
            "segment": unit,
            "label": "",
            "campaign": row["audit"],
            "policy": 0,
            "round": 1,
            "is_simulated": False,
            "is_imported": True,
            "is_gold": False,
            "is_repeat": False,
            "auditor": scope.pseudonym(auditor),
            "error_type": "; ".join(classes) or None,
            "is_propagated": False,
            "reason": take_text(row),
            "rubric_version": None,
            "raw_seconds": row.pop("seconds"),
            "active_seconds": None,
            "committed_at": None,
            "vote": None,
        }
        yield texted(row, "audit", "campaign")


def criteria(scope: Scope) -> Iterator[Row]:
    """One row a criterion of a vote."""
    for row in stream(cast(scope), **vote_columns(), criteria="criteria"):
        marks = row.pop("criteria")
        # Auditors leave under pseudonyms only.
        name_vote(row, scope)
        row["is_imported"] = False
        texted(row, *IDS, "segment")
        for name in sorted(marks):
            yield row | {"criterion": name, "score": _SCORES.get(marks[name], str(marks[name]))}


def evidence(scope: Scope) -> Iterator[Row]:
    """Findings of checkers and tools behind votes; they quote the trace, so an export without text has none."""
    # What a checker read is a quotation of the trace.
    if not scope.with_text:
        return
    for row in stream(cast(scope), **vote_columns(), **block_columns(scope, "rationale")):
        rationale = rationale_in(take_text(row))
        name_vote(row, scope)
        row["is_imported"] = False
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
                "grade": str(finding.grade),
            }


def rationale_in(text: str | None) -> Rationale:
    """The rationale of a vote; an erased one says nothing."""
    return NOTHING if text is None else read(text=text)


def reason_in(text: str | None) -> str | None:
    """The reason in a rationale."""
    return None if text is None else read(text=text).reason
