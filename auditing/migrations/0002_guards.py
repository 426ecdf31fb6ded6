"""Guards that live in the database: an append-only log, final rows, sums of points, usable policies."""

from django.db import migrations

# A leaf is written once. Only the sequencer's number may still come to it, and only where there was none.
APPEND_ONLY_LEAVES = """
CREATE FUNCTION trust_leaf_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.index IS NULL AND NEW.index IS NOT NULL
       AND NEW.id = OLD.id AND NEW.kind = OLD.kind AND NEW.body = OLD.body
       AND NEW.audit_id IS NOT DISTINCT FROM OLD.audit_id AND NEW.created = OLD.created THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the ledger is append-only: % of leaf % refused', TG_OP, OLD.id
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER leaf_is_append_only BEFORE UPDATE OR DELETE ON auditing_leaf
    FOR EACH ROW EXECUTE FUNCTION trust_leaf_is_append_only();
"""
# A leaf gets its number from the sequencer, later: whoever is not the table's owner inserts it without one.
BORN_WITHOUT_NUMBER = """
CREATE FUNCTION trust_leaf_is_born_without_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the sequencer numbers leaves: this one came with number %', NEW.index
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER leaf_is_born_without_number BEFORE INSERT ON auditing_leaf
    FOR EACH ROW WHEN (NEW.index IS NOT NULL) EXECUTE FUNCTION trust_leaf_is_born_without_number();
"""
# Rows that nobody changes or deletes: a correction is a new row.
FINAL_ROWS = """
CREATE FUNCTION trust_row_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is final: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
""" + "".join(
    f"""
CREATE TRIGGER row_is_final BEFORE UPDATE OR DELETE ON auditing_{table}
    FOR EACH ROW EXECUTE FUNCTION trust_row_is_final();
"""
    for table in (
        "posting",
        "transfer",
        "checkpoint",
        "policyversion",
        "segmentoutcome",
        "traceoutcome",
        "auditevent",
        "reputationstep",
        "skillsnapshot",
        "collusionflag",
        "goldtruth",
        "appeal",
        "adjudication",
        "roster",
        "decoy",
        "weightsource",
        "goldoverturn",
        "followmeasure",
        "desksigns",
    )
)
# Sealed votes are final too, but for the secrets that erasure takes away: they only ever become empty.
MAY_FORGET = """
CREATE FUNCTION trust_may_only_forget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - TG_ARGV = to_jsonb(OLD) - TG_ARGV
       AND NOT EXISTS (SELECT FROM unnest(TG_ARGV) AS name
                       WHERE COALESCE(to_jsonb(NEW) ->> name, '\\x')
                             NOT IN ('\\x', COALESCE(to_jsonb(OLD) ->> name, '\\x'))) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is final: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER row_is_final BEFORE UPDATE OR DELETE ON auditing_vote
    FOR EACH ROW EXECUTE FUNCTION trust_may_only_forget('rationale_nonce');
CREATE TRIGGER row_is_final BEFORE UPDATE OR DELETE ON auditing_commitment
    FOR EACH ROW EXECUTE FUNCTION trust_may_only_forget('sealed', 'kept');
"""
# Double entry: at the end of each transaction, the postings of a transfer sum to zero.
ZERO_SUM = """
CREATE FUNCTION trust_transfer_sums_to_zero() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT COALESCE(SUM(amount), 0) FROM auditing_posting WHERE transfer_id = NEW.transfer_id) <> 0 THEN
        RAISE EXCEPTION 'transfer % does not sum to zero', NEW.transfer_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transfer_sums_to_zero AFTER INSERT ON auditing_posting
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trust_transfer_sums_to_zero();
"""
# The account is locked before it is counted, and counted by a statement that begins after the lock: of two that spend
# the same points the second sees what the first has left.
POINTS_ARE_THERE = """
CREATE FUNCTION trust_points_are_there() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    account_name text;
    transfer_kind text;
    least bigint := 0;
BEGIN
    SELECT name INTO account_name FROM auditing_account WHERE id = NEW.account_id;
    SELECT kind INTO transfer_kind FROM auditing_transfer WHERE id = NEW.transfer_id;
    IF account_name <> 'credit' AND transfer_kind NOT IN ('staking', 'withdrawal') THEN
        RETURN NEW;
    END IF;
    PERFORM FROM auditing_account WHERE id = NEW.account_id FOR NO KEY UPDATE;
    IF account_name = 'stake' THEN  -- what the treasury gave stays
        SELECT COALESCE(SUM(line.amount), 0) INTO least FROM auditing_posting AS line
        JOIN auditing_transfer AS transfer ON transfer.id = line.transfer_id
        WHERE line.account_id = NEW.account_id AND transfer.kind = 'stake';
    END IF;
    IF (SELECT SUM(amount) FROM auditing_posting WHERE account_id = NEW.account_id) < least THEN
        RAISE EXCEPTION 'a % of % points is not covered by the account %', transfer_kind, -NEW.amount, account_name
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER points_are_there AFTER INSERT ON auditing_posting
    FOR EACH ROW WHEN (NEW.amount < 0) EXECUTE FUNCTION trust_points_are_there();
"""
NOTICE_IS_COVERED = """
CREATE FUNCTION trust_notice_is_covered() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    own bigint;
    under_notice bigint;
BEGIN
    PERFORM FROM auditing_account WHERE auditor_id = NEW.auditor_id AND name = 'stake' FOR NO KEY UPDATE;
    SELECT SUM(line.amount) INTO own FROM auditing_posting AS line
    JOIN auditing_account AS account ON account.id = line.account_id
    JOIN auditing_transfer AS transfer ON transfer.id = line.transfer_id
    WHERE account.auditor_id = NEW.auditor_id AND account.name = 'stake' AND transfer.kind <> 'stake';
    SELECT SUM(points) INTO under_notice FROM auditing_withdrawal
    WHERE auditor_id = NEW.auditor_id AND paid_at IS NULL AND taken_back_at IS NULL AND id <> NEW.id;
    IF NEW.points + COALESCE(under_notice, 0) > COALESCE(own, 0) THEN
        RAISE EXCEPTION 'notice of % points, of % that were put at stake and % under notice',
            NEW.points, COALESCE(own, 0), COALESCE(under_notice, 0) USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER notice_is_covered BEFORE INSERT ON auditing_withdrawal
    FOR EACH ROW EXECUTE FUNCTION trust_notice_is_covered();
"""
ENDS_ONCE = """
CREATE FUNCTION trust_withdrawal_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.paid_at IS NULL AND OLD.taken_back_at IS NULL
       AND NEW.id = OLD.id AND NEW.auditor_id = OLD.auditor_id AND NEW.points = OLD.points
       AND NEW.asked_at = OLD.asked_at AND NEW.due_at = OLD.due_at THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a withdrawal is final: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER withdrawal_ends_once BEFORE UPDATE OR DELETE ON auditing_withdrawal
    FOR EACH ROW EXECUTE FUNCTION trust_withdrawal_ends_once();
"""
# Every range that auditing/core/policy/checks.py names, and the pairs between fields, refused by the database too.
USABLE_POLICY = """
CREATE FUNCTION trust_within(value jsonb, span numrange) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT COALESCE((value #>> '{}')::numeric <@ span, FALSE) AND (value #>> '{}') <> 'NaN'
$$;
CREATE FUNCTION trust_count(value jsonb, lowest numeric) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT COALESCE(jsonb_typeof(value) = 'number' AND (value #>> '{}')::numeric % 1 = 0, FALSE)
       AND trust_within(value, numrange(lowest, 1000000000, '[]'))
$$;
CREATE FUNCTION trust_tier_is_usable(tier jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT trust_count(tier -> 'k', 1) AND trust_within(tier -> 'k', '[1,101]')
       AND trust_within(tier -> 'tau', '[0.5,1]') AND trust_within(tier -> 'tau_fail', '[0.5,1]')
       AND trust_within(tier -> 'turnout', '(0,1]')
       AND trust_within(tier -> 'error', '[0,1)') AND trust_within(tier -> 'malicious', '[0,1)')
       AND trust_within(tier -> 'weight', '(0,1000000000]')
       AND trust_within(tier -> 'prior_right', '(0,1000000000]')
       AND trust_within(tier -> 'prior_wrong', '(0,1000000000]')
       AND trust_count(tier -> 'commit_seconds', 1) AND trust_count(tier -> 'reveal_seconds', 1)
       AND trust_count(tier -> 'price', 0)
$$;
CREATE FUNCTION trust_all_within(body jsonb, span numrange, VARIADIC names text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT bool_and(trust_within(body -> name, span)) FROM unnest(names) AS name $$;
CREATE FUNCTION trust_all_counts(body jsonb, lowest numeric, VARIADIC names text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT bool_and(trust_count(body -> name, lowest)) FROM unnest(names) AS name $$;
CREATE FUNCTION trust_costs_are_usable(miss numeric, alarm numeric, review numeric, error numeric)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT review < miss AND review < alarm AND review / alarm < 1 - review / miss
       AND error <= LEAST(review / alarm, review / miss)
$$;
CREATE FUNCTION trust_policy_is_usable(body jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT trust_tier_is_usable(body -> 'computer') AND trust_tier_is_usable(body -> 'llm')
       AND trust_tier_is_usable(body -> 'human')
       AND COALESCE(length(btrim(body ->> 'name')) > 0 AND length(body ->> 'name') <= 100, FALSE)
       AND trust_all_within(body, '(0,1)', 'base_rate', 'trace_base_rate', 'delta', 'epsilon_target')
       AND trust_all_within(body, '(0,1]', 'beta', 'slash_min', 'slash_max', 'gamma', 'disclosure_share')
       AND trust_all_within(body, '[0,1]', 'family_correlation', 'suspend_below', 'return_above', 'initial_reputation')
       AND trust_within(body -> 'theta_pass', '[0.5,1)') AND trust_within(body -> 'theta_fail', '(0,0.5]')
       AND trust_within(body -> 'honeypot_share', '[0,0.5]')
       AND trust_all_within(body, '(0,1000000000]', 'cost_miss', 'cost_false_alarm', 'cost_review')
       AND (NOT body ? 'adjudicator_error' OR trust_within(body -> 'adjudicator_error', '(0,0.5)'))
       AND trust_all_counts(body, 0, 'reward', 'penalty', 'stake', 'no_show_penalty', 'agreement_bonus', 'max_redraws',
                            'short_trace_characters', 'batch_minutes', 'appeal_seconds')
       AND trust_all_counts(body, 1, 'honeypot_multiplier', 'no_show_limit', 'no_show_days', 'segments_per_hour',
                            'traces_per_hour', 'horizon_hours', 'batch_size', 'batch_providers', 'adjudication_seconds')
       AND (body ->> 'slash_min')::numeric <= (body ->> 'slash_max')::numeric
       AND (body ->> 'suspend_below')::numeric <= (body ->> 'return_above')::numeric
       AND (body ->> 'no_show_penalty')::numeric >= (body ->> 'penalty')::numeric
       AND trust_costs_are_usable(
               (body ->> 'cost_miss')::numeric, (body ->> 'cost_false_alarm')::numeric,
               (body ->> 'cost_review')::numeric, COALESCE((body ->> 'adjudicator_error')::numeric, 0))
       AND COALESCE(body ->> 'consensus' IN ('quorum', 'majority', 'reputation', 'two_coin_gold', 'two_coin_em',
                                             'dawid_skene', 'auto'), FALSE)
       AND COALESCE(body ->> 'trace_rule' IN ('weighted', 'noisy_and', 'minimum', 'all_pass', 'first_error'), FALSE)
       AND COALESCE(body ->> 'order' IN ('parallel', 'premises_first'), FALSE)
       AND COALESCE(body ->> 'escalation' IN ('hung', 'confirm'), FALSE)
       AND COALESCE(jsonb_typeof(body -> 'racing') = 'boolean' AND jsonb_typeof(body -> 'optimistic') = 'boolean', FALSE)
       AND COALESCE(jsonb_array_length(body -> 'routes') > 0, FALSE)
$$;
ALTER TABLE auditing_policyversion ADD CONSTRAINT a_policy_is_usable CHECK (trust_policy_is_usable(body));
"""
# Fields that came to policies later: a version that lacks one was published before it, and means what it meant.
LATER_FIELDS = """
ALTER TABLE auditing_policyversion
    ADD CONSTRAINT gold_that_models_fail_on_is_gold CHECK (
        NOT body ? 'model_fail_share' OR (
            trust_within(body -> 'model_fail_share', '[0,0.5]')
            AND (body ->> 'model_fail_share')::numeric <= (body ->> 'honeypot_share')::numeric)),
    ADD CONSTRAINT a_sample_has_a_share CHECK (
        NOT body ? 'sample_share' OR trust_within(body -> 'sample_share', '[0,1]')),
    ADD CONSTRAINT tickets_for_gold_are_few CHECK (
        (NOT body ? 'gold_emphasis'
            OR (trust_count(body -> 'gold_emphasis', 0) AND trust_within(body -> 'gold_emphasis', '[0,8]')))
        AND (NOT body ? 'newcomer_gold'
            OR (trust_count(body -> 'newcomer_gold', 0) AND trust_within(body -> 'newcomer_gold', '[0,1000]')))),
    ADD CONSTRAINT repeats_are_few_and_late CHECK (
        (NOT body ? 'repeat_share' OR trust_within(body -> 'repeat_share', '[0,0.5]'))
        AND (NOT body ? 'repeat_after_hours'
            OR (trust_count(body -> 'repeat_after_hours', 0)
                AND trust_within(body -> 'repeat_after_hours', '[0,10000]')))),
    ADD CONSTRAINT prices_and_stakes_are_counts CHECK (
        (NOT body ? 'trace_price' OR trust_count(body -> 'trace_price', 0))
        AND (NOT body ? 'ticket_stake' OR trust_count(body -> 'ticket_stake', 0))
        AND (NOT body ? 'notice_days'
            OR (trust_count(body -> 'notice_days', 0) AND trust_within(body -> 'notice_days', '[0,365]'))));
"""


class Migration(migrations.Migration):
    dependencies = [("auditing", "0001_tables")]

    operations = [
        migrations.RunSQL(guard, migrations.RunSQL.noop)
        for guard in (
            APPEND_ONLY_LEAVES,
            BORN_WITHOUT_NUMBER,
            FINAL_ROWS,
            MAY_FORGET,
            ZERO_SUM,
            POINTS_ARE_THERE,
            NOTICE_IS_COVERED,
            ENDS_ONCE,
            USABLE_POLICY,
            LATER_FIELDS,
        )
    ]
