"""What is said of one passage of a finished audit: read, written and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import WholeNumberField
from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.permissions import may_read_audit
from auditing.research.comments import selectors
from auditing.research.comments.services import LONGEST, CommentRefusedError, comment, take_back
from auditing.selectors.intake.lookup import find_audit

if TYPE_CHECKING:
    from auditing.models import Audit
    from auditing.research.comments.selectors import Standing
    from hdag.models import Segment


class CommentForm(forms.Form):
    """A comment and the place that it is about."""

    text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 4}), max_length=LONGEST, strip=False, label="Your comment"
    )
    words = forms.CharField(
        required=False,
        max_length=1_000,
        label="About these words",
        help_text="Select them in the text above, or copy them here. Empty: about the passage as a whole.",
    )
    start = WholeNumberField(required=False, min_value=0, max_value=10**9, widget=forms.HiddenInput)
    end = WholeNumberField(required=False, min_value=0, max_value=10**9, widget=forms.HiddenInput)

    @property
    def place(self) -> tuple[int, int] | None:
        """What was selected on the page; None where words were typed, or nothing was named."""
        start, end = self.cleaned_data["start"], self.cleaned_data["end"]
        return None if start is None or end is None else (start, end)


@requires_role(*Role.values)
@require_http_methods(["GET", "HEAD", "POST"])
def comments_page(request: HttpRequest, audit_id: UUID, label: str) -> HttpResponse:
    """The comments on one passage with its text; POST adds one."""
    audit, segment, standing = _find(request, audit_id, label)
    person, form = get_person(request), CommentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            comment(audit=audit, segment=segment, by=person, text=said["text"], words=said["words"], place=form.place)
        except CommentRefusedError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Your comment stands there, under the name of this audit.")
            return redirect("auditing:comments", audit_id=audit.pk, label=label)
    context = {
        "audit": audit,
        "discussion": selectors.discussion_of(audit=audit, segment=segment, user=person),
        "standing": standing,
        "form": form,
        "names_trace": may_read_audit(user=person, audit=audit),
    }
    return render(request, "auditing/report/comments.html", context, status=400 if form.errors else 200)


@requires_role(*Role.values)
@require_POST
def remove(request: HttpRequest, audit_id: UUID, comment_id: UUID) -> HttpResponse:
    """Take back one's own comment; an admin removes any."""
    audit = find_audit(key=audit_id)
    row = selectors.find_comment(audit=audit, key=comment_id) if audit is not None else None
    is_admin = has_role(request.user, Role.ADMIN)
    # 404 for somebody else's as for none: an id must not tell whether a comment exists.
    if row is None or not take_back(row=row, by=get_person(request), is_admin=is_admin):
        raise Http404
    messages.success(request, "The comment is gone.")
    return redirect("auditing:comments", audit_id=audit_id, label=row.segment.label)


def _find(request: HttpRequest, audit_id: UUID, label: str) -> tuple[Audit, Segment, Standing]:
    audit = find_audit(key=audit_id)
    segment = selectors.find_segment(audit=audit, label=label) if audit is not None else None
    if audit is None or segment is None:
        raise Http404
    standing = selectors.standing_at(audit=audit, user=get_person(request), segment=segment)
    if not standing.may_read:
        raise Http404
    return audit, segment, standing
