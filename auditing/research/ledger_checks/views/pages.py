"""The ledger for people: the newest checkpoint, its leaves in words, an audit's story, and how to check it all."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_safe

from accounts.parameters import read_number
from accounts.permissions import Role, has_role, requires_role
from auditing import dispatch
from auditing.core.ledger import bundle
from auditing.permissions import may_check_audit, may_read_audit
from auditing.research.ledger_checks import services as fsck
from auditing.research.ledger_checks.selectors.growth import checkpoints_before, growth_chart
from auditing.research.ledger_checks.selectors.words import in_words, moments_of
from auditing.research.ledger_checks.views.verifying import download
from auditing.selectors.intake.lookup import find_audit
from auditing.selectors.ledger.lookup import (
    confirmed_anchors,
    find_anchor_trouble,
    find_checkpoint,
    find_leaf,
    leaves_of,
    newest_leaves,
)
from auditing.selectors.ledger.published import LedgerDamagedError, NotPublishedYetError, bundle_of, published
from auditing.selectors.ledger.witnesses import witness_lines

PAGE = 50
ANCHORS = 5
STORY = 500
TURNS = 200  # a page left open stops looking for new leaves after so many


@require_safe
def ledger_page(request: HttpRequest) -> HttpResponse:
    """The newest checkpoint and the newest leaves, paged by index; the first page looks for new ones by itself."""
    after, wanted = read_number(request.GET, "after"), read_number(request.GET, "leaf")
    if wanted is not None:
        return redirect("auditing:leaf", wanted)
    # No login: whoever doubts the operator must be able to look without the operator's leave.
    context: dict[str, object] = {"check": fsck.last_result()}
    try:
        ledger = published()
        context |= {"found": ledger, "root": ledger.head.root.hex(), "witnesses": witness_lines(note=ledger.note)}
        context["row"] = find_checkpoint(size=ledger.head.size)
        context["anchors"] = confirmed_anchors(most=ANCHORS)
        context["anchor_trouble"] = find_anchor_trouble()
    except (NotPublishedYetError, LedgerDamagedError) as error:
        # The page still answers 200: the leaves below come from the database and are there all the same.
        context["trouble"] = str(error)
    leaves = newest_leaves()
    # One row more than is shown tells whether there is a next page, without a count over the whole log.
    rows = list((leaves if after is None else leaves.filter(index__lt=after))[: PAGE + 1])
    context["leaves"] = [in_words(leaf=leaf) for leaf in rows[:PAGE]]
    context["next"] = rows[PAGE - 1].index if len(rows) > PAGE else None
    # htmx asks for ?turn=n every 4 s. Without a number in the answer the polling stops: after 200 turns, 13 minutes.
    turn = read_number(request.GET, "turn") or 0
    context["turn"] = turn + 1 if after is None and turn < TURNS else None
    template = "auditing/ledger/_newest.html" if request.htmx else "auditing/ledger/page.html"  # type: ignore[attr-defined]
    return render(request, template, context)


@require_safe
def checkpoint_list(request: HttpRequest) -> HttpResponse:
    """Every signed checkpoint, newest first, and how the ledger grew."""
    rows = checkpoints_before(size=read_number(request.GET, "after"), limit=PAGE + 1)
    context: dict[str, object] = {
        "rows": [(row, bytes(row.root).hex()) for row in rows[:PAGE]],
        "chart": growth_chart(),
    }
    context["next"] = rows[PAGE - 1].size if len(rows) > PAGE else None
    return render(request, "auditing/ledger/checkpoints.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def checks_page(request: HttpRequest) -> HttpResponse:
    """The newest check of all invariants; admins also read what is wrong and may start another one."""
    is_admin = has_role(request.user, Role.ADMIN)
    if request.method == "POST":
        if not is_admin:
            raise Http404
        # A check reads the whole log, far longer than a request may take; a lost message only means to click again.
        dispatch.enqueue("auditing.check_ledger", queue="export")
        messages.info(request, "The check has begun; its result stands here in a moment.")
        return redirect("auditing:ledger_checks")
    context = {"result": fsck.last_result(), "invariants": fsck.INVARIANTS, "is_admin": is_admin}
    return render(request, "auditing/ledger/checks.html", context)


@require_safe
def leaf_page(request: HttpRequest, index: int) -> HttpResponse:
    """One leaf in words, with its proof."""
    leaf = find_leaf(index=index)
    if leaf is None:
        raise Http404
    return render(request, "auditing/ledger/leaf.html", {"one": in_words(leaf=leaf)})


@require_safe
def story_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """What the ledger tells of one audit, moment by moment, paged by index."""
    leaves = leaves_of(audit_id=audit_id)
    after = read_number(request.GET, "after")
    rows = list((leaves if after is None else leaves.filter(index__gt=after))[: STORY + 1])
    if not rows and after is None:
        raise Http404
    audit = find_audit(key=audit_id)
    if audit is None:
        raise Http404
    context = {
        "audit_id": audit_id,
        "moments": moments_of(audit=audit, leaves=rows[:STORY]),
        "next": rows[STORY - 1].index if len(rows) > STORY else None,
        "chain": audit,
        "may_read": may_read_audit(user=request.user, audit=audit),
    }
    return render(request, "auditing/ledger/story.html", context)


@requires_role(*Role.values)
@require_safe
def audit_bundle(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Everything a stranger needs to check one audit, as one file."""
    audit = find_audit(key=audit_id)
    if audit is None or not may_check_audit(user=request.user, audit=audit):
        raise Http404
    try:
        data = bundle.encode(bundle=bundle_of(audit=audit))
    except NotPublishedYetError as error:
        raise Http404(str(error)) from error
    except LedgerDamagedError as error:
        # 503: the audit exists, its proof cannot be made now. 404 would deny a record that is in the log.
        return HttpResponse(f"{error}\n", content_type="text/plain; charset=utf-8", status=503)
    return download(data, "application/json", f"audit-{audit.pk}.json")


urlpatterns = [
    path("ledger", ledger_page, name="ledger"),
    path("ledger/checkpoints", checkpoint_list, name="checkpoints"),
    path("ledger/checks", checks_page, name="ledger_checks"),
    path("ledger/leaves/<int:index>", leaf_page, name="leaf"),
    path("ledger/audits/<uuid:audit_id>", story_page, name="story"),
    path("ledger/audits/<uuid:audit_id>/bundle.json", audit_bundle, name="bundle"),
]
