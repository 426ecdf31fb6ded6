"""Forms of a campaign: a new one, and other terms of one that runs."""

from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone

from accounts.forms import MomentField, WholeNumberField
from auditing.models import Campaign, PolicyVersion
from auditing.research.policy_lab.core.windows import short_windows
from auditing.selectors.clock import database_now
from auditing.selectors.policy.versions import load_policy


class CampaignForm(forms.Form):
    """A new campaign, or other terms of one."""

    title = forms.CharField(max_length=160)
    domain = forms.CharField(
        max_length=60, required=False, help_text="For example: medicine. Lists are searched by it."
    )
    language = forms.CharField(
        max_length=40,
        required=False,
        help_text="For example: German. Reviewers who name languages are drawn only if this is one of them.",
    )
    policy = forms.ModelChoiceField(
        PolicyVersion.objects.none(), empty_label=None, help_text="Audits keep the policy they began under."
    )
    guidelines = forms.CharField(widget=forms.Textarea(attrs={"rows": 6}), max_length=20_000, required=False)
    deadline = MomentField(
        required=False,
        help_text="Shown with a forecast; nothing is cut off by it.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )

    typed_deadline: datetime | None = None  # what the forecast is told by, refused or not

    def __init__(self, *args: Any, policy: PolicyVersion | None = None, **kwargs: Any) -> None:
        """policy: the only one that may be chosen; None for all."""
        super().__init__(*args, **kwargs)
        versions = PolicyVersion.objects.order_by("-number")
        chosen = self.fields["policy"]
        chosen.queryset = (  # type: ignore[attr-defined]
            versions if policy is None else versions.filter(pk=policy.pk)
        )
        # What is typed is read in the zone that this request stands in (trustweb/middleware/reader_zone.py).
        self.fields["deadline"].label = f"Deadline (time zone {timezone.get_current_timezone_name()})"
        # Read once: the element looks at the first choice before it writes them all, and a bare list() counts them.
        chosen.choices = list(iter(chosen.choices))  # type: ignore[attr-defined]

    def clean_policy(self) -> PolicyVersion:
        """One that gives people time to vote, unless it is the one that stands: versions older than the floor exist."""
        version: PolicyVersion = self.cleaned_data["policy"]
        is_short = next(short_windows(policy=load_policy(version=version)), None)
        if is_short is not None and version != self.initial.get("policy"):
            raise forms.ValidationError(f"Of policy {version.number}, {is_short.field} {is_short.problem}")
        return version

    def clean_deadline(self) -> datetime | None:
        """Ahead, unless it is the one that stands already: who changes the title of a late campaign may go on."""
        deadline: datetime | None = self.cleaned_data["deadline"]
        standing = self.initial.get("deadline")
        # The field shows minutes: a deadline that stands loses its seconds on the way.
        is_standing = standing is not None and deadline == standing.replace(second=0, microsecond=0)
        if deadline is None or is_standing:
            return standing if is_standing else None
        self.typed_deadline = deadline
        if deadline <= database_now():
            raise forms.ValidationError("The deadline has passed already.")
        return deadline


class NewCampaignForm(CampaignForm):
    """A new campaign, with what its feasibility is told by."""

    traces = WholeNumberField(
        label="How many traces are to come",
        min_value=1,
        max_value=1_000_000,
        required=False,
        help_text="Stored nowhere: it tells below whether the deadline can be met.",
    )


class TermsForm(CampaignForm):
    """Other terms of a campaign; guidelines have versions and a form of their own."""

    guidelines = None  # type: ignore[assignment]


def terms_form(campaign: Campaign, data: QueryDict | None = None, *, is_admin: bool) -> TermsForm:
    """The form of a campaign's terms as they are, or as `data` would change them."""
    names = ("title", "domain", "language", "policy", "deadline")
    initial = {name: getattr(campaign, name) for name in names}
    # A policy says what is paid and which models are asked: another one is an admin's to choose.
    return TermsForm(data, initial=initial, prefix="terms", policy=None if is_admin else campaign.policy)
