"""The list of audits, one audit's page, its report and its life on the live socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.listing import Filter
from accounts.parameters import read_id, read_text, read_texts
from accounts.permissions import Role, get_person, requires_role
from auditing.core.policy.windows import has_short_windows
from auditing.core.stages import AUDIT_STAGES, CORRIDOR, AuditStage
from auditing.core.values import Outcome
from auditing.permissions import may_manage, may_read_audit, may_read_reasons, may_share
from auditing.research.comments import selectors as comments
from auditing.research.erasure.views import erased_json, show_erased
from auditing.research.reports.selectors.appeals import appeals_against
from auditing.research.reports.selectors.audits import COLUMNS, AuditFilter, list_audits, others_of_text, reached
from auditing.research.reports.selectors.event_words import story_of
from auditing.research.reports.selectors.evidence import ShownFinding, findings_of
from auditing.research.reports.selectors.lines import SegmentLine
from auditing.research.reports.selectors.no_answers import NoAnswer, by_model, no_answers
from auditing.research.reports.selectors.progress import progress_of
from auditing.research.reports.selectors.report import Report, report_of
from auditing.research.reports.selectors.shortage import shortages
from auditing.research.reports.selectors.trace_view import STATES, Narrowing, TraceView, view_of
from auditing.research.reports.views.paused import show_paused
from auditing.research.soundness.views.runs import part_on_page
from auditing.selectors.clock import database_now
from auditing.selectors.intake import lookup
from auditing.selectors.model_tier.consents import flows_of_audit, why_unasked
from auditing.selectors.policy.versions import load_policy
from auditing.services.intake.submission import withdraw
from auditing.views.ledger.published import proof_shown
from hdag.core.layouts.neighbourhood import neighbourhood
from hdag.core.levels import Level, Tier
from hdag.core.printed import as_printed
from hdag.rendering.graph import Drawing, draw, fade

if TYPE_CHECKING:
    from auditing.models import Audit

READERS = tuple(Role.values)
MOST_AT_ONCE = 200
MOST_DRAWN = 40  # segments of a graph at once: more are no picture that anybody reads


def find_audit(request: HttpRequest, audit_id: UUID) -> Audit:
    """The audit, or 404 for a stranger exactly as for an unknown id."""
    audit = lookup.find_audit(key=audit_id)
    if audit is None or not may_read_audit(user=request.user, audit=audit):
        raise Http404
    return audit


def report_for(request: HttpRequest, audit: Audit) -> Report:
    """The report as far as the visitor may read it."""
    return report_of(audit=audit, reasons=may_read_reasons(user=request.user, audit=audit))


def drawing_of(report: Report, view: TraceView, *, is_whole: bool) -> Drawing | None:
    """The graph with the state of every segment, of a long trace around the shown one; nodes lead to their segments."""
    if report.graph is None:
        return None
    graph = report.graph.graph
    if view.shown is not None and not is_whole:
        graph = neighbourhood(graph=graph, centre=view.shown.line.value.id, most=MOST_DRAWN)
    hrefs = {segment.id: f"{view.narrowing.query}segment={segment.id}#reading" for segment in graph.segments}
    here = view.shown.line.value.id if view.shown else ""
    return fade(drawing=draw(graph=graph, states=report.states, hrefs=hrefs, here=here), ids=view.left_out)


@requires_role(*READERS)
@require_GET
def audit_list(request: HttpRequest) -> HttpResponse:
    """Audits the visitor may read."""
    narrowed = AuditFilter.read(request.GET)
    page = list_audits(user=request.user, filter=narrowed, after=read_text(request.GET, "after"))
    outcomes = [(str(outcome), str(outcome)) for outcome in Outcome if outcome is not Outcome.HUNG]
    context = {
        "page": page,
        "filter": narrowed,
        "columns": COLUMNS,
        "may_withdraw": {audit.pk for audit in page.rows if _may_withdraw(request, audit)},
        "filters": (
            Filter("q", "Title, id or tag", narrowed.words),
            Filter("outcome", "Outcome", narrowed.outcome, tuple(outcomes)),
            Filter("stage", "Stage", narrowed.stage, tuple((str(stage), str(stage)) for stage in AuditStage)),
            Filter("domain", "Field", narrowed.domain),
        ),
    }
    # A live event makes the list ask for itself again (at most every 2 s); links and the first visit want the page.
    template = "auditing/report/_audits.html" if request.htmx else "auditing/report/audits.html"  # type: ignore[attr-defined]
    return render(request, template, context)


@requires_role(*READERS)
@require_GET
def audit_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """One audit: where it stands, its graph, its segments with their places in the source, its outcome.

    `?tier=&state=&level=` narrow the list, `?segment=` chooses the segment that is shown.
    """
    audit = find_audit(request, audit_id)
    # Erased and paused audits come first: to read their text would raise, and none of it may be shown.
    if audit.trace.erased_at is not None:
        return show_erased(request, audit)
    if audit.paused_at is not None:
        return show_paused(request, audit)
    report = report_for(request, audit)
    narrowing = Narrowing.read(request.GET)
    view = view_of(report=report, narrowing=narrowing)
    unanswered = _unanswered(request, report)
    shown = view.shown.line.value.id if view.shown is not None else ""
    context: dict[str, Any] = {"audit": audit, "report": report, "view": view, **_said_of(request, audit, view)}
    context["unanswered_here"] = [answer for answer in unanswered if answer.label == shown]
    # A click on a segment replaces the reading pane alone: no graph is laid out for it again.
    if request.htmx.target == "reading":  # type: ignore[attr-defined]
        return render(request, "auditing/report/_reading.html", context)
    progress = progress_of(lines=report.lines)
    context |= {
        "progress": progress,
        "corridor": CORRIDOR,
        "says": AUDIT_STAGES[AuditStage(audit.stage)].says,
        "choices": {"tier": list(Tier), "state": STATES, "level": list(Level)},
        "drawing": (drawing := drawing_of(report, view, is_whole=read_text(request.GET, "graph") == "whole")),
        "drawn_of": len(report.lines) if drawing is not None and len(drawing.nodes) < len(report.lines) else 0,
        "soundness": part_on_page(request=request, report=report),
        "shortages": shortages(now=database_now(), audit=audit) if progress.asks_people else (),
        "may_give_roles": may_manage(user=request.user),
        "reached": reached(audit=audit),
        "silences": by_model(answers=unanswered),
        "unasked": why_unasked(flows=flows_of_audit(audit=audit)) if report.outcome is None else "",
        "others": others_of_text(user=get_person(request), audit=audit),
        "appeals": appeals_against(audit=audit, reader=request.user),
        "story": story_of(audit=audit, labels=report.labels),
        "may_withdraw": _may_withdraw(request, audit),
        "short_windows": has_short_windows(policy=load_policy(version=audit.policy, domain=audit.trace.domain)),
    }
    template = "auditing/report/_audit.html" if request.htmx else "auditing/report/audit.html"  # type: ignore[attr-defined]
    return render(request, template, context)


def _may_withdraw(request: HttpRequest, audit: Audit) -> bool:
    """Its provider, as long as the table of stages lets it: a button that would be refused is not drawn."""
    return audit.trace.provider_id == request.user.pk and lookup.may_be_withdrawn(audit=audit)


def _unanswered(request: HttpRequest, report: Report) -> tuple[NoAnswer, ...]:
    """Which models gave no answer: for admins, and for the provider, whose text was sent to them."""
    is_admin = may_manage(user=request.user)
    if not is_admin and not may_share(user=request.user, audit=report.audit):
        return ()
    return no_answers(audit=report.audit, lines=report.lines, names_all=is_admin)


def _said_of(request: HttpRequest, audit: Audit, view: TraceView) -> dict[str, Any]:
    """Comments on the shown segment, and how many stand at others; nothing for whoever may not read reasons."""
    shown = view.shown.line.row if view.shown is not None else None
    if shown is None or not comments.is_open(audit=audit) or not may_read_reasons(user=request.user, audit=audit):
        return {}
    lines, counts = comments.beside(audit=audit, segment=shown, user=get_person(request))
    return {"may_read_comments": True, "comments": lines, "comment_counts": counts}


@requires_role(*READERS)
@require_GET
def computer_vote(request: HttpRequest, audit_id: UUID, label: str) -> HttpResponse:
    """What the checkers said of one segment: the equation, what was computed, both values, why it fails."""
    audit = find_audit(request, audit_id)
    lines = report_for(request, audit).by_id
    line = lines.get(label)
    if line is None or line.computer is None:
        raise Http404
    parts = [lines[name] for name in line.children if lines[name].computer is not None]
    findings = findings_of(vote=line.computer)
    context = {"audit": audit, "line": line, "vote": line.computer, "findings": findings, "parts": parts}
    return render(request, "auditing/report/computer_vote.html", context)


@requires_role(*READERS)
@require_GET
def computer_vote_file(request: HttpRequest, audit_id: UUID, label: str) -> HttpResponse:
    """The computer's vote as verify_proofs.py reads it: the sealed rationale, and the texts that its proofs lean on."""
    audit = find_audit(request, audit_id)
    lines = report_for(request, audit).by_id
    line = lines.get(label)
    if line is None or line.computer is None or not line.computer.sealed:
        raise Http404
    segments = [{"id": each.value.id, "content": each.value.content} for each in lines.values()]
    vote = {"id": str(audit.pk), "segment": label, "segments": segments, "vote": line.computer.sealed}
    return JsonResponse(vote, headers={"Content-Disposition": f'attachment; filename="computer-vote-{label}.json"'})


