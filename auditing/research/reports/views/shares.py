"""Sharing a report: the provider's links, the page that one opens without an account, and its badge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Role, get_person, requires_role
from auditing.core.stages import AuditStage
from auditing.permissions import may_share
from auditing.research.erasure.views import show_erased
from auditing.research.reports.selectors.appeals import last_word
from auditing.research.reports.selectors.report import report_of
from auditing.research.reports.selectors.shares import find_share, shares_of
from auditing.research.reports.services import end_share, share
from auditing.selectors.clock import database_now
from auditing.selectors.intake.lookup import find_audit

if TYPE_CHECKING:
    from auditing.models import Audit, Share

DAYS = (("7", "a week"), ("30", "30 days"), ("90", "90 days"), ("365", "a year"))
# Outcome -> the word and the colour of the badge; one that is under way has none of these.
BADGES = {"pass": ("holds", "#14603a"), "fail": ("fails", "#9c1f24")}
UNDECIDED = ("undecided", "#7a4a00")
APPEALED = ("appealed", "#7a4a00")


class ShareForm(forms.Form):
    """How long a link is open, and what it shows."""

    days = forms.ChoiceField(choices=DAYS, initial="30", label="Open for")
    with_text = forms.BooleanField(
        required=False,
        label="Show the text of the trace",
        help_text="Without it the page shows outcomes, levels and who looked, and not a word that was handed in.",
    )


@requires_role(Role.PROVIDER)
@require_http_methods(["GET", "HEAD", "POST"])
def share_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """The links to one audit; POST makes one and shows its secret this once."""
    audit = _own(request, audit_id)
    if audit.trace.erased_at is not None:
        return show_erased(request, audit)  # a new link would lead to nothing
    form, secret = ShareForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        secret = share(
            audit=audit,
            by=get_person(request),
            days=int(form.cleaned_data["days"]),
            with_text=form.cleaned_data["with_text"],
            now=database_now(),
        )
    context = {
        "audit": audit,
        "form": form,
        "shares": shares_of(audit=audit),
        "now": database_now(),
        "url": request.build_absolute_uri(f"/shared/{secret}") if secret else "",
    }
    return render(request, "auditing/report/share.html", context, status=400 if form.errors else 200)


@requires_role(Role.PROVIDER)
@require_POST
def end_page(request: HttpRequest, audit_id: UUID, share_id: UUID) -> HttpResponse:
    """End a link."""
    audit = _own(request, audit_id)
    if not end_share(share_id=share_id, by=get_person(request), now=database_now()):
        raise Http404
    messages.success(request, "The link is ended; whoever opens it finds nothing.")
    return redirect("auditing:share", audit_id=audit.pk)


@require_safe
def shared_page(request: HttpRequest, secret: str) -> HttpResponse:
    """The report as a link shows it: verdict card and outline, text only where the provider said so."""
    link = _open(secret)
    if link.audit.trace.erased_at is not None:
        return _key_in_address(render(request, "auditing/report/shared_erased.html", status=410))
    report = report_of(audit=link.audit, reasons=False)
    context: dict[str, Any] = {"share": link, "audit": link.audit, "report": report, "secret": secret}
    context["later"] = _says_later(link.audit)
    return _key_in_address(render(request, "auditing/report/shared.html", context))


def _says_later(audit: Audit) -> str:
    newest = last_word(audit=audit)
    if newest.pk == audit.pk:
        return ""
    if newest.stage != AuditStage.RECORDED:
        return "Somebody appealed: a second audit looks at this trace again, and may correct what stands here."
    if newest.outcome == audit.outcome:
        return "After an appeal a second audit looked at this trace again, and says the same."
    return f"After an appeal a second audit looked at this trace again, and says {newest.outcome}: read that instead."


def _key_in_address(answer: HttpResponse) -> HttpResponse:
    # The address is the key: no search engine keeps it, and no page that it leads to learns it.
    answer["X-Robots-Tag"] = "noindex"
    answer["Referrer-Policy"] = "no-referrer"
    return answer


@require_safe
def badge(request: HttpRequest, secret: str) -> HttpResponse:
    """The outcome as a small picture for other people's pages; it ends with its link."""
    newest = last_word(audit=_open(secret).audit)
    # It stands on other people's pages, so it says what stands now, and not what an appeal has overturned.
    word, colour = BADGES.get(newest.outcome, UNDECIDED) if newest.stage == AuditStage.RECORDED else APPEALED
    answer = render(
        request, "auditing/report/badge.svg", {"word": word, "colour": colour}, content_type="image/svg+xml"
    )
    answer["Cross-Origin-Resource-Policy"] = "cross-origin"  # it is made to stand elsewhere
    answer["Cache-Control"] = "public, max-age=300"
    return answer


def _own(request: HttpRequest, audit_id: UUID) -> Audit:
    audit = find_audit(key=audit_id)
    if audit is None or not may_share(user=request.user, audit=audit) or audit.stage != AuditStage.RECORDED:
        raise Http404
    return audit


def _open(secret: str) -> Share:
    link = find_share(secret=secret, now=database_now())
    if link is None:
        raise Http404
    return link


urlpatterns = [
    path("audits/<uuid:audit_id>/share", share_page, name="share"),
    path("audits/<uuid:audit_id>/share/<uuid:share_id>/end", end_page, name="end_share"),
    path("shared/<str:secret>", shared_page, name="shared"),
    path("shared/<str:secret>/badge.svg", badge, name="badge"),
]
