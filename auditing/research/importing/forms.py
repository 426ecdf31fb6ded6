"""Forms that hand traces in; the API reads the same limits."""

from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat

from accounts.permissions import Person
from auditing.models import Campaign
from auditing.selectors.campaigns.lookup import open_campaigns
from auditing.selectors.intake.decomposition import BY_MODEL, DECOMPOSERS, RULES, is_model_ready
from auditing.services.intake.submission import limits
from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers import FORMATS
from hdag.readers.files import MAX_LINES
from hdag.readers.mapping import OURS, PRESETS
from hdag.readers.provider_tags import read_tags
from hdag.readers.records import read_record

DOMAINS = ("school maths", "competition maths", "finance", "medicine", "law", "programming", "other")


def largest_file() -> int:
    """Bytes of a file of traces."""
    return limits().text_bytes * 20


class GraphForm(forms.Form):
    """Who makes the graph, and whether models may see the whole trace, which a model needs for it."""

    decomposer = forms.ChoiceField(choices=DECOMPOSERS, required=False, label="Graph made by")
    whole_to_models = forms.BooleanField(required=False, label="Language models may see the whole trace")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_model_ready():
            self.fields[
                "decomposer"
            ].help_text = (
                "No endpoint may see whole traces now: rules would stand in for a model, and the graph's page says so."
            )

    def clean_decomposer(self) -> str:
        """Rules when nothing was chosen."""
        return self.cleaned_data["decomposer"] or RULES

    def clean(self) -> dict[str, Any]:
        """A model needs the agreement that stands beside it."""
        cleaned = super().clean() or {}
        if cleaned.get("decomposer") in BY_MODEL and not cleaned.get("whole_to_models"):
            self.add_error("whole_to_models", "A language model makes the graph only of a trace that it may see whole.")
        return cleaned


class CampaignChoice(GraphForm):
    """Where a trace goes: a campaign that takes traces of this provider."""

    campaign = forms.ModelChoiceField(Campaign.objects.none(), empty_label=None)
    tags = forms.CharField(
        max_length=500, required=False, help_text="Words to sort by, with commas between: searched and exported."
    )

    def __init__(self, *args: Any, user: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Set for each form, not for the class: the class is built once, campaigns open and close.
        self.fields["campaign"].queryset = open_campaigns(user=user)  # type: ignore[attr-defined]

    def clean_tags(self) -> tuple[str, ...]:
        """The words between the commas, by the rules of the API."""
        try:
            return read_tags(words=self.cleaned_data["tags"].split(","), where="form")
        except BadRecordError as error:
            raise forms.ValidationError(error.reason) from error


class TraceForm(CampaignChoice):
    """One trace, typed or pasted in."""

    title = forms.CharField(max_length=200, required=False, help_text="Shown in lists. Never put trace text here.")
    # Nothing beforehand: what nobody chose would send a question of law to reviewers of the first field in the list.
    domain = forms.ChoiceField(
        choices=[("", "none named"), *((name, name) for name in DOMAINS)],
        required=False,
        label="Field",
        help_text="Reviewers of this field are asked; without one, reviewers of any.",
    )
    problem = forms.CharField(widget=forms.Textarea(attrs={"rows": 4}), strip=False)
    thinking = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 12}),
        required=False,
        strip=False,
    )
    answer = forms.CharField(widget=forms.Textarea(attrs={"rows": 2}), required=False, strip=False)
    model = forms.CharField(max_length=200, required=False, help_text="Which model wrote it. Never shown to auditors.")
    reference_answer = forms.CharField(required=False, help_text="The right answer, if known. Never shown to auditors.")
    copy = forms.BooleanField(required=False, label="This text was handed in before; audit it once more")
    id = forms.CharField(max_length=200, required=False, label="Your own id", help_text="Shown, searched, exported.")
    field_order = (
        *(
            "campaign",
            "title",
            "id",
            "tags",
            "domain",
            "problem",
            "thinking",
            "answer",
            "model",
            "reference_answer",
            "copy",
        ),
    )

    trace: Trace

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        most = filesizeformat(limits().text_bytes)
        self.fields["thinking"].help_text = f"The reasoning, as it was written. A trace has at most {most} of text."

    def clean(self) -> dict[str, Any]:
        """Read the record with the reader of the API, so that both refuse the same."""
        cleaned = super().clean() or {}
        # A field that failed is missing here: the reader would only complain about it a second time.
        if self.errors:
            return cleaned
        if not (cleaned["thinking"].strip() or cleaned["answer"].strip()):
            # The reader speaks of steps as well, which this form does not have.
            self.add_error("thinking", "Thinking and answer are both blank: there is nothing to audit.")
            return cleaned
        names = ("id", "title", "domain", "problem", "thinking", "answer", "model", "reference_answer")
        record = {name: _newlines(cleaned.get(name) or "") for name in names}
        try:
            self.trace = read_record(record, where="form", limits=limits())
        except BadRecordError as error:
            self.add_error(error.field if error.field in self.fields else None, error.reason)
        return cleaned


