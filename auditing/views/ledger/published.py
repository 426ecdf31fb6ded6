"""The public ledger over HTTP, without login: checkpoint, tiles, proofs, keys (C2SP tlog-tiles, tlog-proof)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

from auditing.selectors.ledger.lookup import find_checkpoint, find_leaf
from auditing.selectors.ledger.published import (
    LedgerDamagedError,
    NotPublishedYetError,
    Proof,
    ledger_key,
    outcome_proof,
    prove,
    published,
    read_file,
    second_key,
)
from auditing.selectors.ledger.witnesses import keys_of, known_witnesses
from auditing.translog.tiles import TileError
from auditing.translog.witnessing import Group, WitnessPolicy, policy_text

if TYPE_CHECKING:
    from auditing.models import Audit

NO_WITNESS = "# No witness cosigns this ledger yet: name your own."
OUR_WITNESSES = "# These witnesses are the operator's choice. Trust those that you know, and name your own."
TEXT = "text/plain; charset=utf-8"
# A tile is named by its place and size, so its bytes never change (C2SP tlog-tiles): any cache may keep it.
YEAR = "public, max-age=31536000, immutable"
# The head moves with every batch of leaves: two seconds let a cache serve many readers, and hide nothing for long.
MOMENT = "public, max-age=2"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page says of an outcome's place in the ledger: a proof, or why there is none."""

    proof: Proof | None = None
    signed_at: datetime | None = None
    trouble: str = ""


def proof_shown(*, audit: Audit) -> Shown:
    """The verified proof of an audit's outcome; never an exception, a page has to say something."""
    try:
        proof = outcome_proof(audit=audit)
    except LedgerDamagedError as error:
        return Shown(trouble=str(error))
    if proof is None:
        return Shown()
    row = find_checkpoint(size=proof.published.head.size)
    return Shown(proof, row.created if row else None)


def _text(body: str, *, caching: str = MOMENT, status: int = 200) -> HttpResponse:
    return HttpResponse(body, content_type=TEXT, status=status, headers={"Cache-Control": caching})


def _trouble(error: Exception) -> HttpResponse:
    # 404: not there yet, ask again. 503: it should be there and does not verify. Neither may be kept by a cache.
    return _text(f"{error}\n", caching="no-store", status=404 if isinstance(error, NotPublishedYetError) else 503)


@require_safe
def show_checkpoint(request: HttpRequest) -> HttpResponse:
    """The newest signed checkpoint."""
    try:
        # The bytes of the file as they were signed: to parse and write them anew could break the signature.
        signed_note = read_file("checkpoint")
    except OSError:
        return _trouble(NotPublishedYetError(NotPublishedYetError.__doc__))
    return HttpResponse(signed_note, content_type=TEXT, headers={"Cache-Control": "max-age=2"})


@require_safe
def show_tile(request: HttpRequest, tile: str) -> HttpResponse:
    """A hash tile or an entry bundle; it never changes."""
    try:
        tile_bytes = read_file(f"tile/{tile}")
    except (TileError, OSError):
        raise Http404("There is no such tile.") from None
    return HttpResponse(tile_bytes, content_type="application/octet-stream", headers={"Cache-Control": YEAR})


@require_safe
def show_proof(request: HttpRequest, index: int) -> HttpResponse:
    """The inclusion proof of one leaf in the newest checkpoint, as a file that verifies offline."""
    leaf = find_leaf(index=index)
    try:
        return (
            _trouble(NotPublishedYetError(f"There is no leaf {index}."))
            if leaf is None
            else _text(prove(leaf=leaf).text)
        )
    except (NotPublishedYetError, LedgerDamagedError) as error:
        return _trouble(error)


@require_safe
def show_vkey(request: HttpRequest) -> HttpResponse:
    """The public key that signs checkpoints."""
    key = ledger_key()
    return _trouble(NotPublishedYetError("The ledger has no key yet.")) if key is None else _text(f"{key.vkey}\n")


@require_safe
def show_second_vkey(request: HttpRequest) -> HttpResponse:
    """The ML-DSA-44 key that signed the newest checkpoint beside the other one, where that option is on."""
    try:
        key = second_key(note=published().note)
    except (NotPublishedYetError, LedgerDamagedError) as error:
        return _trouble(error)
    return (
        _trouble(NotPublishedYetError("This ledger signs with Ed25519 alone."))
        if key is None
        else _text(f"{key.vkey}\n")
    )


@require_safe
def show_witness_policy(request: HttpRequest) -> HttpResponse:
    """The witness policy of a reader who trusts this log's key and our choice of witnesses."""
    key = ledger_key()
    if key is None:
        return _trouble(NotPublishedYetError("The ledger has no key yet."))
    witnesses = known_witnesses()
    # Names are local to the policy file; the keys behind them are what a reader trusts.
    names = [f"w{number}" for number, _ in enumerate(witnesses, start=1)]
    keys = dict(zip(names, map(keys_of, witnesses), strict=True))
    # A witness with an ML-DSA-44 key too is a group: either key is enough, and a reader who demands both writes 2.
    groups = {
        name: Group(threshold=1, members=(f"{name}-ed25519", f"{name}-ml-dsa"))
        for name, both in keys.items()
        if len(both) > 1
    }
    # One cosignature of any of them is enough: a reader who wants more edits the threshold.
    policy = WitnessPolicy(
        logs=(key,),
        witnesses={
            member: signer
            for name, both in keys.items()
            for member, signer in zip(groups[name].members if name in groups else (name,), both, strict=True)
        },
        groups=groups | ({"ours": Group(threshold=1, members=tuple(names))} if names else {}),
        quorum="ours" if names else "none",
    )
    return _text(f"{NO_WITNESS if not names else OUR_WITNESSES}\n{policy_text(policy=policy)}")


urlpatterns = [
    path("ledger/v1/checkpoint", show_checkpoint, name="ledger_checkpoint"),
    path("ledger/v1/tile/<path:tile>", show_tile, name="ledger_tile"),
    path("ledger/v1/proof/<int:index>.tlog-proof", show_proof, name="ledger_proof"),
    path("ledger/v1/vkey", show_vkey, name="ledger_vkey"),
    path("ledger/v1/vkey-ml-dsa", show_second_vkey, name="ledger_second_vkey"),
    path("ledger/v1/policy", show_witness_policy, name="ledger_policy"),
]
