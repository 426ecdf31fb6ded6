"""The notification centre: news by page, one piece opened, everything read, the badge in the masthead."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods

from accounts.parameters import read_number
from accounts.permissions import get_person, requires_person
from auditing.selectors.campaigns.news import news_page
from auditing.selectors.clock import database_now
from auditing.services.campaigns import notices


@requires_person
@require_http_methods(["GET", "HEAD", "POST"])
def centre(request: HttpRequest) -> HttpResponse:
    """One page of news; POST marks everything read."""
    if request.method == "POST":
        notices.mark_read(user=get_person(request), now=database_now())
        return redirect("auditing:notices")
    page = news_page(user=get_person(request), after=read_number(request.GET, "after"))
    # The list asks for itself (hx-target #news) when the socket says that something is new; all else wants the page.
    template = "auditing/campaigns/_news.html" if request.htmx.target == "news" else "auditing/campaigns/news.html"  # type: ignore[attr-defined]
    return render(request, template, {"page": page})


@requires_person
@require_GET
def open_one(request: HttpRequest, key: int) -> HttpResponse:
    """Follow one piece of news; it is read from now on."""
    link = notices.open_news(user=get_person(request), key=key, now=database_now())
    if link is None:
        raise Http404
    # A link comes from a stored row; should a foreign address ever stand there, we are no open redirector.
    is_ours = url_has_allowed_host_and_scheme(link, allowed_hosts=None)
    return redirect(link if link and is_ours else "auditing:notices")


@requires_person
@require_GET
def badge(request: HttpRequest) -> HttpResponse:
    """The badge in the masthead: how many notices are unread."""
    return render(request, "components/bell.html")


urlpatterns = [
    path("me/news", centre, name="notices"),
    path("me/news/badge", badge, name="news_badge"),
    path("me/news/<int:key>", open_one, name="open_news"),
]