class TraceFileForm(CampaignChoice):
    """A file of traces: in a format that hdag reads, of a known data set, or with its fields named one by one."""

    format = forms.ChoiceField(
        choices=[("", "found for each record"), *((name, name) for name in FORMATS)],
        required=False,
        help_text="The audit record has problem, thinking, answer, steps; logs of chats and agents are read too.",
    )
    preset = forms.ChoiceField(
        choices=[("", "none"), *((name, name) for name in PRESETS)],
        required=False,
        label="Known data set",
        help_text="Its fields are read as ours; the preview says which fits.",
    )
    file = forms.FileField(label="File")
    field_order = ("campaign", "file", "tags", "preset", "format")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        preset = PRESETS.get(str(self.data.get("preset") or ""), {})
        largest = largest_file()
        self.fields["file"].widget.attrs["data-most-bytes"] = largest
        self.fields["file"].help_text = (
            f"JSON lines, one JSON document, or a history of aider, in UTF-8; a log of Inspect AI (.eval), or a zip of "
            f"such files: at most {filesizeformat(largest)} and {MAX_LINES:,} lines, each trace at most "
            f"{filesizeformat(limits().text_bytes)} of text."
        )
        for name in OURS:
            # The preset stands in the field as a hint: what is typed there goes before it.
            widget = forms.TextInput(
                attrs={"list": "columns", "placeholder": preset.get(name, ""), "autocomplete": "off"}
            )
            self.fields[f"map_{name}"] = forms.CharField(
                max_length=200, required=False, label=name.replace("_", " ").capitalize(), widget=widget
            )

    @property
    def source(self) -> list[forms.BoundField]:
        """The fields that say what the file is and where it goes."""
        return [bound for bound in self if not bound.name.startswith("map_")]

    @property
    def mapped(self) -> list[forms.BoundField]:
        """The fields that say where ours are found."""
        return [self[f"map_{name}"] for name in OURS]

    @property
    def mapping(self) -> dict[str, str]:
        """Ours -> theirs, as chosen and typed; empty where records are read as they are."""
        typed = {name: self.cleaned_data.get(f"map_{name}", "") for name in OURS}
        return {**PRESETS.get(self.cleaned_data["preset"], {}), **{name: path for name, path in typed.items() if path}}

    def clean_file(self) -> Any:
        """Only JSON, a history or an archive by its name, only up to the limit."""
        file = self.cleaned_data["file"]
        largest = largest_file()
        if not file.name.lower().endswith((".jsonl", ".ndjson", ".json", ".md", ".eval", ".zip")):
            raise forms.ValidationError(
                "The file name must end in .jsonl, .json, .eval or .zip, or in .md for a history of aider."
            )
        if file.size > largest:
            raise forms.ValidationError(
                f"The file has {filesizeformat(file.size)}; at most {filesizeformat(largest)} are taken at once. "
                "Cut it into several files, between two lines."
            )
        return file


def _newlines(text: str) -> str:
    """Browsers send CRLF; a trace has the line ends of the text that was pasted."""
    return text.replace("\r\n", "\n")
