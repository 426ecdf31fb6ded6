"""What a person sees when something is wrong: a plain page with a request id, never a stack trace."""

import copy
import logging
import secrets
import sys
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from accounts import signed_out
from accounts.signed_out import Late

log = logging.getLogger("trustweb")
request_id: ContextVar[str] = ContextVar("request_id", default="-")
_RETRY_SECONDS = "5"
_PASSING_STATES = ("25006", "25P03")  # read-only (a standby that is not yet promoted), idle in transaction too long
GetResponse = Callable[[HttpRequest], Any]


class Middleware:
    """A middleware for threads (handler.py); `before` and `after` are its two halves."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        self.before(request)
        return self.after(request, self.get_response(request))

    def before(self, request: HttpRequest) -> None:
        """On the way in."""

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """On the way out."""
        return response


class RequestId(Middleware):
    """Names each request; the name stands on the page, in the header and in every log line."""

    def before(self, request: HttpRequest) -> None:
        """Draw the name."""
        # Our own, never the client's X-Request-Id: a name that a stranger chooses could forge or hide log lines.
        request_id.set(secrets.token_hex(8))

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Show the name."""
        response["X-Request-Id"] = request_id.get()
        return response


class NotNow(Middleware):
    """Turns a lost database into 503 with Retry-After, so that clients try again instead of giving up."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Django calls this when a view raised."""
        # By name: settings load this module before the apps are ready. Nothing is promised while nothing is signed.
        if type(error).__name__ == "NotSigningError":
            log.error("nothing is promised: %s", error)
            return answer_not_now(request, str(error))
        if not is_database_away(error):
            return None
        log.error("database away: %s", error)
        return answer_not_now(request)


class NoStore(Middleware):
    """Keeps the pages of a logged-in person, and whatever the API answers, out of every cache."""

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Mark the response to whoever shows a session, or has just been given one, or asks the API.

        Whose session it is stays unread: under ASGI this runs in the event loop, which may not ask the database.
        """
        user = getattr(request, "_cached_user", None)  # where Django keeps the person once asked
        is_somebody = settings.SESSION_COOKIE_NAME in request.COOKIES or (user is not None and user.is_authenticated)
        # A program with a token shows no session; RFC 9111 lets shared caches keep answers to a GET of such a request.
        if is_somebody or request.path.startswith("/api/v1/"):
            response["Cache-Control"] = "no-store"
        return response


class WrongMethod(Middleware):
    """A page where a browser asks for an address that only buttons and forms lead to; programs keep the empty 405."""

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Give the empty answer of require_POST its words."""
        is_empty = response.status_code == 405 and not getattr(response, "content", b"-")
        if not is_empty or "text/html" not in request.headers.get("Accept", "") or wants_json(request):
            return response
        page = answer_plainly(request, 405, "A button of another page leads here; opened by itself it shows nothing.")
        page["Allow"] = response["Allow"]
        return page


def is_database_away(error: BaseException) -> bool:
    """Whether trying again later may help: the server is gone, starting, full, read-only or out of connections."""
    # InternalError also covers plain programming errors, so there the SQLSTATE decides (PostgreSQL manual, appendix A).
    passing = isinstance(error, InternalError) and getattr(error.__cause__, "sqlstate", "") in _PASSING_STATES
    return passing or isinstance(error, OperationalError | InterfaceError)


def wants_json(request: HttpRequest) -> bool:
    """Whether the client reads JSON rather than pages."""
    return request.path.startswith("/api/") or "application/json" in request.headers.get("Accept", "")


AWAY = "The database cannot be reached at the moment. Nothing was lost; please try again in a few seconds."


def answer_not_now(request: HttpRequest, sentence: str = AWAY) -> HttpResponse:
    """503 with Retry-After."""
    response = answer_plainly(request, 503, sentence)
    response["Retry-After"] = _RETRY_SECONDS
    return response


def show_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    # One sentence for both cases: to tell "forbidden" from "absent" would tell a guesser which ids exist.
    return answer_plainly(request, 404, "There is no such page, or it is not yours to see.")


def show_forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    return answer_plainly(request, 403, str(exception or "") or "You may not do this.")


