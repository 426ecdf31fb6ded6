"""Forms of a campaign: a new one, and other terms of one that runs."""

from typing import Any

from django import forms
from django.http import QueryDict

from auditing.models import Campaign, PolicyVersion


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
    deadline = forms.DateTimeField(
        label="Deadline (UTC)",
        required=False,
        help_text="Shown with a forecast; nothing is cut off by it.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )

    def __init__(self, *args: Any, policy: PolicyVersion | None = None, **kwargs: Any) -> None:
        """policy: the only one that may be chosen; None for all."""
        super().__init__(*args, **kwargs)
        versions = PolicyVersion.objects.order_by("-number")
        chosen = self.fields["policy"]
        chosen.queryset = (  # type: ignore[attr-defined]
            versions if policy is None else versions.filter(pk=policy.pk)
        )
        # Read once: the element looks at the first choice before it writes them all, and a bare list() counts them.
        chosen.choices = list(iter(chosen.choices))  # type: ignore[attr-defined]


class NewCampaignForm(CampaignForm):
    """A new campaign, with what its feasibility is told by."""

    traces = forms.IntegerField(
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
