"""Causal audits: asking for a batch, its classes with intervals, and each trial with both traces side by side."""

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.parameters import read_number
from accounts.permissions import requires_role
from auditing.core.consensus.proportions import Rate
from auditing.permissions import may_read_audit
from auditing.research.causal import services
from auditing.research.causal.core.summary import phi_histogram
from auditing.research.causal.forms import TYPES, BatchForm
from auditing.research.causal.selectors import batches_of, find_own_batch, find_own_trial, summary_of
from auditing.research.exports.download import streamed
from auditing.research.exports.tables import chosen_table
from auditing.research.permissions import RESEARCHERS, researcher_of
from auditing.research.selectors import endpoints_for_traces
from auditing.research.studies.instruments.figures import curves_of, interval_figure
from auditing.research.studies.instruments.runner import Cell, Table, shown
from auditing.services import jobs
from hdag.store import content
from hdag.store.content import ContentGoneError

if TYPE_CHECKING:
    from accounts.models import User
    from auditing.research.models import CausalBatch

Runs = list[tuple[str, str, str]]
SHOWN = 50
VECTOR = {
    "jaccard": "words (J)",
    "characters": "characters (C)",
    "length": "length (L)",
    "exact": "exact (E)",
    "semantic": "semantic (S)",
}
FIELDS = (
    "trace",
    "label",
    "kind",
    "rule",
    "reaction",
    "violation",
    "paper_violation",
    "phi",
    "phi_net",
    "severity",
    "strength",
    "similarity",
    "load_bearing",
    "sentence",
)


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def batch_list(request: HttpRequest) -> HttpResponse:
    """The form and the batches of this person."""
    person = researcher_of(request)
    form = BatchForm(request.POST or None, user=person)
    if request.method == "POST" and form.is_valid():
        try:
            batch = services.ask(owner=person, **form.asked())
        except services.CausalRefusedError as error:
            form.add_error(None, str(error))
        else:
            return redirect("auditing:causal_batch", batch_id=batch.pk)
    context = {
        "form": form,
        "batches": batches_of(owner=person)[:30],
        "has_agent": endpoints_for_traces().exists(),
    }
    return render(request, "research/causal/page.html", context, status=400 if form.errors else 200)


