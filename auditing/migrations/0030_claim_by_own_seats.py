"""A claim looks at ended leases first, and only then at their rounds, whatever the planner knows of the tables."""

from importlib import import_module

from django.db import migrations

_CLAIM: str = import_module("auditing.migrations.0012_claim_functions").CLAIM
# Before the first ANALYZE of tables that grow fast, the planner began with every open round and read its list of
# everybody who was drawn: ten milliseconds a claim beside 600 rounds. A subquery for one value is never joined.
_JOINED = """
        WHERE seat.stage = 'held' AND seat.lease_until <= moment AND round.stage = 'committing'
          AND audit.paused_at IS NULL AND campaign.state <> 'paused'
          AND seat.auditor_id <> claimant AND round.drawn @> to_jsonb(claimant::text)
"""
_ONE_BY_ONE = """
        WHERE seat.stage = 'held' AND seat.lease_until <= moment AND seat.auditor_id <> claimant AND (
            SELECT round.stage = 'committing' AND audit.paused_at IS NULL AND campaign.state <> 'paused'
                   AND round.drawn @> to_jsonb(claimant::text)
            FROM auditing_round AS round JOIN auditing_audit AS audit ON audit.id = round.audit_id
            JOIN auditing_campaign AS campaign ON campaign.id = audit.campaign_id WHERE round.id = seat.round_id
        )
"""


def _replacing(body: str) -> str:
    return body.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")


def _looking_first(body: str) -> str:
    head, begun, rest = body.partition("IF passes_ended AND EXISTS (\n        SELECT FROM ")
    _, joined, rest = rest.partition(_JOINED)
    assert begun and joined, "the function of migration 0012 reads differently"  # noqa: PT018
    return f"{head}{begun}auditing_seat AS seat{_ONE_BY_ONE}{rest}"


class Migration(migrations.Migration):
    dependencies = [("auditing", "0029_blind_repeats")]

    operations = [migrations.RunSQL(_replacing(_looking_first(_CLAIM)), _replacing(_CLAIM))]
