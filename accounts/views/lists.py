"""Views of lists: kept under a name, and forgotten."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.parameters import read_choice, read_number, read_text
from accounts.permissions import get_person, requires_person
from accounts.services.saved_views import TooManyViewsError, forget_view, save_view

LISTS = ("auditing:audits", "auditing:campaigns", "auditing:own_votes", "auditing:event_log", "accounts:roles")


@requires_person
@require_POST
def keep_view(request: HttpRequest) -> HttpResponse:
    """Keep how a list is narrowed, sorted and shown, or with `forget` no longer."""
    # A name of ours and no address: nobody is sent elsewhere by a form that somebody else made.
    page = read_choice(request.POST, "page", LISTS)
    if not page:
        raise Http404
    person, key = get_person(request), read_number(request.POST, "forget")
    if key is not None:
        if not forget_view(user=person, key=key):
            raise Http404
        return redirect(reverse(page))
    name = read_text(request.POST, "name", most=60)
    query = read_text(request.POST, "query", most=1000)
    if not name:
        messages.error(request, "Nothing was kept: a view needs a name.")
        return redirect(f"{reverse(page)}?{query}")
    try:
        view = save_view(user=person, page=page, name=name, query=query)
    except TooManyViewsError as error:
        messages.error(request, str(error))
        return redirect(reverse(page))
    messages.success(request, f"Kept as “{view.name}”.")
    return redirect(f"{reverse(page)}?{view.query}")