@requires_role(*RESEARCHERS)
@require_GET
def batch_page(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """One batch: classes, violations by both rules, and every trial."""
    batch = get_batch(researcher_of(request), batch_id)
    tables = tables_of(batch) if not batch.is_open else []
    rates = [(str(row[0]), row[3], row[4], row[5]) for table in tables[:2] for row in table.rows]
    chart = interval_figure(name="rates", title="Shares with 95 % Wilson intervals", rows=rates)  # type: ignore[arg-type]
    context = {
        "job": batch,
        "tables": tables,
        "trials": list(batch.trials.defer("block").order_by("-severity", "id")[:SHOWN]),
        "all_trials": batch.trials.count(),
        "more": batch.trials.count() > SHOWN,
        "charts": [*([chart] if chart else []), *curves_of(tables)],
        "type": dict(TYPES).get(batch.kind or batch.mode, batch.mode),  # type: ignore[call-overload]
    }
    answer = chosen_table(tables=tables, asked=read_number(request.GET, "csv"), name="causal")
    template = "research/causal/_batch.html" if request.htmx else "research/causal/batch.html"  # type: ignore[attr-defined]
    return answer or render(request, template, context)


@requires_role(*RESEARCHERS)
@require_POST
def cancel_batch(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Its owner stops a batch; trials that are done stay."""
    jobs.cancel(job=get_batch(researcher_of(request), batch_id))
    return redirect("auditing:causal_batch", batch_id=batch_id)


@requires_role(*RESEARCHERS)
@require_GET
def batch_file(request: HttpRequest, batch_id: UUID) -> HttpResponseBase:
    """Every trial with both traces, one JSON object a line; text only of audits that the person may still read."""
    person = researcher_of(request)
    return trials_of(request, get_batch(person, batch_id), person)


@requires_role(*RESEARCHERS)
@require_GET
def trial_page(request: HttpRequest, trial_id: int) -> HttpResponse:
    """One intervention: what was changed, both traces, both answers."""
    trial = find_own_trial(owner=researcher_of(request), trial_id=trial_id)
    if trial is None or (trial.audit and not may_read_audit(user=request.user, audit=trial.audit)):
        raise Http404
    try:
        texts = content.read_json(trial.block)
    except ContentGoneError:
        raise Http404 from None
    context = {
        "trial": trial,
        "lines": side_by_side(texts["before"], texts["after"]),
        "said": texts,
        "answers": difference(texts["answer"], texts["answer_after"]),
        "alike": [(words, trial.similarity.get(name)) for name, words in VECTOR.items()],
    }
    return render(request, "research/causal/trial.html", context)


def side_by_side(before: Sequence[str], after: Sequence[str]) -> list[tuple[Runs, bool]]:
    """Both traces thought by thought: (runs of words, whether they differ); a missing thought is empty."""
    rows: list[tuple[Runs, bool]] = []
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        pairs = zip_longest(before[i:j], after[k:m], fillvalue="")
        rows += [(difference(left, right), tag != "equal") for left, right in pairs]
    return rows


def difference(before: str, after: str) -> Runs:
    """(same, removed, added) runs of words: at most one of the three is set."""
    a, b = before.split(" ")[:2000], after.split(" ")[:2000]
    runs: Runs = []
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        left, right = " ".join(a[i:j]), " ".join(b[k:m])
        runs += [(left, "", "")] if tag == "equal" else [run for run in (("", left, ""), ("", "", right)) if any(run)]
    return runs


def tables_of(batch: "CausalBatch") -> list[Table]:
    """The figures of a batch."""
    summary = summary_of(batch=batch)
    columns = ("class", "count", "of", "share", "low", "high")
    rules = [
        _row("violation, our rule", summary.violations),
        _row("violation, the paper's rule", summary.paper_violations),
    ]
    trials: list[list[Cell]] = [
        [
            trial.trace,
            trial.label,
            trial.kind,
            trial.reaction,
            trial.phi,
            trial.phi_net,
            trial.severity,
            trial.strength,
            int(trial.violation),
            int(trial.paper_violation),
            *(trial.similarity.get(name) for name in VECTOR),
        ]
        # Texts stay where they are: the table holds figures, and the page of one trial shows its words.
        for trial in batch.trials.defer("block")
    ]
    means = (
        f"Mean phi {shown(summary.mean_phi)}, mean severity {shown(summary.mean_severity)} "
        f"over {len(summary.phis)} clear ones of {summary.trials} trials."
    )
    return [
        Table(
            "What the answer did", columns, [_row(name.value, rate) for name, rate in summary.reactions.items()], means
        ),
        Table("Violations", columns, rules, "The paper's rule: S above .8 and both answers longer than 10 characters."),
        Table(
            "Violations by type",
            (*columns, "share by the paper's rule", "mean phi"),
            [
                [*_row(name.value, rate), summary.paper_by_kind[name].share, summary.phi_by_kind[name]]
                for name, rate in summary.by_kind.items()
            ],
        ),
        Table(
            "Trials",
            (
                "trace",
                "segment",
                "type",
                "reaction",
                "phi",
                "phi net",
                "severity",
                "strength",
                "violation",
                "paper's rule",
                *VECTOR.values(),
            ),
            trials,
        ),
        Table(
            "Distribution of phi",
            ("phi from", "to", "trials"),
            [list(row) for row in phi_histogram(phis=summary.phis)],
            "Near 0 the answer did not move.",
            curve=("phi from", "trials"),
        ),
    ]


def _row(name: str, rate: Rate) -> list[Cell]:
    return [name.replace("_", " "), rate.count, rate.of, rate.share, rate.low, rate.high]


def get_batch(owner: "User", batch_id: UUID) -> "CausalBatch":
    """An own batch. Raises Http404."""
    batch = find_own_batch(owner=owner, batch_id=batch_id)
    if batch is None:
        raise Http404
    return batch


def trials_of(request: HttpRequest, batch: "CausalBatch", reader: "User") -> HttpResponseBase:
    """The file of trials, line by line."""
    answer = streamed(request, _lines(batch, reader), "application/jsonl")
    answer["Content-Disposition"] = content_disposition_header(True, f"causal-{batch.pk}.jsonl") or "attachment"
    return answer


def _lines(batch: "CausalBatch", user: "User") -> Iterator[bytes]:
    rows = batch.trials.select_related("block", "audit__trace").order_by("id")
    for trial in rows.iterator(chunk_size=200):
        row = {name: getattr(trial, name) for name in FIELDS}
        if trial.audit is None or may_read_audit(user=user, audit=trial.audit):
            try:
                row |= content.read_json(trial.block)
            except ContentGoneError:
                row["erased"] = True
        yield (json.dumps(row, ensure_ascii=False) + "\n").encode()
