"""Who attacks: a browser without a script, signed in or not, and what it can ask."""

import re
import secrets
from dataclasses import dataclass, field
from typing import Any

import httpx

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class AttackSkippedError(Exception):
    """This attack needs something that the instance does not offer; the sentence says what."""


class AttackHitError(Exception):
    """The instance gave way; the sentence says how."""


@dataclass(frozen=True, slots=True)
class Login:
    """An address and a password of the attacked instance."""

    email: str
    password: str


class Visitor:
    """One browser: cookies of its own, no redirect followed unseen."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.client = httpx.Client(base_url=self.url, timeout=30, follow_redirects=False)

    def sign_in(self, login: Login) -> "Visitor":
        """Through the form, as a person does. Raises AttackSkippedError where the login is not taken."""
        page = self.client.get("/accounts/login/")
        matched = _TOKEN.search(page.text)
        if matched is None:
            raise AttackSkippedError("the sign-in page shows no form")
        fields = {"csrfmiddlewaretoken": matched[1], "login": login.email, "password": login.password}
        answer = self.client.post("/accounts/login/", data=fields, headers=self._origin())
        if answer.status_code != 302:
            raise AttackSkippedError(f"{login.email} cannot sign in (answer {answer.status_code})")
        return self

    def get(self, path: str, **options: Any) -> httpx.Response:
        """GET."""
        return self.client.get(path, **options)

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """POST of JSON with what a page of the site would send beside it."""
        content = body if isinstance(body, bytes) else None
        return self.client.post(
            path,
            content=content,
            json=None if content is not None else body,
            headers={**self._origin(), "X-CSRFToken": self._csrf(), "Content-Type": "application/json", **headers},
        )

    def form(self, path: str, fields: dict[str, str], files: Any = None, *, is_ours: bool = True) -> httpx.Response:
        """POST of a form; `is_ours=False` leaves out what only our own pages know."""
        if not is_ours:
            return self.client.post(path, data=fields, files=files, headers={"Origin": "https://evil.example"})
        return self.client.post(
            path, data={"csrfmiddlewaretoken": self._csrf(), **fields}, files=files, headers=self._origin()
        )

    def _csrf(self) -> str:
        if "csrftoken" not in self.client.cookies:
            self.client.get("/accounts/login/")
        return self.client.cookies.get("csrftoken", "")

    def _origin(self) -> dict[str, str]:
        return {"Origin": self.url, "Referer": f"{self.url}/"}


@dataclass(slots=True)
class Target:
    """The attacked instance and the logins that its owner lends."""

    url: str
    provider: Login
    reviewers: tuple[Login, Login]
    admin: Login
    _visitors: list[Visitor] = field(default_factory=list)

    def stranger(self) -> Visitor:
        """Somebody who is not signed in."""
        self._visitors.append(Visitor(self.url))
        return self._visitors[-1]

    def member(self, login: Login) -> Visitor:
        """Somebody who is."""
        return self.stranger().sign_in(login)

    def forget(self) -> None:
        """Close every visitor of the attack that has ended."""
        while self._visitors:
            self._visitors.pop().client.close()


def expect(answer: httpx.Response, *statuses: int) -> httpx.Response:
    """The answer, when its status is among these. Raises AttackHitError, AttackSkippedError for a rate limit."""
    if answer.status_code == 429 and 429 not in statuses:
        raise AttackSkippedError("the instance limits the rate already; wait a minute")
    if answer.status_code not in statuses:
        wanted = ", ".join(map(str, statuses))
        address = answer.request.url.path[:80]
        raise AttackHitError(f"{answer.request.method} {address} answered {answer.status_code}, not {wanted}")
    return answer


def refuse(condition: bool, sentence: str) -> None:
    """Raise AttackHitError when the harm was done."""
    if condition:
        raise AttackHitError(sentence)


def fresh_commitment() -> str:
    """A commitment to nothing: 32 random bytes."""
    return secrets.token_hex(32)
