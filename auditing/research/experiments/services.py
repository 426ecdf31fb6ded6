"""Registering a human experiment: its design in the ledger, then a campaign for each group and arm with its traces.

Reads User, PolicyVersion, Leaf; writes Leaf, AuditEvent, Campaign, Trace, Audit.
"""

from collections.abc import Mapping
from typing import Any

from django.db import connection, transaction

from accounts.models import Role, User
from auditing.core.events import EventKind
from auditing.core.ledger import leaves as kinds
from auditing.models import Campaign, PolicyVersion
from auditing.research.campaigns.services.campaigns import name_people, open_campaign
from auditing.research.experiments.core import Design, campaigns_of, contents_of, digest_of
from auditing.research.experiments.selectors import find_registration
from auditing.research.importing.services import import_traces
from auditing.services.events import record_event
from auditing.services.intake.submission import limits
from auditing.services.ledger import leaves
from hdag.core.values import Trace
from hdag.readers import read_any

LOCK = 0x657870  # "exp": the key of an advisory lock


class ExperimentRefusedError(ValueError):
    """The design cannot be registered; says why. Nothing was written."""


def register(
    *, design: Design, records: Mapping[str, Mapping[str, Any]], owner: User, provider: User, guidelines: str = ""
) -> list[Campaign]:
    """The design's leaf, then its campaigns with their traces, in one transaction. records: by id of the design.

    The leaf is written first, so that it stands in the log before anything of the audits. Raises
    ExperimentRefusedError, CampaignClosedError.
    """
    if sorted(records) != sorted(design.traces) or contents_of(traces=records) != design.contents:
        raise ExperimentRefusedError("the traces are not those of the design: one is missing or was changed")
    policies = {arm: _policy(arm) for arm in design.arms}
    people = _people(design)
    traces = {name: _trace(name, record) for name, record in records.items()}
    with transaction.atomic():
        with connection.cursor() as cursor:  # two registrations of one design at the same moment
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        if find_registration(design=design):
            raise ExperimentRefusedError("this design is registered already")
        digest = digest_of(design=design)
        leaves.write(audit=None, leaves=[kinds.ExperimentRegister(digest=kinds.Digest(bytes.fromhex(digest)))])
        campaigns = []
        for planned in campaigns_of(design=design):
            campaign = open_campaign(
                title=f"{planned.name} ({digest[:8]})",
                owner=owner,
                policy=policies[planned.arm],
                guidelines=guidelines,
                reviewers=[people[person] for person in planned.people],
            )
            # Anybody else's trace would be judged by the same people under the same name.
            if name_people(campaign=campaign, role=Role.PROVIDER, emails=[provider.email], actor=owner):
                raise ExperimentRefusedError(f"{provider.email} is no provider")
            _hand_in(campaign, provider, {name: traces[name] for name in planned.traces})
            campaigns.append(campaign)
        record_event(
            audit=None,
            kind=EventKind.EXPERIMENT_REGISTERED,
            actor=owner,
            digest=digest,
            campaigns=[str(campaign.pk) for campaign in campaigns],
        )
    return campaigns


def _policy(arm: str) -> PolicyVersion:
    """The newest version of this name."""
    version = PolicyVersion.objects.filter(name=arm).order_by("-number").first()
    if version is None:
        raise ExperimentRefusedError(f"no policy is called {arm}: an arm is the name of a policy")
    return version


def _people(design: Design) -> dict[str, User]:
    rows = User.objects.filter(
        email__in=[person.lower() for person in design.people], is_active=True, grants__role=Role.REVIEWER
    )
    known = {user.email: user for user in rows.distinct()}
    absent = [person for person in design.people if person.lower() not in known]
    if absent:
        raise ExperimentRefusedError(f"no reviewer has the e-mail {', '.join(absent[:5])}")
    return {person: known[person.lower()] for person in design.people}


def _trace(name: str, record: Mapping[str, Any]) -> Trace:
    traces = read_any(dict(record), where=f"trace {name}", limits=limits())
    if len(traces) != 1:
        raise ExperimentRefusedError(f"trace {name} holds {len(traces)} traces, not one")
    return traces[0]


def _hand_in(campaign: Campaign, provider: User, traces: Mapping[str, Trace]) -> None:
    import_traces(provider=provider, campaign=campaign, traces=traces.values())
    stored = set(campaign.audits.values_list("trace__external_id", flat=True))
    # A text that was handed in before, or stands twice in the design, keeps its first name.
    if lost := sorted(traces.keys() - stored):
        raise ExperimentRefusedError(f"trace {lost[0]} has the text of another trace of this provider")
