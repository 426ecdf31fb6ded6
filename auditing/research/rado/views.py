"""RADO loops: evaluations in, hard samples to people, corrections, training rows out, PROOF beside experts."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods

from accounts.forms import WholeNumberField
from accounts.parameters import read_number, read_text
from accounts.permissions import requires_role
from auditing.research.exports.download import streamed
from auditing.research.exports.tables import chosen_table
from auditing.research.imported_votes.records import VotesRefusedError, records_of
from auditing.research.permissions import RESEARCHERS, researcher_of
from auditing.research.rado import selectors as loops
from auditing.research.rado import services
from auditing.research.rado.core import Task, write_dialogue
from auditing.research.rado.core.evaluations import CorrectionTag, suggest_tags, wrong_results
from auditing.research.rado.records import ItemsRefusedError, read_items
from auditing.research.rado.services.sampling import MOST_SAMPLES
from auditing.research.rado.training_rows import training_rows
from auditing.research.selectors import endpoints_for_traces
from auditing.research.studies.instruments.runner import Cell, Table

if TYPE_CHECKING:
    from accounts.models import User
    from auditing.research.models import TrainingLoop

MOST_ITERATIONS = 32_767  # what the column of their number holds
DIMENSIONS = {"rc": "reasoning completeness", "ds": "domain safety", "fa": "factual accuracy"}


class LoopForm(forms.Form):
    """A new loop."""

    title = forms.CharField(max_length=120)


class IterationForm(forms.Form):
    """The evaluations of one iteration."""

    file = forms.FileField(
        label="JSONL file",
        help_text="A line: id, problem, prompt, evaluation, audit (optional). An evaluation begins with two "
        "scores of 0 or 1, of the reasoning and of the answer, then says why: [1, 0] The last sum is wrong.",
    )
    reward_model = forms.CharField(max_length=120, required=False, label="Reward model, if the file brings evaluations")
    reward_endpoint: "forms.ModelChoiceField[Any]" = forms.ModelChoiceField(
        None,
        required=False,
        empty_label="none: the file brings evaluations",
        label="Endpoint that evaluates",
        help_text="Then a line needs id, problem, and question and response (or prompt, both in one); gold if known.",
    )
    samples = WholeNumberField(
        min_value=1,
        max_value=MOST_SAMPLES,
        initial=8,
        required=False,
        label="Evaluations of each response",
        help_text="Only with an endpoint that evaluates; the paper takes 8.",
    )
    audit_model = forms.CharField(max_length=120, required=False, label="Audit model, if the file brings audits")
    endpoint: "forms.ModelChoiceField[Any]" = forms.ModelChoiceField(
        None,
        required=False,
        empty_label="none: the file brings audits",
        label="Endpoint that audits what has no audit",
        help_text="It must be allowed to see whole traces.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        whole_trace_endpoints = endpoints_for_traces()
        for name in ("endpoint", "reward_endpoint"):
            self.fields[name].queryset = whole_trace_endpoints  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Somebody must evaluate."""
        cleaned = super().clean() or {}
        if not cleaned.get("reward_endpoint") and not cleaned.get("reward_model"):
            self.add_error("reward_model", "Name the model whose evaluations the file brings, or choose an endpoint.")
        return cleaned

    def clean_file(self) -> Any:
        """Up to the limit of an upload."""
        file, largest = self.cleaned_data["file"], settings.TRUST_MAX_TRACE_BYTES * 20
        if file.size > largest:
            raise forms.ValidationError(f"The file has {file.size} bytes; {largest} are allowed.")
        return file


class CorrectionForm(forms.Form):
    """A person's judgement of one audit."""

    label = forms.TypedChoiceField(
        coerce=int,
        choices=[(1, "the evaluation is right"), (0, "the evaluation is wrong")],
        widget=forms.RadioSelect,
        label="Your judgement",
    )
    audit = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10}),
        label="The audit, corrected",
        help_text="Tool calls, logic and answer in the tag format. As it stands, it is confirmed.",
    )
    better = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="A better evaluation",
        help_text="Scores and why, for example: [0, 1] The third step adds twice.",
    )
    tags = forms.MultipleChoiceField(
        required=False,
        choices=[(str(tag), str(tag).replace("_", " ")) for tag in CorrectionTag],
        widget=forms.CheckboxSelectMultiple,
    )


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def loop_list(request: HttpRequest) -> HttpResponse:
    """Loops, and a new one."""
    form = LoopForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return redirect(
            "auditing:rado_loop", loop_id=services.open_loop(owner=researcher_of(request), **form.cleaned_data).pk
        )
    context = {"form": form, "loops": loops.newest_loops()[:50]}
    return render(request, "research/rado/page.html", context, status=400 if form.errors else 200)


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def loop_page(request: HttpRequest, loop_id: UUID) -> HttpResponse:
    """One loop: iterations, the next one, and its files."""
    loop = _get(loop_id)
    form = IterationForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            _start(loop, researcher_of(request), form.cleaned_data)
        except (VotesRefusedError, services.EvaluationsRefusedError, ItemsRefusedError) as error:
            for problem in error.problems:
                form.add_error("file", problem)
        else:
            return redirect("auditing:rado_loop", loop_id=loop.pk)
    context = {
        "loop": loop,
        "form": form,
        "figures": (figures := loops.figures_of(loop=loop)),
        "has_rates": any(line.tools.audits for line in figures),
        "waiting": loops.queue_of(loop=loop).count(),
        "tasks": [str(task) for task in Task],
        "can_audit": form.fields["endpoint"].queryset.exists(),  # type: ignore[attr-defined]
    }
    return render(request, "research/rado/loop.html", context, status=400 if form.errors else 200)


