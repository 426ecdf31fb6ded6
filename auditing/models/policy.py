"""Policies: numbered, immutable sets of the parameters that audits run under."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from auditing.core.policy import Followers, Grain, Openings, RoutedBy, SlashBasis
from auditing.models.choices import values


class PolicyVersion(models.Model):
    """One numbered set of parameters. Final by trigger; a change is the next version.

    The constraint `a_policy_is_usable` holds every range of core.policy.checks in the database too.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(unique=True)  # 1, 2, 3, ...: the name that leaves and pages use
    name = models.CharField(max_length=80)
    body = models.JSONField()  # as auditing.core.policy.text.to_json wrote it
    digest = models.BinaryField(max_length=32)  # SHA-256 of the canonical JSON, as the params.policy leaf states it
    # the version that it was edited from
    follows = models.ForeignKey("self", models.PROTECT, null=True, related_name="successors")
    # NULL: installed with the system
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(body__has_key="openings") | models.Q(body__openings__in=values(Openings)),
                name="a_policy_says_who_keeps_openings",
            ),
            models.CheckConstraint(
                condition=~models.Q(body__has_key="grain") | models.Q(body__grain__in=values(Grain)),
                name="a_policy_says_what_is_judged",
            ),
            models.CheckConstraint(
                condition=(~models.Q(body__has_key="planner") | models.Q(body__planner__in=(True, False)))
                & (~models.Q(body__planner=True) | models.Q(body__trace_rule="first_error", body__order="parallel")),
                name="a_policy_plans_by_its_own_rule",
            ),
            models.CheckConstraint(
                condition=(~models.Q(body__has_key="first_seats") | models.Q(body__first_seats__gte=1))
                & (~models.Q(body__has_key="wave_seats") | models.Q(body__wave_seats__gte=1))
                & (~models.Q(body__has_key="cap") | models.Q(body__cap__gte=1)),
                name="a_wave_has_seats",
            ),
            models.CheckConstraint(
                condition=(~models.Q(body__has_key="passage_least") | models.Q(body__passage_least__range=(1, 10_000)))
                & (~models.Q(body__has_key="passage_most") | models.Q(body__passage_most__range=(100, 10_000)))
                & (~models.Q(body__has_key="one_unit_below") | models.Q(body__one_unit_below__range=(0, 10_000))),
                name="a_passage_has_sizes",
            ),
            models.CheckConstraint(
                condition=~models.Q(body__has_key="slashing") | models.Q(body__slashing__in=values(SlashBasis)),
                name="a_policy_says_what_slashing_reads",
            ),
            models.CheckConstraint(
                condition=~models.Q(body__has_key="routed_by") | models.Q(body__routed_by__in=values(RoutedBy)),
                name="a_policy_says_who_orders_tiers",
            ),
            models.CheckConstraint(
                condition=~models.Q(body__has_key="followers") | models.Q(body__followers__in=values(Followers)),
                name="a_policy_says_what_followers_are_worth",
            ),
        ]

    def __str__(self) -> str:
        return f"policy {self.number}: {self.name}"
