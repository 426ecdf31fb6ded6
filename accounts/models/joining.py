"""How people come in: the rule in force, invitations, and requests that wait for an admin."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from accounts.models.person import Role, User


class JoiningRule(models.Model):
    """One line of the history of the rule for new accounts; the newest is in force."""

    class Way(models.TextChoices):
        """How a stranger gets an account."""

        INVITATION = "invitation", "By invitation only"
        APPROVAL = "approval", "Open to all; an admin approves each account"

    way = models.CharField(max_length=10, choices=Way.choices)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(way__in=("invitation", "approval")), name="joining_rule_is_known"
            ),
        )

    def __str__(self) -> str:
        return self.get_way_display()


class Invitation(models.Model):
    """A place kept for one e-mail address; its secret is shown once and kept only as its SHA-256."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField(max_length=254)
    roles = ArrayField(models.CharField(max_length=12, choices=Role.choices))
    digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    person = models.OneToOneField(User, on_delete=models.SET_NULL, null=True, related_name="invitation")

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("email",),
                condition=models.Q(accepted_at__isnull=True, revoked_at__isnull=True),
                name="one_open_invitation_an_address",
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at__isnull=True) | models.Q(revoked_at__isnull=True),
                name="accepted_or_revoked_not_both",
            ),
        )

    def __str__(self) -> str:
        return f"invitation for {self.email}"


class JoinRequest(models.Model):
    """A person who made an account and waits: what they want to be, why, and what an admin said."""

    class State(models.TextChoices):
        """Where the request stands."""

        WAITING = "waiting", "waiting"
        APPROVED = "approved", "approved"
        DECLINED = "declined", "declined"

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="join_request")
    wanted = ArrayField(models.CharField(max_length=12, choices=Role.choices))
    statement = models.CharField(max_length=1000, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING, db_default="waiting")
    answer = models.CharField(max_length=300, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("id",)
        indexes = (models.Index(fields=("id",), condition=models.Q(state="waiting"), name="requests_that_wait"),)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(state="waiting", decided_by__isnull=True, decided_at__isnull=True)
                | models.Q(state__in=("approved", "declined"), decided_by__isnull=False, decided_at__isnull=False),
                name="a_decision_has_its_admin",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.state}"