def _start(loop: "TrainingLoop", owner: "User", values: dict[str, Any]) -> None:
    records = records_of(data=values["file"].read(), name=values["file"].name)
    if values["reward_endpoint"]:
        services.start_sampling(
            loop=loop,
            owner=owner,
            items=read_items(records=records),
            reward=values["reward_endpoint"],
            samples=values["samples"] or 1,
            endpoint=values["endpoint"],
        )
        return
    services.start_iteration(
        loop=loop,
        owner=owner,
        evaluations=services.read_evaluations(records=records),
        reward_model=values["reward_model"],
        audit_model=values["audit_model"],
        endpoint=values["endpoint"],
    )


@requires_role(*RESEARCHERS)
@require_GET
def queue_page(request: HttpRequest, loop_id: UUID) -> HttpResponse:
    """The next hard sample that nobody has looked at."""
    loop = _get(loop_id)
    first = loops.queue_of(loop=loop).first()
    if first is None:
        messages.success(request, "No hard sample waits.")
        return redirect("auditing:rado_loop", loop_id=loop.pk)
    return redirect("auditing:rado_correction", evaluation_id=first.pk)


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def correction_page(request: HttpRequest, evaluation_id: UUID) -> HttpResponse:
    """One audited evaluation: confirm, or correct calls, logic and label, with tags."""
    evaluation = loops.find_audited(evaluation_id=evaluation_id)
    if evaluation is None:
        raise Http404
    value = loops.value_of(evaluation)
    initial = {
        "audit": write_dialogue(value.audit),
        "label": value.audit.score,
        "tags": list(suggest_tags(audited=value)),
    }
    form = CorrectionForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        # Browsers send line feeds of a text area as CR LF, which would look like a correction.
        values = {**form.cleaned_data, "audit": form.cleaned_data["audit"].replace("\r\n", "\n")}
        try:
            services.correct(evaluation=evaluation, corrector=researcher_of(request), **values)
        except services.CorrectionRefusedError as error:
            form.add_error(None, str(error))
        else:
            return redirect("auditing:rado_queue", loop_id=evaluation.iteration.loop_id)
    wrong = set(wrong_results(value.audit))
    parts = [(number, piece, number in wrong) for number, piece in enumerate(value.audit.parts)]
    context = {
        "evaluation": evaluation,
        "value": value,
        "parts": parts,
        "form": form,
        "waiting": loops.queue_of(loop=evaluation.iteration.loop).count(),
    }
    return render(request, "research/rado/correction.html", context, status=400 if form.errors else 200)


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def proof_page(request: HttpRequest, loop_id: UUID) -> HttpResponse:
    """PROOF scores, experts' kappa, models beside experts; POST takes a file of scores."""
    loop = _get(loop_id)
    if request.method == "POST" and "file" in request.FILES:
        file = request.FILES["file"]
        try:
            records = records_of(data=file.read(), name=file.name or "")  # type: ignore[union-attr]
            messages.success(request, f"{services.take_proof_scores(loop=loop, records=records)} scores taken in.")
        except (VotesRefusedError, services.EvaluationsRefusedError) as error:
            messages.error(request, "Nothing was taken in. " + "; ".join(error.problems[:5]))
        return redirect("auditing:rado_proof", loop_id=loop.pk)
    figures = loops.proof_of(loop=loop)
    rows: list[list[Cell]] = [
        [
            evaluation,
            proof.score,
            proof.spread,
            ", ".join(f"{name} {score:.2f}" for name, score in proof.by_judge.items()),
        ]
        for evaluation, proof in figures.items.items()
    ]
    tables = [Table("PROOF by item", ("item", "PROOF, 1 to 7", "spread of judges", "judges"), rows)]
    if figures.beside:
        gaps: list[list[Cell]] = [
            [evaluation, DIMENSIONS[name], expert, model, model - expert]
            for evaluation, name, expert, model in figures.beside
        ]
        columns = ("item", "dimension", "experts", "models", "models minus experts")
        # Largest gaps first.
        tables.append(Table("Models beside experts", columns, sorted(gaps, key=lambda row: -abs(float(str(row[4]))))))
    answer = chosen_table(tables=tables, asked=read_number(request.GET, "csv"), name="proof")
    context = {"loop": loop, "tables": tables, "alignment": figures.alignment}
    return answer or render(request, "research/rado/proof.html", context)


@requires_role(*RESEARCHERS)
@require_GET
def training_file(request: HttpRequest, loop_id: UUID, task: str) -> HttpResponseBase:
    """Training rows as JSONL; ?upto=k takes iterations 0 to k, ?split=train one split, ?balance=1 evens DPO classes."""
    loop, upto = _get(loop_id), read_number(request.GET, "upto", most=MOST_ITERATIONS)
    if task not in tuple(Task):
        raise Http404
    is_balanced = read_number(request.GET, "balance") == 1
    rows = training_rows(loop=loop, task=Task(task), upto=upto, is_balanced=is_balanced)
    answer = streamed(request, _lines(rows, read_text(request.GET, "split")), "application/jsonl")
    answer["Content-Disposition"] = content_disposition_header(True, f"rado-{task}.jsonl") or "attachment"
    return answer


def _lines(rows: Iterator[dict[str, Any]], split: str) -> Iterator[bytes]:
    for row in rows:
        if not split or row["meta"]["split"] == split:
            yield (json.dumps(row, ensure_ascii=False) + "\n").encode()


def _get(loop_id: UUID) -> "TrainingLoop":
    loop = loops.find_loop(loop_id=loop_id)
    if loop is None:
        raise Http404
    return loop
