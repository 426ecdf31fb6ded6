"""One signed-in program: it claims seats, seals votes, hands in traces and reads audits, as the API's pages document.

    with TrustClient(base="http://127.0.0.1:8000", token="trust_...") as client:
        desk = client.next_seat()
        if desk.seat:
            client.vote(desk=desk, vote="pass", confidence=0.9)

The addresses are those of /api/docs. A token is made on the page *API tokens* of whoever the program votes for.
"""

import base64
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

import httpx

from auditing.client.sealing import seal_vote

RETRIES = 5  # of a request that the server puts off (429, 503) or that never arrived
USUAL_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds; no header can put a program to sleep for longer


class ApiError(Exception):
    """The server refused: its status, its code and its sentence."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status, self.code = status, str(body.get("code", ""))
        super().__init__(f"{status} {self.code}: {body.get('detail', body)}")


class KeptOpeningError(Exception):
    """This seat wants its opening kept by its owner, in a browser; this client votes under escrow only."""


@dataclass(frozen=True, slots=True)
class Desk:
    """A seat with what its holder is shown, or the reason why there is none."""

    seat: str | None
    reason: str
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What is to be judged; without a seat, the reason in words."""
        return str(self.body.get("text", ""))

    @property
    def steps(self) -> list[list[int]]:
        """[start, end] of each numbered step, where a failing vote has to name one."""
        return list(self.body.get("sealing", {}).get("steps", []))


@dataclass(frozen=True, slots=True)
class Receipt:
    """The server's promise for a sealed vote, and what opens it; kept by whoever voted."""

    seat: str
    commitment: str
    receipt: str
    opening: Mapping[str, Any]


class TrustClient:
    """A connection under one token. `seconds` holds how long each kind of request took, for whoever measures.

    sleep: how it waits when the server puts it off, in seconds.
    """

    def __init__(
        self, *, base: str, token: str, timeout: float = 30.0, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._sleep = sleep
        headers = {"Authorization": f"Bearer {token.strip()}"}  # read from a file it ends with a line
        self.http = httpx.Client(base_url=f"{base.rstrip('/')}/api/v1", headers=headers, timeout=timeout)
        self.seconds: dict[str, list[float]] = {}

    def __enter__(self) -> "TrustClient":
        """The client itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.http.close()

    def next_seat(self) -> Desk:
        """Claim the next seat, or be told again of the one that is held. Raises ApiError."""
        body = self._post("desk", "/desk/next", None)
        return Desk(body["seat"], body.get("reason", ""), body)

    def vote(
        self,
        *,
        desk: Desk,
        vote: str,
        confidence: float = 0.9,
        rationale: Mapping[str, Any] | None = None,
        active_ms: int = 0,
    ) -> Receipt:
        """Seal a vote (pass, fail, abstain) on the seat of `desk`. The server cannot read what is sealed.

        So only the client can see to it that a fail has its reason and error_type, as the desk's page does.
        Raises ApiError, KeptOpeningError.
        """
        assert desk.seat is not None, "there is no seat to vote on"
        sealing = desk.body["sealing"]
        if sealing["openings"] == "browser" or not sealing["revealPoint"]:
            raise KeptOpeningError(KeptOpeningError.__doc__)
        sealed = seal_vote(
            sealing=sealing,
            vote=vote,
            confidence_bp=round(10_000 * confidence),
            rationale=rationale or {"reason": "", "criteria": {}},
        )
        body: dict[str, Any] = {
            "commitment": sealed.commitment,
            "rationale_digest": sealed.rationale_digest,
            "sealed": base64.b64encode(sealed.sealed).decode(),
            "active_ms": active_ms,
            "raw_ms": active_ms,
        }
        if desk.body.get("guidelines") is not None:
            body["guidelines"] = desk.body["guidelines"]
        done = self._post("commitment", f"/seats/{desk.seat}/commitment", body)
        return Receipt(desk.seat, sealed.commitment, done["receipt"], sealed.opening)

    def pass_on(self, *, desk: Desk, because: str) -> None:
        """Give the seat back with a reason. Raises ApiError."""
        self._post("pass", f"/seats/{desk.seat}/pass", {"because": because})

    def submit(self, *, trace: Mapping[str, Any]) -> str:
        """Hand in a trace; the id of its audit. The same trace again is the same audit. Raises ApiError."""
        return str(self._post("trace", "/traces", dict(trace))["audit"])

    def submit_file(self, *, path: Path, **asked: str) -> Iterator[dict[str, Any]]:
        """Hand in a file of traces: JSON lines, a document, an .eval log or a zip; a row a record as the answer comes.

        asked: campaign, kind, preset, tags, whole_to_models, decomposer, dry_run. A file that was cut off on its way
        may be sent again: what is there already opens nothing twice. Raises ApiError.
        """
        headers = {"Content-Type": "application/octet-stream"}
        with (
            path.open("rb") as file,
            self.http.stream("POST", "/traces/file", params=asked, content=file, headers=headers) as answer,
        ):
            if answer.is_error:
                answer.read()
                _read(answer)
            yield from map(json.loads, filter(None, answer.iter_lines()))

    def audit(self, *, key: str) -> dict[str, Any]:
        """One audit as its provider or a consumer may read it. Raises ApiError."""
        return self._send("audit", "GET", f"/audits/{key}", None, {})

    def _post(self, kind: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        # One key for all tries: an answer that was lost on the way is given again, nothing is done twice.
        return self._send(kind, "POST", path, body, {"Idempotency-Key": uuid4().hex})

    def _send(
        self, kind: str, method: str, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]
    ) -> dict[str, Any]:
        for attempt in range(RETRIES):
            begun = time.perf_counter()
            try:
                answer = self.http.request(method, path, json=body, headers=dict(headers))
            except httpx.TransportError:
                if attempt == RETRIES - 1:
                    raise
                self._sleep(0.2 * 2**attempt)
                continue
            self.seconds.setdefault(kind, []).append(time.perf_counter() - begun)
            if answer.status_code in (429, 503) and attempt < RETRIES - 1:
                self._sleep(_pause(answer.headers))
                continue
            return _read(answer)
        raise AssertionError("every pass of the loop returns, raises or goes on")


def _pause(headers: Mapping[str, str]) -> float:
    """Seconds to wait as a header says: a number or a date (RFC 9110 section 10.2.3), never longer than LONGEST_PAUSE.

    >>> _pause({"retry-after": "3"}), _pause({"retry-after": "86400"}), _pause({"retry-after": "soon"})
    (3.0, 60.0, 1.0)
    >>> _pause({"date": "Mon, 23 Nov 2026 08:00:00 GMT", "retry-after": "Mon, 23 Nov 2026 08:00:07 GMT"})
    7.0
    """
    value = headers.get("retry-after", "")
    try:
        # A date is of the server's clock, and so is the date of its answer: ours need not be right.
        told = (
            float(value) if value.strip().isdecimal() else (_moment(value) - _moment(headers["date"])).total_seconds()
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return USUAL_PAUSE
    return min(max(0.0, told), LONGEST_PAUSE)


def _moment(value: str) -> datetime:
    moment = parsedate_to_datetime(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _read(answer: httpx.Response) -> dict[str, Any]:
    """The body of a good answer. Raises ApiError."""
    try:
        body = answer.json()
    except ValueError:
        body = {"detail": answer.text[:200]}
    if answer.is_error or not isinstance(body, dict):
        raise ApiError(answer.status_code, body if isinstance(body, dict) else {"detail": str(body)[:200]})
    return body
