"""Every range that auditing.core.policy.checks names, and the pairs between fields, refused by the database too."""

from django.db import migrations

WHOLE_POLICY = """
CREATE OR REPLACE FUNCTION trust_within(value jsonb, span numrange) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT COALESCE((value #>> '{}')::numeric <@ span, FALSE) AND (value #>> '{}') <> 'NaN'
$$;
CREATE OR REPLACE FUNCTION trust_count(value jsonb, lowest numeric) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT COALESCE(jsonb_typeof(value) = 'number' AND (value #>> '{}')::numeric % 1 = 0, FALSE)
       AND trust_within(value, numrange(lowest, 1000000000, '[]'))
$$;
CREATE OR REPLACE FUNCTION trust_tier_is_usable(tier jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
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
CREATE OR REPLACE FUNCTION trust_all_within(body jsonb, span numrange, VARIADIC names text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT bool_and(trust_within(body -> name, span)) FROM unnest(names) AS name $$;
CREATE OR REPLACE FUNCTION trust_all_counts(body jsonb, lowest numeric, VARIADIC names text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT bool_and(trust_count(body -> name, lowest)) FROM unnest(names) AS name $$;
CREATE OR REPLACE FUNCTION trust_costs_are_usable(miss numeric, alarm numeric, review numeric, error numeric) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT review < miss AND review < alarm AND review / alarm < 1 - review / miss
       AND error <= LEAST(review / alarm, review / miss)
$$;
CREATE OR REPLACE FUNCTION trust_policy_is_usable(body jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
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
       AND COALESCE(body ->> 'trace_rule' IN ('weighted', 'noisy_and', 'minimum', 'all_pass'), FALSE)
       AND COALESCE(body ->> 'order' IN ('parallel', 'premises_first'), FALSE)
       AND COALESCE(body ->> 'escalation' IN ('hung', 'confirm'), FALSE)
       AND COALESCE(jsonb_typeof(body -> 'racing') = 'boolean' AND jsonb_typeof(body -> 'optimistic') = 'boolean', FALSE)
       AND COALESCE(jsonb_array_length(body -> 'routes') > 0, FALSE)
$$;
"""
# The functions go on standing as they are: a policy refused today was never usable.
NOTHING = migrations.RunSQL.noop


class Migration(migrations.Migration):
    dependencies = [("auditing", "0010_soundness_runs")]

    operations = [migrations.RunSQL(WHOLE_POLICY, NOTHING)]
