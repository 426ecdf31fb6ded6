"""A simulated reviewer that works over HTTP: it logs in, asks for its next seat, seals a vote as a browser would.

The demo, the tests and the benchmarks share it. It knows the public API and nothing of the database.
"""

import base64
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
from cryptography.hazmat.primitives.asymmetric import ec

from auditing.core.values import Choice
from auditing.core.voting.commitment import Binding, Opening, commitment, log_id, rationale_digest, segment_digest
from auditing.core.voting.rationale import ErrorType, Rationale, write
from auditing.core.voting.seal import Unsealed, read_point, seal

NEXT = "/api/v1/desk/next"


@dataclass
class Reviewer:
    """One person's session. judge(text) says how to vote; `rng` makes runs repeatable."""

    client: httpx.Client
    judge: Callable[[str], Choice] = lambda text: Choice.PASS
    rng: random.Random = field(default_factory=random.Random)

    def next_seat(self) -> dict[str, Any] | None:
        """The seat held or the next one; None when there is nothing."""
        said = self._post(NEXT, None).json()
        return None if said["seat"] is None else said

    def vote(self, desk: dict[str, Any]) -> httpx.Response:
        """Seal one vote on the seat of `desk` and send it."""
        return self._post(desk["sealing"]["url"], self.sealed(desk))

    def work(self, most: int = 10_000) -> int:
        """Vote until nothing is left; returns how many votes were accepted."""
        for done in range(most):
            desk = self.next_seat()
            if desk is None:
                return done
            self.vote(desk).raise_for_status()
        return most

    def sealed(self, desk: dict[str, Any]) -> dict[str, Any]:
        """The body of one vote."""
        sealing = desk["sealing"]
        choice = self.judge(desk["text"])
        failing = choice is Choice.FAIL
        text = write(
            rationale=Rationale(
                reason="It does not follow." if failing else "",
                error_type=ErrorType.INVALID_DERIVATION if failing else None,
            )
        )
        rnonce = os.urandom(32)
        opening = Opening(
            choice=choice,
            confidence_bp=None if choice is Choice.ABSTAIN else self.rng.randrange(6000, 10_001, 100),
            rationale_digest=rationale_digest(rnonce=rnonce, text=text),
            nonce=os.urandom(32),
        )
        digest = commitment(binding=_binding(sealing), opening=opening)
        body = seal(
            reveal_key=read_point(point=bytes.fromhex(sealing["revealPoint"])),
            ephemeral=ec.generate_private_key(ec.SECP256R1()),
            seat_id=UUID(sealing["seatId"]),
            commitment=digest,
            unsealed=Unsealed(opening=opening, rnonce=rnonce, rationale=text),
        )
        return {
            "commitment": digest.hex(),
            "rationale_digest": opening.rationale_digest.hex(),
            "sealed": _base64(body),
            "active_ms": self.rng.randrange(1000, 60_000),
        }

    def _post(self, url: str, body: Any) -> httpx.Response:
        token = self.client.cookies.get("csrftoken") or ""
        headers = {"X-CSRFToken": token, "Referer": str(self.client.base_url)}
        return self.client.post(url, json=body, headers=headers)


def by_token(*, url: str, token: str, **options: Any) -> Reviewer:
    """A reviewer who shows an API token."""
    return Reviewer(httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60), **options)


def _binding(sealing: dict[str, Any]) -> Binding:
    return Binding(
        log_id=log_id(origin=sealing["origin"]),
        audit_id=UUID(sealing["auditId"]),
        segment_id=UUID(sealing["segmentId"]),
        round=sealing["round"],
        seat_id=UUID(sealing["seatId"]),
        auditor_id=bytes.fromhex(sealing["auditorId"]),
        segment_digest=segment_digest(salt=bytes.fromhex(sealing["salt"]), text=sealing["text"]),
    )


def _base64(body: bytes) -> str:
    return base64.b64encode(body).decode()
