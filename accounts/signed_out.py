"""What was typed into a form that came too late, shown once more for copying: its session or its token had ended.

Nothing is stored, and nothing is sent on: whoever posted reads it, in the answer to the same request.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.parameters import read_choice

# Never shown, whatever the form: a part of the field's name.
SECRETS = ("password", "secret", "token", "otp", "code", "key")
# What a pressed button sends: it is pressed again in the form. A test compares them with the templates.
BUTTONS = frozenset(
    "again bad check clear decision forecast forget good preview publish ruling session set state theme verb".split()
)
# Buttons, choices, ids and numbers look so: alone they are nothing that somebody has to type again.
_CHOSEN = re.compile(r"[a-z0-9_.:-]{0,60}")
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")  # what a list of choices or a hidden field sends
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_MOST_LINES = 20


class Late(StrEnum):
    """Why the form was not taken."""

    SIGNED_OUT = "signed out"
    TOO_OLD = "too old"


@dataclass(frozen=True, slots=True)
class Typed:
    """A field with what was typed into it."""

    name: str
    text: str

    @property
    def words(self) -> str:
        """Its name as words."""
        return re.sub(r"[_-]+", " ", self.name).strip().capitalize()

    @property
    def rows(self) -> int:
        """Lines that the text takes, about."""
        return min(_MOST_LINES, sum(1 + len(line) // 80 for line in self.text.splitlines()) or 1)


def find_page(request: HttpRequest, *, why: Late) -> HttpResponse | None:
    """The page with the texts; None where nothing was typed, for programs, for what another site posts, at sign-in."""
    is_form = request.method == "POST" and request.content_type in _FORMS
    is_programs = "application/json" in request.headers.get("Accept", "")
    is_foreign = "Origin" in request.headers and not is_own_form(request)
    if not is_form or is_programs or is_foreign or request.path.startswith("/accounts/"):
        return None
    fields = typed_fields(request)
    if not any(not _CHOSEN.fullmatch(field.text) for field in fields):
        return None
    here = page_of_form(request)
    context = {
        "theme": read_choice(request.COOKIES, "theme", ("light", "dark"), "auto"),
        "fields": fields,
        "had_file": bool(request.FILES),
        "is_old": why is Late.TOO_OLD,
        "here": here,
        "sign_in": f"{reverse('account_login')}?{urlencode({'next': here})}",
    }
    # htmx leaves the form where it is and puts one notice above it: the texts still stand in their fields.
    if "HX-Request" in request.headers:
        answer = render(None, "accounts/_signed_out.html", context)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#notices", "innerHTML"
    else:
        answer = render(None, "accounts/signed_out.html", context, status=403)
    answer["Cache-Control"] = "no-store"
    return answer


def typed_fields(request: HttpRequest) -> list[Typed]:
    """What was sent with words in it, in its order; secrets, ids and the pressed button are left out."""
    return [
        Typed(name, text)
        for name, texts in request.POST.lists()
        if name not in BUTTONS
        for text in map(str, texts)
        if text.strip() and not _ID.fullmatch(text) and not any(word in name.lower() for word in SECRETS)
    ]


def is_own_form(request: HttpRequest) -> bool:
    """Whether a page of ours sent it: what another site posts is not repeated under our address."""
    return urlsplit(request.headers.get("Origin", "")).netloc == request.get_host()


def page_of_form(request: HttpRequest) -> str:
    """Where the form stands, for a browser to go back to: many forms are sent to an address that shows nothing."""
    referer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referer, allowed_hosts={request.get_host()}):
        return request.get_full_path()
    parts = urlsplit(referer)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