@requires_role(*READERS)
@require_GET
def report_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """The report for a consumer; prints well."""
    audit = find_audit(request, audit_id)
    if audit.trace.erased_at is not None:
        return show_erased(request, audit)
    report = report_for(request, audit)
    context = {
        "audit": audit,
        "report": report,
        "drawing": _drawn_report(report),
        "others": others_of_text(user=get_person(request), audit=audit),
        "appeals": appeals_against(audit=audit, reader=request.user),
        "evidence": _accusation(report.first_failing),
        "shown": proof_shown(audit=audit),
    }
    return render(request, "auditing/report/page.html", context)


def _drawn_report(report: Report) -> Drawing | None:
    """The graph of the report: of a long trace what lies around its failing segment, or around its goal."""
    if report.graph is None or not report.lines:
        return None
    centre = report.verdict.leading or report.lines[0].value.id
    graph = neighbourhood(graph=report.graph.graph, centre=centre, most=MOST_DRAWN)
    return draw(graph=graph, states=report.states, name="tree")


def _accusation(line: SegmentLine | None) -> tuple[ShownFinding, ...]:
    """The first finding of the computer tier against this segment; nothing when it accused nobody."""
    if line is None or line.computer is None or line.computer.choice != "fail":
        return ()
    return findings_of(vote=line.computer)[:1]


