"""`make attack`: it finds nothing at our own live server, and much at one that lets everything pass."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from benchmarks.attack import members, strangers
from benchmarks.attack.__main__ import attack
from benchmarks.attack.visitor import Login, Target
from tests.factories.worlds import World
from tests.tools.site import Site

PASSWORD = "correct horse battery"


class _Careless(BaseHTTPRequestHandler):
    """Answers 200 to whatever it is asked, echoing it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f'Index of {self.path} <input name="password">'.encode())

    do_POST = do_GET  # noqa: N815  http.server's own name

    def log_message(self, *words: object) -> None:
        """Nothing."""


@pytest.fixture
def careless_url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Careless)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def _login(person: User) -> Login:
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return Login(person.email, PASSWORD)


@pytest.mark.django_db(transaction=True)
def test_our_own_site_holds_against_every_attack_by_address(
    site: Site, live_waiting_hens: World, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (_login(person) for person in live_waiting_hens.reviewers[:2])
    target = Target(
        site.url,
        _login(live_waiting_hens.provider),
        (first, second),
        _login(User.objects.get(email="admin@example.org")),
    )
    assert attack(target, [*strangers.ATTACKS, *members.ATTACKS]) == 0  # the rates of 4 and 57 are off in tests
    said = capsys.readouterr().out
    assert "skipped." in said
    assert "FALLS" not in said


def test_a_server_that_lets_everything_pass_falls(careless_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    nobody = Login("a@b.example", "c")
    assert attack(Target(careless_url, nobody, (nobody, nobody), nobody), list(strangers.ATTACKS)) == 1
    fallen = {int(line.split()[1].rstrip(":")) for line in capsys.readouterr().out.splitlines() if line[:5] == "FALLS"}
    assert fallen >= {3, 9, 10, 11, 13, 18, 53, 59, 60}
