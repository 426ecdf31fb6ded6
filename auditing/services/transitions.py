"""Transitions: one conditional UPDATE moves an audit or a round to its next stage, its event in the same transaction.

This is optimistic concurrency without a version column: "UPDATE ... SET stage = new WHERE id = ... AND stage = old".
PostgreSQL lets one of two writers change the row; the other changes none, is told so by the number of rows, and leaves
its own transaction without effect. Never read a stage, think, and save.

Reads and writes Audit, Round, Seat (leases only); writes AuditEvent.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from accounts.prepared.cursors import change, fetch
from auditing import broadcast
from auditing.core.events import EventKind
from auditing.core.stages import AUDIT_STAGES, ROUND_STAGES, AuditStage, RoundStage, SeatStage, check_transition
from auditing.models import Audit, Round, Seat
from auditing.services.events import record_event
from hdag.store.arrays import pack


def move_audit(*, audit: Audit, to: AuditStage, **fields: Any) -> bool:
    """Move an audit to its next stage and write the event; False when another worker was first.

    fields: columns of Audit that belong to the new stage, stored by the same UPDATE. Raises ValueError when no
    transition leads there.
    """
    old = AuditStage(audit.stage)
    check_transition(table=AUDIT_STAGES, old=old, new=to)
    if not fields.keys() - {"decomposition"}:
        return _move_by_machine(audit, old, to, fields)
    # A new stage begins without a lease and with all its attempts left.
    begun = {"stage": to, "stage_since": Now(), "lease_until": None, "attempts": 0}
    if not Audit.objects.filter(pk=audit.pk, stage=old).update(**begun, **fields):
        return False
    audit.stage, audit.lease_until = to, None
    _set_fields(audit, fields)
    reason = {"why": fields["failure"]} if fields.get("failure") else {}
    record_event(audit=audit, kind=EventKind(f"audit.{to}"), **reason)
    return True


def _move_by_machine(audit: Audit, old: AuditStage, to: AuditStage, fields: Mapping[str, Any]) -> bool:
    """The move and its event in one statement, where nobody but a worker had a part in what leads there.

    A worker that holds the lease keeps it for the next stage, unless the audit was paused meanwhile.
    The commit does not wait for the disk: where a server that falls forgets it, a worker does the same again. Whatever
    is told or promised of it later is a commit that waits, and before that one everything earlier is on the disk.
    """
    graph = fields["decomposition"].pk if fields else None
    moved = fetch(_MOVE, [str(to), graph, audit.pk, str(old), str(EventKind(f"audit.{to}"))])
    if not moved:
        return False
    audit.stage, (audit.lease_until,) = to, moved[0]
    _set_fields(audit, fields)
    broadcast.tell_audit(audit.pk)
    return True


_MOVE = """
WITH moved AS (
    UPDATE auditing_audit SET stage = $1, stage_since = statement_timestamp(),
        lease_until = CASE WHEN paused_at IS NULL THEN lease_until END,
        attempts = CASE WHEN paused_at IS NULL AND lease_until IS NOT NULL THEN 1 ELSE 0 END,
        decomposition_id = COALESCE($2::uuid, decomposition_id)
    WHERE id = $3 AND stage = $4 AND set_config('synchronous_commit', 'off', true) = 'off' RETURNING id, lease_until
), told AS (
    INSERT INTO auditing_auditevent (audit_id, kind, body) SELECT id, $5, '{}' FROM moved
)
SELECT lease_until FROM moved
"""


def move_round(*, round: Round, to: RoundStage, due_at: datetime | None, **fields: Any) -> bool:
    """Move a round to its next stage; False when another worker was first. due_at: when the sweep looks at it again."""
    old = RoundStage(round.stage)
    check_transition(table=ROUND_STAGES, old=old, new=to)
    rows = Round.objects.filter(pk=round.pk, stage=old).update(stage=to, stage_since=Now(), due_at=due_at, **fields)
    if not rows:
        return False
    round.stage, round.due_at = to, due_at
    _set_fields(round, fields)
    return True


def open_windows(*, rounds: Sequence[Round]) -> int:
    """Move rounds from drawing to committing in one statement, each with its own due_at, pool and drawn.

    Returns how many moved: all of them, where the caller holds their locks.
    """
    check_transition(table=ROUND_STAGES, old=RoundStage.DRAWING, new=RoundStage.COMMITTING)
    if not rounds:
        return 0
    columns = [
        pack([round.pk for round in rounds], "uuid"),
        pack([round.due_at for round in rounds], "timestamp with time zone"),
        pack([round.pool for round in rounds], "text"),
        pack([round.drawn for round in rounds], "jsonb"),
    ]
    return change(_OPEN_WINDOWS, [str(RoundStage.COMMITTING), *columns, str(RoundStage.DRAWING)])


# As move_round does it, with every round's own values beside its name.
_OPEN_WINDOWS = """
UPDATE auditing_round
SET stage = $1, stage_since = statement_timestamp(), due_at = opened.due_at, pool = opened.pool,
    drawn = opened.drawn, next_drawn = 0
