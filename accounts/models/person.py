"""Who: a person, the roles granted to them, and the history of both."""

import uuid
from typing import Any, ClassVar

from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils.functional import cached_property

from accounts.people import People, draw_pseudonym
from accounts.prepared import PreparedQuery


class Role(models.TextChoices):
    """What a person may be; one person may hold several."""

    PROVIDER = "provider", "Provider"
    REVIEWER = "reviewer", "Reviewer"
    RESEARCHER = "researcher", "Researcher"
    CONSUMER = "consumer", "Consumer"
    ADJUDICATOR = "adjudicator", "Adjudicator"
    ADMIN = "admin", "Admin"


class User(AbstractBaseUser):
    """A person who logs in by e-mail and is shown to others by pseudonym and public id only."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    pseudonym = models.CharField(max_length=60, unique=True, default=draw_pseudonym)
    is_active = models.BooleanField(default=True, db_default=True)
    is_demo = models.BooleanField("demo login", default=False, db_default=False)
    is_simulated = models.BooleanField("simulated reviewer", default=False, db_default=False)
    joined_at = models.DateTimeField(db_default=Now(), editable=False)
    left_at = models.DateTimeField(null=True, editable=False)  # closed by its own person: name and address are gone

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = People()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_is_lower"),
            models.CheckConstraint(
                condition=models.Q(left_at__isnull=True) | models.Q(is_active=False), name="who_has_left_is_shut_out"
            ),
        )

    def __str__(self) -> str:
        return self.pseudonym

    def clean(self) -> None:
        """Keep one mailbox one person."""
        self.email = self.email.strip().lower()

    @cached_property
    def roles(self) -> frozenset[str]:
        """The roles held now; read once per loaded person (the role services forget it)."""
        return frozenset(grant.role for grant in self.grants.all()) if self.pk else frozenset()

    @classmethod
    def with_standing(cls, *, key: int) -> "User":
        """One person with roles and second factor, in one statement. Raises DoesNotExist."""
        person = _by_key.first(key=key)
        if person is None:
            raise cls.DoesNotExist
        person.roles = frozenset(person.held_roles)  # type: ignore[attr-defined]
        person.has_second_factor = person.shows_codes  # type: ignore[attr-defined]
        return person

    @cached_property
    def has_second_factor(self) -> bool:
        """Whether the person has set up TOTP."""
        return _codes(self.pk).exists()

    @property
    def has_address(self) -> bool:
        """Whether somebody is behind the account: no decoy's pseudonym, and nobody who has left (RFC 2606)."""
        return not self.email.endswith(".invalid")

    @property
    def is_admin(self) -> bool:
        """Holds the admin role and may still log in."""
        return self.is_active and Role.ADMIN in self.roles

    @property
    def is_staff(self) -> bool:
        """Django's admin site asks this."""
        return self.is_admin

    @property
    def is_superuser(self) -> bool:
        """Django asks this; there is no power beside the admin role."""
        return self.is_admin

    def has_perm(self, perm: str, obj: object = None) -> bool:
        """Django's per-model permissions: admins only."""
        return self.is_admin

    def has_perms(self, perm_list: list[str], obj: object = None) -> bool:
        """Django's per-model permissions: admins only."""
        return self.is_admin

    def has_module_perms(self, app_label: str) -> bool:
        """Django's per-app permissions: admins only."""
        return self.is_admin


class RoleGrant(models.Model):
    """A role that a person holds now; granted_by is empty only for the system itself."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=12, choices=Role.choices)
    granted_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "role"), name="grant_role_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="grant_role_known"),
            models.CheckConstraint(
                condition=~models.Q(role=Role.ADJUDICATOR) | models.Q(granted_by__isnull=False),
                name="adjudicator_granted_by_someone",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} is {self.role}"


def _codes(user: Any) -> models.QuerySet[models.Model]:
    authenticators: models.QuerySet[models.Model] = apps.get_model("mfa", "Authenticator").objects.all()
    return authenticators.filter(user=user, type="totp")


@PreparedQuery
def _by_key(key: int) -> models.QuerySet[User]:
    held = RoleGrant.objects.filter(user=models.OuterRef("pk")).values("role")
    codes = models.Exists(_codes(models.OuterRef("pk")))
    people = User.objects.filter(pk=key)
    return people.annotate(held_roles=ArraySubquery(held), shows_codes=codes)


class RoleEvent(models.Model):
    """One line of the history of roles: who gave or took what, when and why; never edited."""

    class Verb(models.TextChoices):
        """What happened to the role."""

        GRANTED = "granted", "granted"
        REVOKED = "revoked", "revoked"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="role_events")
    role = models.CharField(max_length=12, choices=Role.choices)
    verb = models.CharField(max_length=8, choices=Verb.choices)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    note = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("-at", "-id")
        indexes = (models.Index(fields=("user", "-at"), name="role_event_user_at"),)

    def __str__(self) -> str:
        return f"{self.role} {self.verb}: {self.user}"
