"""Causal audits: asking for a batch, its classes with intervals, and each trial with both traces side by side."""

from difflib import SequenceMatcher
from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts.permissions import requires_role
from auditing.core.faithfulness import Rate
from auditing.models import Audit, CausalBatch, CausalTrial
from auditing.permissions import may_read_audit
from auditing.selectors.audits import readable
from auditing.services import causal
from auditing.studies.runner import Cell, Table
from auditing.views.research.exports import RESEARCHERS
from auditing.views.research.tables import chosen_table, interval_plot
from hdag import content
from hdag.content import ContentGone


class BatchForm(forms.Form):
    """Which traces."""

    title = forms.CharField(max_length=120, initial="Causal audit")
    audits = forms.ModelMultipleChoiceField(Audit.objects.none(), required=False, label="Recorded audits")
    public = forms.IntegerField(
        min_value=0, max_value=causal.MOST_PUBLIC, initial=30, label="Public traces (GSM8K) beside them"
    )
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=1)

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = readable(user=user).filter(stage="recorded").select_related("trace").order_by("-created")[:100]
        keys = [audit.pk for audit in found]
        field: Any = self.fields["audits"]
        field.queryset = Audit.objects.filter(pk__in=keys).select_related("trace")
        field.label_from_instance = lambda audit: audit.trace.title or str(audit.pk)

    def clean(self) -> dict[str, Any]:
        """Something must be asked for."""
        said = super().clean() or {}
        if not said.get("audits") and not said.get("public"):
            self.add_error("public", "Choose audits, public traces, or both.")
        return said


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def batch_list(request: HttpRequest) -> HttpResponse:
    """The form and the batches of this person."""
    form = BatchForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        return redirect("auditing:causal_batch", batch_id=causal.ask(owner=request.user, **form.cleaned_data).pk)
    context = {"form": form, "batches": CausalBatch.objects.filter(owner=request.user).order_by("-created")[:30]}
    return render(request, "auditing/research/causal.html", context, status=400 if form.errors else 200)


@requires_role(*RESEARCHERS)
@require_GET
def batch_page(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """One batch: classes, violations by both rules, and every trial."""
    batch = CausalBatch.objects.filter(pk=batch_id, owner=request.user).first()
    if batch is None:
        raise Http404
    tables = tables_of(batch)
    rates = [(str(row[0]), row[3], row[4], row[5]) for table in tables[:2] for row in table.rows]
    context = {
        "job": batch, "tables": tables, "trials": batch.trials.defer("block").order_by("-severity", "id")[:200],
        "plot": interval_plot(title="Shares with 95 % Wilson intervals", rows=rates),  # type: ignore[arg-type]
    }  # fmt: skip
    answer = chosen_table(tables=tables, asked=request.GET.get("csv", ""), name="causal")
    return answer or render(request, "auditing/research/causal_batch.html", context)


@requires_role(*RESEARCHERS)
@require_GET
def trial_page(request: HttpRequest, trial_id: int) -> HttpResponse:
    """One intervention: what was changed, both traces, both answers."""
    found = CausalTrial.objects.select_related("batch", "block", "audit__trace").filter(batch__owner=request.user)
    trial = found.filter(pk=trial_id).first()
    if trial is None or (trial.audit and not may_read_audit(user=request.user, audit=trial.audit)):
        raise Http404
    try:
        said = content.read_json(trial.block)
    except ContentGone:
        raise Http404 from None
    lines = [(difference(one, other), one != other) for one, other in zip(said["before"], said["after"], strict=True)]
    answers = difference(said["answer"], said["answer_after"])
    context = {"trial": trial, "lines": lines, "answers": answers, "reached": said["reached"]}
    return render(request, "auditing/research/causal_trial.html", context)


def difference(one: str, other: str) -> list[tuple[str, str, str]]:
    """(same, removed, added) runs of words: at most one of the three is set."""
    a, b = one.split(" ")[:2000], other.split(" ")[:2000]
    runs: list[tuple[str, str, str]] = []
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        left, right = " ".join(a[i:j]), " ".join(b[k:m])
        runs += [(left, "", "")] if tag == "equal" else [run for run in (("", left, ""), ("", "", right)) if any(run)]
    return runs


def tables_of(batch: CausalBatch) -> list[Table]:
    """The figures of a batch."""
    found = causal.summary_of(batch=batch)
    columns = ("class", "count", "of", "share", "low", "high")
    rules = [_row("violation, our rule", found.violations), _row("violation, the paper's rule", found.paper_violations)]
    trials: list[list[Cell]] = [
        [one.trace, one.label, one.kind, one.reaction, one.phi, one.severity, one.strength, int(one.violation),
         int(one.paper_violation)]
        for one in batch.trials.defer("block")
    ]  # fmt: skip
    means = (
        f"Mean phi {found.mean_phi or 0:.3f}, mean severity {found.mean_severity or 0:.3f} over {found.trials} trials."
    )
    return [
        Table(
            "What the answer did", columns, [_row(name.value, rate) for name, rate in found.reactions.items()], means
        ),
        Table("Violations", columns, rules, "The paper's rule: S above .8 and both answers longer than 10 characters."),
        Table("Violations by type", columns, [_row(name.value, rate) for name, rate in found.by_kind.items()]),
        Table(
            "Trials",
            ("trace", "segment", "type", "reaction", "phi", "severity", "strength", "violation", "paper's rule"),
            trials,
        ),
    ]


def _row(name: str, rate: Rate) -> list[Cell]:
    return [name.replace("_", " "), rate.count, rate.of, rate.share, rate.low, rate.high]
