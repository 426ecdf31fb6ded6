"""One-time messages are opened for whoever may see a page, and for nobody else."""

import pytest
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpResponse
from django.test import RequestFactory

from trustweb.middleware.messages import Messages


@pytest.mark.parametrize(
    ("path", "cookie", "opened"),
    [
        ("/work", "", True),  # a stranger's first message, before any cookie
        ("/api/v1/desk/next", "", False),  # a program with a token
        ("/api/v1/desk/next", "sessionid=abc", True),  # the page's own script
    ],
)
def test_messages_are_opened_where_there_is_a_page_to_show_them_on(path: str, cookie: str, opened: bool) -> None:
    request = RequestFactory().post(path, HTTP_COOKIE=cookie)
    answer = SessionMiddleware(Messages(lambda _: HttpResponse()))(request)
    assert hasattr(request, "_messages") is opened
    assert answer.status_code == 200
