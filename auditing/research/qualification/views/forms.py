"""The form of an endpoint: its address is checked as a call would check it; a key goes in and never comes out."""

from typing import Any

from django import forms

from accounts.forms import spelt_field
from auditing.models import Campaign, Document, PolicyVersion
from auditing.services.model_tier.new_endpoint import LONGEST_WAIT, TERMS, refused_fields
from auditing.services.model_tier.origins import allowed_origins
from hdag.chat.address import check_leads_outside, leads_elsewhere
from hdag.chat.dialects.table import DIALECTS, find_dialect
from hdag.chat.errors import AddressRefusedError
from hdag.models import Endpoint

_UNSET = "Empty: as the dialect says."


def in_own_words(choices: Any) -> list[Any]:
    """Choices whose label only repeats a name of our code ("Tokens", "Yes") are read by their values ("max_tokens")."""
    made_up = {*Endpoint.MaySee, Endpoint.Limit.TOKENS, Endpoint.Limit.COMPLETION, *Endpoint.Sends}
    return [(value, value if value in made_up else label) for value, label in choices]


class EndpointForm(forms.ModelForm):  # type: ignore[type-arg]
    """Everything an admin sets; `key` is write-only."""

    key = forms.CharField(
        required=False,
        max_length=500,
        label="Key",
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Encrypted at rest and never shown again. Leave empty to keep the one that is stored.",
    )

    base_url = forms.URLField(
        assume_scheme="https",
        max_length=300,
        label="Base URL",
        help_text="https, or an origin that TRUST_CHAT_ALLOWED_ORIGINS lists. Ends in /v1 for most servers.",
    )

    dialect = forms.ChoiceField(
        choices=[("", "As the address says")] + [(dialect.name, dialect.title) for dialect in DIALECTS.values()],
        required=False,
        help_text="What the server accepts. A probe finds it out for any server, and fills in the fields below.",
    )

    class Meta:
        model = Endpoint
        formfield_callback = spelt_field
        fields = (
            "name",
            "base_url",
            "model",
            "family",
            "dialect",
            "key_variable",
            "may_see",
            "asks",
            "searches",
            "price_in",
            "price_out",
            "price_cached",
            "daily_cap",
            "audit_cap",
            "max_concurrency",
            "timeout_seconds",
            "retries",
            "batches",
            *TERMS,
            "enabled",
        )
        labels = {
            "key_variable": "Environment variable with the key",
            "price_in": "Price in",
            "price_out": "Price out",
            "price_cached": "Price of cached tokens in",
            "answers_as": "Answers under the name",
            "limit_field": "Name of the token limit",
            "most_tokens": "Longest answer",
            "extra_body": "Further fields of a request",
            "batches": "Ask in batches, at half the price",
            "logprobs": "Log-probabilities of tokens",
            "searches": "May search the operator's documents",
            "may_see": "May see",
        }
        help_texts = {
            "family": "Whose model it is, for example qwen. No family judges its own traces.",
            "key_variable": "Its name must end in _API_KEY. Takes the place of a pasted key.",
            "may_see": "Whole traces only where the provider of a trace agrees as well.",
            "asks": "With tools it calculates, checks, converts and looks up before it votes; asked whether a segment "
            "follows, it answers in one of seven words, and votes as the word says.",
            "price_in": "Per million tokens.",
            "price_out": "Per million tokens.",
            "price_cached": "Per million tokens; empty: as any other token in.",
            "retries": "After a failed attempt; empty: 3.",
            "answer_mode": f"How it is asked for JSON. {_UNSET}",
            "limit_field": _UNSET,
            "temperature": f"Reasoning models refuse one. {_UNSET}",
            "system_role": f"Left out: its words stand before the user's. {_UNSET}",
            "reasoning_effort": "Such as low or high, where the model knows it.",
            "thinking_tokens": f"Room beside the answer, for a model that thinks first. {_UNSET}",
            "most_tokens": f"Tokens, thinking included. {_UNSET}",
            "context_tokens": _UNSET,
            "extra_body": "A JSON object that is added to every request.",
            "answers_as": "A deployment or alias answers under another name than the one asked for; * is any.",
            "batches": "Answers come within a day: for studies, and for rounds whose window leaves that much time. The "
            "server must have OpenAI's Batch API.",
            "logprobs": f"Then a yes or no is read with its probability, and asked once. {_UNSET}",
            "daily_cap": "No call goes out that could carry a day over it.",
            "audit_cap": "No call goes out that could carry one audit over it.",
            "timeout_seconds": f"Of one attempt, 1 to {LONGEST_WAIT}.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("may_see", "limit_field", "temperature", "system_role", "logprobs"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = in_own_words(field.choices)

    def clean_base_url(self) -> str:
        """Refused here is what a call would refuse."""
        # Server-side request forgery: no admin's typing error may make us call the metadata service or a neighbour.
        url = str(self.cleaned_data["base_url"])
        try:
            check_leads_outside(url=url, allowed=allowed_origins())
        except AddressRefusedError as error:
            raise forms.ValidationError(str(error)) from None
        return url

    def clean_key_variable(self) -> str:
        """Only a variable made for keys can be named."""
        # Otherwise SECRET_KEY could be named here, and would be sent to the endpoint as its key.
        name = str(self.cleaned_data["key_variable"]).strip()
        if name and not (name.isascii() and name.replace("_", "A").isalnum() and name.endswith("_API_KEY")):
            raise forms.ValidationError("The name must end in _API_KEY, so that no other secret can be named.")
        return name

    def clean_extra_body(self) -> dict[str, Any] | None:
        """An object that adds fields and replaces none of those that we send."""
        fields: dict[str, Any] | None = self.cleaned_data["extra_body"]
        if words := refused_fields(extra_body=fields):
            raise forms.ValidationError(words)
        return fields

    def clean_timeout_seconds(self) -> int:
        """A wait that a task can last."""
        seconds = int(self.cleaned_data["timeout_seconds"])
        if not 1 <= seconds <= LONGEST_WAIT:
            raise forms.ValidationError(f"From 1 to {LONGEST_WAIT} seconds.")
        return seconds

    def clean(self) -> dict[str, Any]:
        """Prices and caps are not negative, and somebody is let in at a time."""
        cleaned = super().clean() or {}
        if not cleaned.get("dialect"):
            address, model = cleaned.get("base_url", ""), cleaned.get("model", "")
            cleaned["dialect"] = find_dialect(base_url=address, model=model).name
        # Whoever changes the address alone would be sent the key that was stored for another one.
        if self._leads_elsewhere(cleaned) and not (cleaned.get("key") or cleaned.get("key_variable")):
            self.add_error("key", "The address leads to another server now: paste the key again, meant for that one.")
        for name in ("price_in", "price_out", "price_cached", "daily_cap", "audit_cap"):
            if cleaned.get(name) is not None and cleaned[name] < 0:
                self.add_error(name, "Not below 0.")
        if cleaned.get("max_concurrency") == 0:
            self.add_error("max_concurrency", "At least 1.")
        return cleaned

    def _leads_elsewhere(self, cleaned: dict[str, Any]) -> bool:
        """Whether a stored key would go to another scheme, host or port than before."""
        if not self.instance.wrapped_key or "base_url" not in cleaned:
            return False
        return leads_elsewhere(before=str(self.initial["base_url"]), after=str(cleaned["base_url"]))


class ConsentForm(forms.Form):
    """That texts of a campaign, under a policy, go to an endpoint's server."""

    endpoint = forms.ModelChoiceField(Endpoint.objects.filter(enabled=True).order_by("name"))
    campaign = forms.ModelChoiceField(
        Campaign.objects.order_by("-created"), required=False, empty_label="traces in no campaign"
    )
    policy = forms.ModelChoiceField(PolicyVersion.objects.order_by("-number"))
    extent = forms.ChoiceField(choices=in_own_words(Endpoint.MaySee.choices), label="What goes there")


class DocumentForm(forms.ModelForm):  # type: ignore[type-arg]
    """A document for audit models to search."""

    class Meta:
        model = Document
        fields = ("title", "text")
        widgets = {"text": forms.Textarea(attrs={"rows": 8})}
