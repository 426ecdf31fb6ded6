"""The form of a causal audit: which traces, which segments, which changes, and who runs on."""

from typing import TYPE_CHECKING, Any

from django import forms

from accounts.forms import WholeNumberField
from auditing.research.causal import services
from auditing.research.causal.core import Design, InterventionKind, Mode, Pick
from auditing.research.causal.selectors import audits_to_choose
from auditing.research.selectors import endpoints_for_traces

if TYPE_CHECKING:
    from accounts.models import User

PICKS = (
    (Pick.EVERY, "every step before the answer"),
    (Pick.BEARING, "every step that the answer rests on"),
    (Pick.FIRST, "the first step longer than 10 characters (the paper's choice)"),
    (Pick.CHOSEN, "the steps named below"),
)
TYPES = (
    (Mode.ADAPTIVE, "adaptive: the first type that fits the step"),
    (Mode.RANDOM, "random: a type that fits, drawn from the seed"),
    (Mode.EACH, "each type that fits, one trial each"),
    *((kind, f"{str(kind).replace('_', ' ')} only") for kind in InterventionKind),
)


class BatchForm(forms.Form):
    """Which traces, and what is done with them."""

    title = forms.CharField(max_length=120, initial="Causal audit")
    audits: "forms.ModelMultipleChoiceField[Any]" = forms.ModelMultipleChoiceField(
        None, required=False, label="Recorded audits"
    )
    public = WholeNumberField(
        min_value=0, max_value=services.MOST_PUBLIC, initial=30, label="Public traces (GSM8K) beside them"
    )
    queries = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Queries, one a line",
        help_text="The endpoint writes the reasoning of each first, then runs on from every change of it.",
    )
    pick = forms.ChoiceField(choices=PICKS, initial=Pick.EVERY, required=False, label="Steps to change")
    chosen = forms.CharField(
        required=False, max_length=400, label="Named steps", help_text="Labels such as ST2 ST5; only for named steps."
    )
    together = forms.BooleanField(required=False, label="Change all of these steps of a trace at once")
    type = forms.ChoiceField(choices=TYPES, initial=Mode.ADAPTIVE, required=False, label="Type of change")
    agent: "forms.ModelChoiceField[Any]" = forms.ModelChoiceField(
        None,
        required=False,
        empty_label="nobody: written computations are carried out again",
        label="Who runs on from the change",
        help_text="With an endpoint, its model goes on from there, with tools.",
    )
    critic: "forms.ModelChoiceField[Any]" = forms.ModelChoiceField(
        None,
        required=False,
        empty_label="rules",
        label="Who makes the change",
        help_text="A model as critic needs an endpoint that runs on.",
    )
    seed = WholeNumberField(min_value=0, max_value=2**31 - 1, initial=1)

    def __init__(self, *args: Any, user: "User", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["audits"]
        field.queryset = audits_to_choose(user=user)
        field.label_from_instance = lambda audit: audit.trace.title
        whole_trace_endpoints = endpoints_for_traces()
        for name in ("agent", "critic"):
            self.fields[name].queryset = whole_trace_endpoints  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Something must be asked for, and what is named must be named."""
        cleaned = super().clean() or {}
        queries = self._queries()
        if not cleaned.get("audits") and not cleaned.get("public") and not queries:
            self.add_error("public", "Choose audits, public traces or queries.")
        if queries and not cleaned.get("agent"):
            self.add_error("queries", "A query needs an endpoint that writes its reasoning.")
        if len(queries) > services.MOST_QUERIES or any(len(query) > services.LONGEST_QUERY for query in queries):
            most = f"At most {services.MOST_QUERIES} queries of {services.LONGEST_QUERY} characters each."
            self.add_error("queries", most)
        if cleaned.get("pick") == Pick.CHOSEN and not (cleaned.get("chosen") or "").split():
            self.add_error("chosen", "Name the steps, for example ST2 ST5.")
        if cleaned.get("critic") and not cleaned.get("agent"):
            self.add_error("critic", "A critic needs an endpoint that runs on from what it changed.")
        return cleaned

    def _queries(self) -> tuple[str, ...]:
        lines = (self.cleaned_data.get("queries") or "").splitlines()
        return tuple(line.strip() for line in lines if line.strip())

    def asked(self) -> dict[str, Any]:
        """The arguments of causal.services.ask."""
        cleaned = self.cleaned_data
        # One field of the form serves two columns: a mode (adaptive, random, each) or one type alone.
        fixed_type = cleaned["type"] if cleaned["type"] in tuple(InterventionKind) else None
        design = Design(
            pick=Pick(cleaned["pick"] or Pick.EVERY),
            chosen=tuple(cleaned["chosen"].replace(",", " ").split()),
            mode=Mode.FIXED if fixed_type else Mode(cleaned["type"] or Mode.ADAPTIVE),
            kind=InterventionKind(fixed_type) if fixed_type else None,
            together=cleaned["together"],
            seed=cleaned["seed"],
        )
        helpers = services.Helpers(cleaned["agent"], cleaned["critic"], self._queries())
        return {name: cleaned[name] for name in ("title", "audits", "public")} | {"design": design, "helpers": helpers}
