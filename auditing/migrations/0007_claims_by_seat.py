"""A claim asks about its seats one by one, whatever the planner believes about tables that have grown since."""

from django.db import migrations

# A seat that can be voted on: the window is open and nothing stands still. As selectors/seating asks it (`open_seats`).
_OPEN = """
    seat.stage = '{stage}' AND seat.auditor_id = claimant AND round.stage = 'committing' AND round.due_at > moment
    AND audit.stage = 'auditing' AND audit.paused_at IS NULL AND campaign.state <> 'paused'
"""
# A subquery with a limit is never joined, and no condition is moved into it: each row is looked up by its key, for one
# seat of the reviewer's own queue after the other. Beside statistics of which some are older than others (autovacuum
# takes one table after the other) a free join read every open round: tens of milliseconds a claim.
_TABLES = """
    auditing_seat AS seat
    CROSS JOIN LATERAL (SELECT * FROM auditing_round WHERE id = seat.round_id LIMIT 1) AS round
    CROSS JOIN LATERAL (SELECT * FROM auditing_audit WHERE id = round.audit_id LIMIT 1) AS audit
    CROSS JOIN LATERAL (SELECT * FROM auditing_campaign WHERE id = audit.campaign_id LIMIT 1) AS campaign
"""
_SEGMENT = "CROSS JOIN LATERAL (SELECT * FROM hdag_segment WHERE id = round.segment_id LIMIT 1) AS segment"
_OFFERED, _HELD = _OPEN.format(stage="offered"), _OPEN.format(stage="held")
_NEXT_UNIT = f"""
        SELECT seat.id INTO next_unit FROM {_TABLES} {_SEGMENT}
        WHERE {_OFFERED} AND audit.id = {{audit}} AND segment.unit <> ''
        ORDER BY segment.position, seat.id LIMIT 1 FOR UPDATE OF seat SKIP LOCKED;
"""
CLAIM = f"""
CREATE OR REPLACE FUNCTION trust_claim_seat(
    claimant uuid, moment timestamptz, until timestamptz, passes_ended boolean
) RETURNS uuid LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE chosen uuid; chosen_audit uuid; chosen_unit text; begun uuid; next_unit uuid;
BEGIN
    -- 1. Ended leases of others, where the claimant comes next in the draw, are passed on before anything is claimed.
    IF passes_ended AND EXISTS (
        SELECT FROM auditing_seat AS seat
        WHERE seat.stage = 'held' AND seat.lease_until <= moment AND seat.auditor_id <> claimant AND (
            SELECT round.stage = 'committing' AND audit.paused_at IS NULL AND campaign.state <> 'paused'
                   AND round.drawn @> to_jsonb(claimant::text)
            FROM auditing_round AS round JOIN auditing_audit AS audit ON audit.id = round.audit_id
            JOIN auditing_campaign AS campaign ON campaign.id = audit.campaign_id WHERE round.id = seat.round_id
        )
    ) THEN
        RETURN NULL;
    END IF;
    -- 2. Two tabs of one reviewer take turns: what follows is read after the lock, so the second finds what the first took.
    PERFORM FROM auditing_auditor WHERE id = claimant FOR NO KEY UPDATE;
    SELECT seat.id INTO chosen FROM {_TABLES}
    WHERE {_HELD} ORDER BY seat.taken_at LIMIT 1;
    IF chosen IS NOT NULL THEN
        UPDATE auditing_seat SET lease_until = until WHERE id = chosen AND stage = 'held';
        IF FOUND THEN
            RETURN chosen;
        END IF;
    END IF;
    -- 3. The first offer; never wait for one that is just being taken away.
    SELECT seat.id, audit.id, segment.unit INTO chosen, chosen_audit, chosen_unit FROM {_TABLES} {_SEGMENT}
    WHERE {_OFFERED} ORDER BY seat.wanted_by, seat.id LIMIT 1 FOR UPDATE OF seat SKIP LOCKED;
    IF chosen IS NULL THEN
        RETURN NULL;
    END IF;
    -- 4. One sitting, one trace: the next unit in reading order of the trace that was begun, else of the offered one.
    IF chosen_unit <> '' THEN
        SELECT (SELECT round.audit_id FROM auditing_round AS round WHERE round.id = seat.round_id) INTO begun
        FROM auditing_seat AS seat
        WHERE seat.auditor_id = claimant AND seat.taken_at IS NOT NULL ORDER BY seat.taken_at DESC LIMIT 1;
        {_NEXT_UNIT.format(audit="begun")}
        IF next_unit IS NULL AND chosen_audit IS DISTINCT FROM begun THEN
            {_NEXT_UNIT.format(audit="chosen_audit")}
        END IF;
        chosen := COALESCE(next_unit, chosen);
    END IF;
    UPDATE auditing_seat SET stage = 'held', taken_at = moment, lease_until = until WHERE id = chosen;
    RETURN chosen;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("auditing", "0006_gold_leans")]

    operations = [migrations.RunSQL(CLAIM, migrations.RunSQL.noop)]