def show_bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400; 413 where more was sent than a form may hold."""
    if isinstance(exception, RequestDataTooBig):
        most = f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20} MB"
        return answer_plainly(request, 413, f"What was sent is larger than {most}, the most that a form may hold.")
    return answer_plainly(request, 400, "The request could not be understood.")


def show_server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 when the database went away outside every view, for example while the session was read."""
    error = sys.exc_info()[1]
    if error is not None and is_database_away(error):
        return answer_not_now(request)
    return answer_plainly(request, 500, "Something went wrong on our side. It has been written down.")


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that was not ours, or too old: what was typed into one of ours is shown once more."""
    typed = signed_out.find_page(request, why=Late.TOO_OLD) if signed_out.is_own_form(request) else None
    return typed or answer_plainly(
        request, 403, "The form was too old or came from another site. Load the page again and repeat."
    )


# The word that programs compare, as in the answers of the API's own views (accounts/api/refusals.py).
CODES = {
    400: "BadRequest",
    403: "PermissionDenied",
    404: "NotFound",
    405: "MethodNotAllowed",
    410: "Gone",
    413: "TooLarge",
    429: "Throttled",
    500: "ServerError",
    503: "NotNow",
}


def answer_plainly(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """A page of one sentence, or the same as JSON."""
    facts: dict[str, object] = {"detail": sentence, "code": CODES[status], "request_id": request_id.get()}
    if wants_json(request):
        return JsonResponse(facts, status=status)
    theme = request.COOKIES.get("theme", "")
    facts |= {"theme": theme if theme in ("light", "dark") else "auto"}
    # The cookie alone, because a session is read from the database: without one the way home leads to the login page.
    facts |= {
        "has_session": settings.SESSION_COOKIE_NAME in request.COOKIES,
        "is_unsigned": status < 500 and _is_unsigned(),
    }
    # No request, hence no context processors: they would ask the very database that may be what failed.
    return render(None, "trustweb/failure.html", {**facts, "status": status}, status=status)


def _is_unsigned() -> bool:
    """Whether the ledger takes nothing at present, as every other page says; no where it cannot be asked."""
    from auditing.selectors.ledger.signing import find_trouble

    try:
        return bool(find_trouble())
    except Exception:  # whatever fails here must not hide what failed before
        return False


class AddRequestId(logging.Filter):
    """Gives every log record the name of the request it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the name."""
        record.request_id = request_id.get()
        return True


# Lost connections and killed workers end by themselves; whoever asks for what is not theirs, or for what nobody can
# read, is refused. The stack of either tells nobody anything. By name: most programs load only some of these modules.
PASSING_FAILURES = frozenset(
    {
        "psycopg.OperationalError",
        "django.db.utils.OperationalError",
        "django.db.utils.InterfaceError",
        "django.core.exceptions.BadRequest",
        "django.core.exceptions.PermissionDenied",
        "django.core.exceptions.RequestAborted",
        "django.core.exceptions.SuspiciousOperation",
        "django.http.multipartparser.MultiPartParserError",
        "django.http.request.UnreadablePostError",
        "django.http.response.Http404",
        "redis.exceptions.ConnectionError",
        "redis.exceptions.TimeoutError",
        "kombu.exceptions.OperationalError",
        "billiard.exceptions.WorkerLostError",
        "builtins.ConnectionError",
        "hdag.store.blocks.StoreAwayError",
    }
)
MOST_LAST_WORDS = 200  # characters


def is_passing(error: BaseException | None) -> bool:
    """Whether a failure or refusal is expected and asks for nobody's work, so that one line of the log says it all."""
    return any(f"{kind.__module__}.{kind.__qualname__}" in PASSING_FAILURES for kind in type(error).__mro__)


class OneLine(logging.Formatter):
    """One record, one line: a line break in a name cannot forge a second record (ASVS 16.4.1).

    A failure that nobody expects brings its traceback, indented; one that passes by itself its last words only.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The record, and what was raised."""
        error = record.exc_info[1] if record.exc_info else None
        if not is_passing(error):
            return super().format(record)
        last_words = " ".join(f"{type(error).__name__}: {error}".split())
        record = copy.copy(record)  # other handlers may want the traceback
        record.exc_info = record.exc_text = None
        return f"{super().format(record)} ({escape_line(last_words[:MOST_LAST_WORDS])})"

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Escape every control character, line breaks first."""
        return escape_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """Indent a traceback, so that no line of it looks like a record."""
        return "\n".join(f"    | {escape_line(line)}" for line in super().formatException(ei).splitlines())


def escape_line(text: str) -> str:
    r"""The text with every unprintable character made visible.

    >>> escape_line("a\nb")
    'a\\nb'
    """
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