@requires_role(*READERS)
@require_GET
def report_json(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """The report as data."""
    audit = find_audit(request, audit_id)
    return erased_json(audit) if audit.trace.erased_at else JsonResponse(report_for(request, audit).as_json())


@requires_role(*READERS)
@require_GET
def hdag_json(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """The graph in the nodes and edges of the paper."""
    audit = find_audit(request, audit_id)
    if audit.trace.erased_at:
        return erased_json(audit)
    report = report_for(request, audit)
    # Not decomposed yet: nothing is here.
    if report.graph is None:
        raise Http404
    answer = JsonResponse(
        as_printed(graph=report.graph.graph, title=audit.trace.title), json_dumps_params={"indent": 1}
    )
    answer["Content-Disposition"] = f'attachment; filename="hdag-{audit.pk}.json"'
    return answer


@requires_role(Role.PROVIDER, Role.ADMIN)
@require_POST
def withdraw_audit(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """The provider takes the trace back."""
    audit = find_audit(request, audit_id)
    # An admin reads every audit but withdraws none: only its provider takes a trace back.
    if audit.trace.provider_id != request.user.pk:
        raise Http404
    withdraw(audit=audit, actor=request.user)
    return redirect("auditing:audit", audit_id=audit.pk)


@requires_role(Role.PROVIDER)
@require_POST
def withdraw_many(request: HttpRequest) -> HttpResponse:
    """The provider takes back every trace that is ticked and not decided yet."""
    ids = filter(None, (read_id({"id": text}, "id") for text in read_texts(request.POST, "audits")[:MOST_AT_ONCE]))
    audits = [audit for key in ids if (audit := lookup.find_audit(key=key)) and _may_withdraw(request, audit)]
    gone = sum(withdraw(audit=audit, actor=get_person(request)) for audit in audits)
    if gone:
        messages.success(request, f"{gone} trace{'' if gone == 1 else 's'} withdrawn.")
    else:
        messages.error(request, "Nothing was withdrawn: tick traces of yours that are not decided yet.")
    return redirect("auditing:audits")
