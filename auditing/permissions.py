"""Who may do what in the corridor: one function a question, asked by views, API and sockets alike."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import Role
from accounts.permissions import Person, has_role
from accounts.prepared import PreparedRows
from auditing.core.stages import AuditStage
from auditing.models import Audit, Campaign, Commitment


def may_add_to(*, user: Person, campaign: Campaign) -> bool:
    """Admins; providers where a campaign names none, or them; never its managers, who see who judges."""
    if has_role(user, Role.ADMIN):
        return True
    if campaign.any_provider:
        return not _managed.rows(campaign=campaign.pk, person=user.pk)
    return campaign.providers.filter(pk=user.pk).exists()


@PreparedRows
def _managed(campaign: UUID, person: int) -> QuerySet[Campaign, Any]:
    return Campaign.objects.filter(pk=campaign, managers=person).values_list("pk")


def may_read_audit(*, user: Person, audit: Audit) -> bool:
    """The provider of the trace and admins, always; researchers and consumers once it is recorded, but no decoy.

    A reviewer never reads a whole audit here, not even a finished one of somebody else: the desk shows what a seat
    may see.
    """
    if has_role(user, Role.ADMIN) or _is_provider_of(user, audit):
        return True
    if audit.stage != AuditStage.RECORDED or not has_role(user, Role.RESEARCHER, Role.CONSUMER):
        return False
    # A decoy is nobody's trace: its outcome is no result. Its votes are data, for whoever takes data out.
    return has_role(user, Role.RESEARCHER) or getattr(audit.trace, "decoy", None) is None


def may_share(*, user: Person, audit: Audit) -> bool:
    """Its provider alone: nobody else says that strangers may read it."""
    return _is_provider_of(user, audit)


def may_check_audit(*, user: Person, audit: Audit) -> bool:
    """Whoever may read it; and whoever voted in it, once it is recorded: the file holds digests and votes, no text."""
    if may_read_audit(user=user, audit=audit):
        return True
    if audit.stage != AuditStage.RECORDED or not user.is_authenticated:
        return False
    return Commitment.objects.filter(seat__round__audit=audit, seat__auditor__user_id=user.pk).exists()


def may_ask_soundness(*, user: Person, audit: Audit) -> bool:
    """Its provider and admins, always; researchers once it is recorded. It costs work, and models cost money."""
    return may_read_audit(user=user, audit=audit) and has_role(user, Role.PROVIDER, Role.RESEARCHER, Role.ADMIN)


def may_ask_for_a_graph(*, user: Person, audit: Audit) -> bool:
    """Admins, and the provider of the trace."""
    return has_role(user, Role.ADMIN) or _is_provider_of(user, audit)


def may_read_reasons(*, user: Person, audit: Audit) -> bool:
    """What auditors wrote: the trace's provider, adjudicators, researchers and admins; never a consumer.

    Peers read the reasons of segments they voted on at their own record, after the outcome
    (selectors/voting/own_vote.py).
    """
    if has_role(user, Role.ADMIN, Role.ADJUDICATOR, Role.RESEARCHER):
        return True
    return _is_provider_of(user, audit)


def may_see_campaign(*, user: Person, campaign: Campaign) -> bool:
    """Admins, providers and researchers; whoever runs it; reviewers and adjudicators see those they work in."""
    if has_role(user, Role.ADMIN, Role.PROVIDER, Role.RESEARCHER):
        return True
    # People who may vote see what they may vote in.
    if has_role(user, Role.REVIEWER) and (campaign.open_to_all or campaign.reviewers.filter(pk=user.pk).exists()):
        return True
    if has_role(user, Role.ADJUDICATOR) and (
        campaign.any_adjudicator or campaign.adjudicators.filter(pk=user.pk).exists()
    ):
        return True
    return may_run(user=user, campaign=campaign)


def may_run(*, user: Person, campaign: Campaign) -> bool:
    """Admins, and the managers of this campaign: pause, remind, reassign, extend, copy, name its people.

    What reaches beyond the campaign stays with admins: its policy, and who its managers are.
    """
    if has_role(user, Role.ADMIN):
        return True
    return user.is_authenticated and user.is_active and campaign.managers.filter(pk=user.pk).exists()


def may_manage(*, user: Person) -> bool:
    """Admins set policies, campaigns and grants."""
    return has_role(user, Role.ADMIN)


def may_export(*, user: Person) -> bool:
    """Researchers and admins take data sets out."""
    return has_role(user, Role.RESEARCHER, Role.ADMIN)


def _is_provider_of(user: Person, audit: Audit) -> bool:
    """Handed the trace in, and still has the role: an account that lost it reads nothing of its own either."""
    return has_role(user, Role.PROVIDER) and audit.trace.provider_id == user.pk
