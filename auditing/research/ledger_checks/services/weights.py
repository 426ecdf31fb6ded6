"""I13: every weight follows from the older leaves that its digest names.

Its auditor can check the own ones; nobody else can see whose they are, so this is where all of them are checked.
Reads WeightSource, Leaf, SkillSnapshot, FollowMeasure; writes nothing.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from uuid import UUID

from auditing.core.consensus.weight_sources import BY_LEARNING, skill_from, sources_digest
from auditing.core.policy import Policy
from auditing.core.values import Tier
from auditing.models import FollowMeasure, Leaf, Seat, SkillSnapshot, WeightSource
from auditing.research.ledger_checks.services.survey import ROWS, Survey
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.voting.bindings import weight_salt

Line = dict[str, Any]


def followed(survey: Survey) -> Iterator[str]:
    """Each line of each `skills` leaf that names its sources, against its record; each record against older leaves."""
    logged: dict[tuple[str, str, int, str], tuple[int, Line]] = {}
    for number, leaf in _numbered_skills():
        for line in leaf["auditors"]:
            if "sources" in line:
                logged[leaf["audit"], leaf["segment"], leaf["round"], line["auditor"]] = number, line
    positions = _Positions()
    policies: dict[tuple[UUID, str], Policy] = {}
    rows = WeightSource.objects.select_related("seat__round__audit__policy", "seat__round__audit__trace")
    for row in rows.order_by("pk").iterator(ROWS):
        round = row.seat.round
        key = (str(round.audit_id), str(round.segment_id), round.number, bytes(row.seat.pseudonym).hex())
        if key not in logged:
            yield f"the weight of seat {row.pk} has no leaf"
            continue
        # Taken out of the list: what is left at the end are lines of the ledger that no row explains.
        number, line = logged.pop(key)
        audit = round.audit
        if (audit.policy_id, audit.trace.domain) not in policies:
            policies[audit.policy_id, audit.trace.domain] = load_policy(version=audit.policy, domain=audit.trace.domain)
        policy = policies[audit.policy_id, audit.trace.domain]
        yield from _faults(row, line, policy, positions.first_not_before(number, row.record))
    yield from (f"the weight of {key[3][:16]} in audit {key[0]} names sources that no table has" for key in logged)


def _faults(row: WeightSource, line: Line, policy: Policy, missing: str) -> Iterator[str]:
    seat, record = row.seat, row.record
    if sources_digest(salt=weight_salt(seat=row.pk), record=record).hex() != line["sources"]:
        yield f"the weight of seat {row.pk} names other sources than its record"
    if missing:
        yield f"the weight of seat {row.pk} rests on {missing}, which did not stand in the log before it"
    follows = record.get("follows", {})
    if (follows.get("family"), follows.get("following")) != _followed(line) or not _was_measured(seat, follows):
        yield f"the weight of seat {row.pk} follows a model as no measurement says"
    stated = tuple(Fraction(line[name]) for name in ("sensitivity", "specificity"))
    if record["rule"] == BY_LEARNING:
        if stated not in _learned(seat, record):
            yield f"the weight of seat {row.pk} is in no snapshot that was learned from its audits"
        return
    skill = skill_from(record=record, policy=policy, tier=Tier(seat.round.tier))
    if stated != (skill.sensitivity.mean, skill.specificity.mean):
        yield f"the weight of seat {row.pk} does not follow from its sources"


def _followed(line: Line) -> tuple[str | None, str | None]:
    """The family that a line names, and how far it is followed, spelled as in a record."""
    share = Fraction(line["following"]) if "following" in line else None
    return line.get("follows"), None if share is None else f"{float(share):.2f}"


def _was_measured(seat: Seat, follows: Line) -> bool:
    """Whether one measurement of the auditor says the very same, of the very same audits."""
    return not follows or FollowMeasure.objects.filter(auditor=seat.auditor_id, **follows).exists()


def _learned(seat: Seat, record: Line) -> set[tuple[Fraction, Fraction]]:
    """What the snapshots of the campaign by this rule, from these audits, say of the auditor."""
    snapshots = SkillSnapshot.objects.filter(
        campaign=seat.round.audit.campaign_id, rule=record["learner"], audits=record["audits"]
    )
    pairs = [snapshot.skills.get(str(seat.auditor_id)) for snapshot in snapshots]
    return {(Fraction(pair["sensitivity"]), Fraction(pair["specificity"])) for pair in pairs if pair}


class _Positions:
    """Where openings, revealed gold and outcomes stand in the log; read once."""

    def __init__(self) -> None:
        self.opened: dict[tuple[str, str, str], int] = {}
        self.gold: dict[tuple[str, str, str], int] = {}
        self.ended: dict[str, int] = {}
        self.overturned: dict[tuple[str, str], int] = {}
        kinds = ("vote.reveal", "gold.reveal", "gold.overturn", "trace.outcome")
        rows = Leaf.objects.filter(kind__in=kinds).order_by("id")
        for number, leaf in _decoded(rows):
            if leaf["t"] == "trace.outcome":
                self.ended[leaf["audit"]] = number
            elif leaf["t"] == "gold.overturn":
                self.overturned[leaf["audit"], leaf["segment"]] = number
            elif leaf["t"] == "gold.reveal":
                self.gold[leaf["audit"], leaf["segment"], leaf["truth"]] = number
            else:
                for opening in leaf["openings"]:
                    word = {0: "fail", 1: "pass", 2: "abstain"}[opening["vote"]]
                    self.opened[leaf["audit"], opening["seat"], word] = number

    def first_not_before(self, number: int, record: Line) -> str:
        """The first of a record's sources that does not stand before the leaf at `number`; "" when all do."""
        sources: list[tuple[str, int | None]] = []
        for vote in record.get("votes", ()):
            sources.append((f"vote {vote['seat']}", self.opened.get((vote["audit"], vote["seat"], vote["vote"]))))
            sources.append((f"gold {vote['segment']}", self.gold.get((vote["audit"], vote["segment"], vote["truth"]))))
            if self.overturned.get((vote["audit"], vote["segment"]), number) < number:
                return f"overturned gold {vote['segment']}"
        older = (*record.get("audits", ()), *record.get("follows", {}).get("audits", ()))
        sources += [(f"audit {audit}", self.ended.get(audit)) for audit in older]
        return next((name for name, position in sources if position is None or position >= number), "")


def _numbered_skills() -> Iterator[tuple[int, Line]]:
    yield from _decoded(Leaf.objects.filter(kind="skills").order_by("id"))


def _decoded(rows: Any) -> Iterator[tuple[int, Line]]:
    """(row number, leaf): numbers of rows grow as leaves are written, indexes follow them."""
    for number, body in rows.values_list("id", "body").iterator(chunk_size=ROWS):
        yield number, json.loads(bytes(body))