FROM unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::jsonb[]) AS opened (id, due_at, pool, drawn)
WHERE auditing_round.id = opened.id AND auditing_round.stage = $6
"""


def end_windows(*, rounds: Sequence[Round], due_at: Mapping[UUID, datetime]) -> list[Round]:
    """Move rounds from committing to revealing in one statement, each to its own deadline; those that moved."""
    check_transition(table=ROUND_STAGES, old=RoundStage.COMMITTING, new=RoundStage.REVEALING)
    if not rounds:
        return []
    keys = [round.pk for round in rounds]
    columns = [pack(keys, "uuid"), pack([due_at[key] for key in keys], "timestamp with time zone")]
    moved = {key for (key,) in fetch(_END_WINDOWS, [str(RoundStage.REVEALING), *columns, str(RoundStage.COMMITTING)])}
    ended = [round for round in rounds if round.pk in moved]
    for round in ended:
        round.stage, round.due_at = RoundStage.REVEALING, due_at[round.pk]
    return ended


_END_WINDOWS = """
UPDATE auditing_round SET stage = $1, stage_since = statement_timestamp(), due_at = ended.due_at
FROM unnest($2::uuid[], $3::timestamptz[]) AS ended (id, due_at)
WHERE auditing_round.id = ended.id AND auditing_round.stage = $4
RETURNING auditing_round.id
"""


def store_tallies(*, rounds: Sequence[Round], counted: UUID | None = None) -> None:
    """Store stage, outcome and tally of many tallied rounds in one statement.

    The caller holds their locks, or made them itself. counted: their audit, where none of its rounds is open with that.
    """
    if not rounds:
        return
    columns = [
        pack([round.pk for round in rounds], "uuid"),
        pack([round.outcome for round in rounds], "text"),
        pack([round.tally for round in rounds], "jsonb"),
    ]
    change(_STORE_TALLIES, [str(RoundStage.TALLIED), *columns, counted])


# Django's bulk_update writes a CASE with a branch a row and a column: it took a fifth of an examination.
_STORE_TALLIES = """
WITH tallied AS (
    UPDATE auditing_round SET stage = $1, stage_since = statement_timestamp(), due_at = NULL,
        outcome = tallied.outcome, tally = tallied.tally
    FROM unnest($2::uuid[], $3::text[], $4::jsonb[]) AS tallied (id, outcome, tally)
    WHERE auditing_round.id = tallied.id
)
UPDATE auditing_audit SET counted_at = statement_timestamp() WHERE id = $5::uuid
"""


def _set_fields(row: Audit | Round, fields: Mapping[str, Any]) -> None:
    """Keep the object in memory equal to the row: whoever moved it goes on working with it."""
    for name, value in fields.items():
        setattr(row, name, value)


def move_deadlines(*, rounds: QuerySet[Round], by: timedelta) -> None:
    """After a pause: windows, and the leases of seats in hand, end as much later as it lasted; draws are due now."""
    open_rounds = rounds.exclude(stage=RoundStage.TALLIED)
    held = Seat.objects.filter(round__in=open_rounds, stage=SeatStage.HELD, lease_until__isnull=False)
    held.update(lease_until=F("lease_until") + by)
    open_rounds.filter(due_at__isnull=False).exclude(stage=RoundStage.DRAWING).update(due_at=F("due_at") + by)
    # How long a draw may wait for people, and for an adjudicator, is counted from stage_since. Its due_at is no
    # deadline: the sweep looked at it all through the pause, last half a minute ago.
    open_rounds.filter(stage=RoundStage.DRAWING).update(stage_since=F("stage_since") + by, due_at=None)


def lock_round(*, key: UUID) -> None:
    """Lock a round before any of its seats, everywhere in this order, so that no two transactions can deadlock."""
    Round.objects.select_for_update(of=("self",)).filter(pk=key).first()


def claim_audit(*, audit: Audit, now: datetime | None, seconds: int) -> bool:
    """Take the audit's lease for machine work; False when another worker holds it, or it is paused or has moved on.

    now: None for the database's own clock.
    """
    # One UPDATE again: of two workers one changes the row. A lease that a falling server forgets is taken again.
    claim = _CLAIM if connection.in_atomic_block else _CLAIM_UNHURRIED
    taken = fetch(claim, [now, seconds, audit.pk, str(audit.stage)])
    if taken:
        ((audit.lease_until,),) = taken
    return bool(taken)


_TAKE = """
UPDATE auditing_audit
SET lease_until = COALESCE($1::timestamptz, statement_timestamp()) + $2 * interval '1 second', attempts = attempts + 1
WHERE id = $3 AND stage = $4 AND paused_at IS NULL
    AND (lease_until IS NULL OR lease_until < COALESCE($1::timestamptz, statement_timestamp())){}
RETURNING lease_until
"""
_CLAIM, _CLAIM_UNHURRIED = (
    _TAKE.format(more) for more in ("", " AND set_config('synchronous_commit', 'off', true) = 'off'")
)
