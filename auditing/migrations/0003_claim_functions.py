"""A claim and a seal, as one function each."""

from django.db import migrations

# A seat that can be voted on: the window is open and nothing stands still. As selectors/seating/queue.py asks it.
_OPEN = """
    seat.stage = '{stage}' AND seat.auditor_id = claimant AND round.stage = 'committing' AND round.due_at > moment
    AND audit.stage = 'auditing' AND audit.paused_at IS NULL AND campaign.state <> 'paused'
"""
_TABLES = """
    auditing_seat AS seat JOIN auditing_round AS round ON round.id = seat.round_id
    JOIN auditing_audit AS audit ON audit.id = round.audit_id
    JOIN auditing_campaign AS campaign ON campaign.id = audit.campaign_id
"""
_OFFERED, _HELD = _OPEN.format(stage="offered"), _OPEN.format(stage="held")
# Before the first ANALYZE of tables that grow fast, the planner began with every open round and read its list of
# everybody who was drawn: ten milliseconds a claim beside 600 rounds. A subquery for one value is never joined.
CLAIM = f"""
CREATE FUNCTION trust_claim_seat(claimant uuid, moment timestamptz, until timestamptz, passes_ended boolean)
RETURNS uuid LANGUAGE plpgsql AS $$
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
    SELECT seat.id INTO chosen FROM {_TABLES} WHERE {_HELD} ORDER BY seat.taken_at LIMIT 1;
    IF chosen IS NOT NULL THEN
        UPDATE auditing_seat SET lease_until = until WHERE id = chosen AND stage = 'held';
        IF FOUND THEN
            RETURN chosen;
        END IF;
    END IF;
    -- 3. The first offer; never wait for one that is just being taken away.
    SELECT seat.id, audit.id, segment.unit INTO chosen, chosen_audit, chosen_unit
    FROM {_TABLES} JOIN hdag_segment AS segment ON segment.id = round.segment_id
    WHERE {_OFFERED} ORDER BY seat.wanted_by, seat.id LIMIT 1 FOR UPDATE OF seat SKIP LOCKED;
    IF chosen IS NULL THEN
        RETURN NULL;
    END IF;
    -- 4. One sitting, one trace: the next unit in reading order of the trace that was begun, else of the offered one.
    IF chosen_unit <> '' THEN
        SELECT round.audit_id INTO begun FROM auditing_seat AS seat JOIN auditing_round AS round ON round.id = seat.round_id
        WHERE seat.auditor_id = claimant AND seat.taken_at IS NOT NULL ORDER BY seat.taken_at DESC LIMIT 1;
        SELECT seat.id INTO next_unit
        FROM {_TABLES} JOIN hdag_segment AS segment ON segment.id = round.segment_id
        WHERE {_OFFERED} AND audit.id = begun AND segment.unit <> ''
        ORDER BY segment.position, seat.id LIMIT 1 FOR UPDATE OF seat SKIP LOCKED;
        IF next_unit IS NULL AND chosen_audit IS DISTINCT FROM begun THEN
            SELECT seat.id INTO next_unit
            FROM {_TABLES} JOIN hdag_segment AS segment ON segment.id = round.segment_id
            WHERE {_OFFERED} AND audit.id = chosen_audit AND segment.unit <> ''
            ORDER BY segment.position, seat.id LIMIT 1 FOR UPDATE OF seat SKIP LOCKED;
        END IF;
        chosen := COALESCE(next_unit, chosen);
    END IF;
    UPDATE auditing_seat SET stage = 'held', taken_at = moment, lease_until = until WHERE id = chosen;
    RETURN chosen;
END $$;
"""
# Everything that one sealed vote writes; `answer` is "sealed", "copied" (the digest stands in the ledger for another seat)
# or "moved": the seat is not what its reader took it for, who reads again and says why.
SEAL = """
CREATE FUNCTION trust_seal_vote(
    voted uuid, moment timestamptz, vote bytea, rationale bytea, opening bytea, own_opening bytea, guideline bigint,
    raw integer, active integer, degree text, promise text, leaf_kind text, leaf_body bytea, event_kind text,
    OUT answer text, OUT sealed_at timestamptz, OUT stages text[]
) LANGUAGE plpgsql AS $$
DECLARE here auditing_round; audit_stage text; seat_stage text;
BEGIN
    -- 1. The round before the seat, as everywhere (transitions.lock_round); then what the vote depends on is read.
    SELECT round.* INTO here FROM auditing_round AS round
    WHERE round.id = (SELECT round_id FROM auditing_seat WHERE id = voted) FOR UPDATE;
    SELECT stage INTO seat_stage FROM auditing_seat WHERE id = voted FOR UPDATE;
    SELECT stage INTO audit_stage FROM auditing_audit WHERE id = here.audit_id;
    IF seat_stage IS NULL OR seat_stage NOT IN ('held', 'offered') OR audit_stage <> 'auditing'
       OR here.stage <> 'committing' OR here.due_at IS NULL OR here.due_at <= moment THEN
        answer := 'moved';
        RETURN;
    END IF;
    -- 2. The vote; two honest digests never collide.
    INSERT INTO auditing_commitment (
        seat_id, digest, rationale_digest, sealed, kept, guidelines_id, raw_ms, active_ms, shown, receipt
    ) VALUES (voted, vote, rationale, opening, own_opening, guideline, raw, active, degree, promise)
    ON CONFLICT DO NOTHING RETURNING committed_at INTO sealed_at;
    IF sealed_at IS NULL THEN
        answer := 'copied';
        RETURN;
    END IF;
    DELETE FROM auditing_draft WHERE seat_id = voted;
    -- 3. A seat that was sealed without being claimed first was taken at this moment.
    UPDATE auditing_seat SET stage = 'committed', lease_until = NULL, taken_at = COALESCE(taken_at, statement_timestamp())
    WHERE id = voted;
    -- 4. The row of the log and of the history: with the vote, or not at all.
    INSERT INTO auditing_leaf (kind, body, audit_id) VALUES (leaf_kind, leaf_body, here.audit_id);
    INSERT INTO auditing_auditevent (audit_id, kind, body)
    VALUES (here.audit_id, event_kind, jsonb_build_object('seat', voted));
    answer := 'sealed';
    SELECT array_agg(seat.stage) INTO stages FROM auditing_seat AS seat WHERE seat.round_id = here.id;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("auditing", "0002_guards")]

    operations = [
        migrations.RunSQL(CLAIM, "DROP FUNCTION trust_claim_seat(uuid, timestamptz, timestamptz, boolean)"),
        migrations.RunSQL(SEAL, "DROP FUNCTION trust_seal_vote"),
    ]
