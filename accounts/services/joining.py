"""How people come in. Reads and writes JoiningRule, Invitation, JoinRequest; makes User, grants roles."""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.db import IntegrityError, transaction

from accounts.models import Invitation, JoiningRule, JoinRequest, Role, User
from accounts.selectors.joining import current_way, digest_of, find_invitation
from accounts.services.roles import grant_role

log = logging.getLogger(__name__)
NO_SERVER = "this site has no mail server, so the mail was written to the log of its web server"
VALID_FOR = timedelta(days=14)
WISHES = (Role.REVIEWER, Role.PROVIDER, Role.RESEARCHER, Role.CONSUMER)


class JoiningRefusedError(Exception):
    """This cannot be done."""


class InvitationOverError(JoiningRefusedError):
    """This invitation is not open: it was used, taken back, or is older than 14 days. Ask for a new one."""


class KnownAddressError(JoiningRefusedError):
    """There is an account with this address already; its roles are given on the page of people."""


class InvitedAlreadyError(JoiningRefusedError):
    """This address has an open invitation already; take it back first to make another."""


class DecidedAlreadyError(JoiningRefusedError):
    """Another admin has answered this request already."""


def set_way(*, rule: str, by: User) -> bool:
    """Choose how strangers get an account; False when it is the rule already."""
    _check_admin(by)
    if current_way() == rule:
        return False
    JoiningRule.objects.create(way=JoiningRule.Way(rule), by=by)
    return True


def invite(*, email: str, roles: Iterable[str], by: User, now: datetime) -> tuple[Invitation, str]:
    """Keep a place for an address; returns the invitation and its secret, which is never seen again.

    Raises KnownAddressError, InvitedAlreadyError.
    """
    _check_admin(by)
    address, secret = email.strip().lower(), secrets.token_urlsafe(32)
    if User.objects.filter(email=address).exists():
        raise KnownAddressError(KnownAddressError.__doc__)
    open_here = Invitation.objects.filter(email=address, accepted_at__isnull=True, revoked_at__isnull=True)
    try:
        with transaction.atomic():
            # The unique constraint knows no clock: an expired invitation occupies its address until it is revoked.
            open_here.filter(expires_at__lte=now).update(revoked_at=now)
            made = Invitation.objects.create(
                email=address,
                roles=[str(Role(role)) for role in roles],
                digest=digest_of(secret=secret),
                invited_by=by,
                expires_at=now + VALID_FOR,
            )
    except IntegrityError:
        raise InvitedAlreadyError(InvitedAlreadyError.__doc__) from None
    return made, secret


def mail_invitation(*, invitation: Invitation, address: str) -> str:
    """Send the link; returns why it could not be sent, or "" (the admin sees the link either way)."""
    words = (
        f"You are invited to audit the reasoning of language models.\n\n{address}\n\n"
        f"The link works once, until {invitation.expires_at:%d %B %Y}."
    )
    try:
        send_mail("Your invitation to TRUST", words, None, [invitation.email])
    except OSError as error:
        log.warning("an invitation was not mailed: %s", error)
        return "the mail server did not take it"
    return NO_SERVER if settings.EMAIL_BACKEND.endswith("console.EmailBackend") else ""


def take_back(*, public_id: UUID, by: User, now: datetime) -> bool:
    """Take an open invitation back; False when it is none any more."""
    _check_admin(by)
    still_open = Invitation.objects.filter(public_id=public_id, accepted_at__isnull=True, revoked_at__isnull=True)
    return bool(still_open.update(revoked_at=now))


def accept(*, secret: str, password: str, now: datetime) -> User:
    """Make the invited person with the promised roles; whoever is second finds the place taken.

    The address counts as verified: the secret reached it. Raises InvitationOverError, KnownAddressError.
    """
    invitation = find_invitation(secret=secret, now=now)
    if invitation is None:
        raise InvitationOverError(InvitationOverError.__doc__)
    try:
        with transaction.atomic():
            # One conditional UPDATE decides between two tabs that accept at once: the second one changes no row.
            mine = Invitation.objects.filter(pk=invitation.pk, accepted_at__isnull=True, revoked_at__isnull=True)
            if not mine.update(accepted_at=now):
                raise InvitationOverError(InvitationOverError.__doc__)
            person = User.objects.create_user(invitation.email, password)
            EmailAddress.objects.create(user=person, email=invitation.email, verified=True, primary=True)
            Invitation.objects.filter(pk=invitation.pk).update(person=person)
            # In the inviter's name, so grant_role refuses it when that person is no admin any more.
            for role in invitation.roles:
                grant_role(user=person, role=role, by=invitation.invited_by, note="by invitation")
    except IntegrityError:
        raise KnownAddressError(KnownAddressError.__doc__) from None
    return person


def ask_to_join(*, user: User, wanted: Iterable[str], statement: str) -> JoinRequest:
    """Note what a new person wants to be; nobody gives themselves a role."""
    # From our list and in its order: a form that was tampered with cannot wish for "admin".
    wishes = [str(role) for role in WISHES if role in set(wanted)] or [str(Role.CONSUMER)]
    return JoinRequest.objects.get_or_create(user=user, defaults={"wanted": wishes, "statement": statement[:1000]})[0]


def answer_request(
    *, request: JoinRequest, roles: Iterable[str], answer: str, by: User, now: datetime
) -> JoinRequest.State:
    """Approve with `roles`, or decline with none of them. Raises DecidedAlreadyError."""
    _check_admin(by)
    granted = [Role(role) for role in roles]
    state = JoinRequest.State.APPROVED if granted else JoinRequest.State.DECLINED
    with transaction.atomic():
        open_here = JoinRequest.objects.filter(pk=request.pk, state=JoinRequest.State.WAITING)
        if not open_here.update(state=state, answer=answer[:300], decided_by=by, decided_at=now):
            raise DecidedAlreadyError(DecidedAlreadyError.__doc__)
        for role in granted:
            grant_role(user=request.user, role=role, by=by, note="by approval")
        # After commit, and robust: a mail server that is down must not undo the decision, nor a rollback send a mail.
        transaction.on_commit(lambda: _mail_answer(request.user, granted, answer), robust=True)
    return state


def _mail_answer(user: User, granted: list[Role], answer: str) -> None:
    roles = ", ".join(str(role.label) for role in granted)
    decision = (
        f"Your account is approved. Your roles: {roles}." if granted else "Your request for an account was declined."
    )
    send_mail("Your account at TRUST", f"{decision}\n{answer}".strip(), None, [user.email], fail_silently=True)


def _check_admin(by: User) -> None:
    if not by.is_admin:
        raise PermissionDenied("Only an admin lets people in.")
