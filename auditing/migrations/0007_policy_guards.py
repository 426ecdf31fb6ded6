"""Guards of the policy room: no policy with a bad value, no edited reputation, no edited reason."""

from django.db import migrations

# The ranges that auditing.core.policy.checks names, for the values a mistake would cost most.
USABLE_POLICY = """
CREATE FUNCTION trust_lies(value jsonb, lowest numeric, highest numeric, open_below boolean) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT COALESCE((value #>> '{}')::numeric <= highest
        AND CASE WHEN open_below THEN (value #>> '{}')::numeric > lowest ELSE (value #>> '{}')::numeric >= lowest END,
        FALSE)
$$;
CREATE FUNCTION trust_tier_is_usable(tier jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT trust_lies(tier -> 'k', 1, 101, FALSE)
       AND trust_lies(tier -> 'tau', 0.5, 1, FALSE) AND trust_lies(tier -> 'tau_fail', 0.5, 1, FALSE)
       AND trust_lies(tier -> 'turnout', 0, 1, TRUE) AND trust_lies(tier -> 'weight', 0, 1000000000, TRUE)
       AND trust_lies(tier -> 'commit_seconds', 1, 1000000000, FALSE)
       AND trust_lies(tier -> 'reveal_seconds', 1, 1000000000, FALSE)
$$;
CREATE FUNCTION trust_policy_is_usable(body jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT trust_tier_is_usable(body -> 'computer') AND trust_tier_is_usable(body -> 'llm')
       AND trust_tier_is_usable(body -> 'human')
       AND trust_lies(body -> 'beta', 0, 1, TRUE) AND trust_lies(body -> 'gamma', 0, 1, TRUE)
       AND trust_lies(body -> 'slash_min', 0, 1, TRUE) AND trust_lies(body -> 'slash_max', 0, 1, TRUE)
       AND (body ->> 'slash_min')::numeric <= (body ->> 'slash_max')::numeric
       AND trust_lies(body -> 'reward', 0, 1000000000, FALSE) AND trust_lies(body -> 'penalty', 0, 1000000000, FALSE)
       AND trust_lies(body -> 'stake', 0, 1000000000, FALSE)
       AND trust_lies(body -> 'honeypot_share', 0, 0.5, FALSE)
       AND trust_lies(body -> 'honeypot_multiplier', 1, 1000000000, FALSE)
       AND trust_lies(body -> 'theta_pass', 0.5, 1, FALSE) AND trust_lies(body -> 'theta_fail', 0, 0.5, TRUE)
       AND trust_lies(body -> 'appeal_seconds', 0, 1000000000, FALSE)
       AND trust_lies(body -> 'adjudication_seconds', 1, 1000000000, FALSE)
       AND jsonb_array_length(body -> 'routes') > 0
$$;
ALTER TABLE auditing_policyversion ADD CONSTRAINT a_policy_is_usable CHECK (trust_policy_is_usable(body));
"""
NO_POLICY_CHECK = """
ALTER TABLE auditing_policyversion DROP CONSTRAINT a_policy_is_usable;
DROP FUNCTION trust_policy_is_usable(jsonb);
DROP FUNCTION trust_tier_is_usable(jsonb);
DROP FUNCTION trust_lies(jsonb, numeric, numeric, boolean);
"""
FINAL = ("reputationstep", "skillsnapshot", "collusionflag", "goldtruth", "appeal", "adjudication")


class Migration(migrations.Migration):
    dependencies = [("auditing", "0006_policy_tables")]

    operations = [
        migrations.RunSQL(USABLE_POLICY, NO_POLICY_CHECK),
        *(
            migrations.RunSQL(
                f"CREATE TRIGGER row_is_final BEFORE UPDATE OR DELETE ON auditing_{table}"
                " FOR EACH ROW EXECUTE FUNCTION trust_row_is_final();",
                f"DROP TRIGGER row_is_final ON auditing_{table};",
            )
            for table in FINAL
        ),
    ]
