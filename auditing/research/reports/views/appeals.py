"""Appealing against a recorded audit."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Role, get_person, requires_role
from auditing.permissions import may_read_audit, may_read_reasons
from auditing.research.reports.appeals import AppealRefusedError, appeal, find_side, has_looked_again, is_open
from auditing.research.reports.selectors.appeals import has_appealed
from auditing.research.reports.selectors.comparison import compare
from auditing.research.reports.selectors.report import report_of
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.cases import APPEAL_REASONS
from auditing.selectors.intake.lookup import find_audit

MOST_PAIRS = 200  # segments on one page; those that were decided otherwise stand first


class AppealForm(forms.Form):
    """Why a second audit is asked for."""

    reason = forms.ChoiceField(
        choices=APPEAL_REASONS,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose why: one of these reasons goes with the appeal."},
    )
    text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 6}),
        required=False,
        max_length=10_000,
        strip=False,
        label="In your words",
        help_text="Stored encrypted. Shown to admins; never in the ledger.",
    )


@requires_role(Role.PROVIDER, Role.REVIEWER, Role.ADJUDICATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def appeal_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """The provider, or an auditor who voted, asks for a second audit."""
    audit = find_audit(key=audit_id)
    side = find_side(audit=audit, user=get_person(request)) if audit is not None else ""
    # Whoever is neither provider nor voter has no appeal, and must not learn whether the audit exists.
    if audit is None or not side:
        raise Http404
    form = AppealForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            appeal(audit=audit, by=get_person(request), now=database_now(), **form.cleaned_data)
        except AppealRefusedError as error:
            form.add_error(None, str(error))
        else:
            messages.success(
                request, "The appeal is in the ledger. A second audit has begun; points stay held until then."
            )
            return (
                # A reviewer may appeal, but never read the audit: a redirect there would end in 404.
                redirect("auditing:audit", audit_id=audit.pk)
                if may_read_audit(user=request.user, audit=audit)
                else redirect("auditing:points")
            )
    context = {
        "audit": audit,
        "side": side,
        "form": form,
        "is_open": audit.trace.erased_at is None and is_open(audit=audit, now=database_now()),
        "looked_again": audit.successor if has_looked_again(audit=audit) else None,
        "has_appealed": has_appealed(audit=audit, person=request.user),
        "names_trace": may_read_audit(user=request.user, audit=audit),
    }
    return render(request, "auditing/consensus/appeal.html", context, status=400 if form.errors else 200)


@requires_role(Role.PROVIDER, Role.RESEARCHER, Role.CONSUMER, Role.ADMIN)
@require_safe
def compare_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """An audit that followed an appeal beside the one before it: outcomes and votes of each segment side by side."""
    after = find_audit(key=audit_id)
    before = find_audit(key=after.follows_id) if after is not None and after.follows_id is not None else None
    if after is None or before is None:
        raise Http404
    for audit in (before, after):
        if not may_read_audit(user=request.user, audit=audit) or audit.trace.erased_at is not None:
            raise Http404
    reports = [
        report_of(audit=audit, reasons=may_read_reasons(user=request.user, audit=audit)) for audit in (before, after)
    ]
    pairs = compare(before=reports[0], after=reports[1])
    context = {
        "before": reports[0],
        "after": reports[1],
        "pairs": pairs[:MOST_PAIRS],
        "of": len(pairs),
        "differing": sum(pair.differs for pair in pairs),
    }
    return render(request, "auditing/consensus/compare.html", context)
