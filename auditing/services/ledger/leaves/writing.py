"""Appending leaves to the ledger, and the fields that many kinds of leaves share.

A leaf is written in the transaction of what it records; its index is given later by the sequencer (sequencing.py).
What may stand in a leaf: auditing/core/ledger/leaves; which one is written when: docs/guides/ledger.md. Writes Leaf.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from auditing.core.ledger import leaves as kinds
from auditing.core.ledger.leaves import Name
from auditing.models import Audit, Leaf, Round
from hdag.store.rows import fresh, insert

T = TypeVar("T")

PER_LEAF = 16  # entries of a list that one leaf holds: a leaf has a bounded size
_WORD = re.compile(r"[A-Za-z0-9._:/+=<>-]{1,256}")


def write(*, audit: Audit | None, leaves: Iterable[kinds.Leaf]) -> list[Leaf]:
    """Append leaves in order, in one insert. Raises LeafError: nothing is written then."""
    return insert(fresh(Leaf, kind=leaf.TYPE, audit=audit, body=kinds.encode(leaf=leaf)) for leaf in leaves)


def write_of_audits(*, leaves: Iterable[tuple[UUID, kinds.Leaf]]) -> list[Leaf]:
    """The same for leaves of several audits, each beside its own."""
    return insert(fresh(Leaf, kind=leaf.TYPE, audit_id=audit, body=kinds.encode(leaf=leaf)) for audit, leaf in leaves)


def write_named(*, leaves: Iterable[kinds.Submission | kinds.Skills | kinds.PhaseReveal]) -> list[Leaf]:
    """The same for leaves each of which names its own audit."""
    return write_of_audits(leaves=((leaf.audit, leaf) for leaf in leaves))


def round_fields(*, round: Round) -> dict[str, Any]:
    """The fields by which every leaf of a round names it."""
    return {"audit": round.audit_id, "segment": round.segment_id, "round": round.number}


def pool_name(*, round: Round) -> Name | None:
    """The pool that its auditors are drawn from; None for the eligible ones."""
    return Name(round.pool) if round.pool else None


def word(*, text: str) -> Name:
    """A word for a leaf: blanks become hyphens; what still is no word is replaced by its digest.

    So a leaf never holds a sentence that somebody wrote.
    """
    hyphenated = str(text).replace(" ", "-")
    if _WORD.fullmatch(hyphenated):
        return Name(hyphenated)
    return Name(f"sha256:{hashlib.sha256(str(text).encode()).hexdigest()}")


def chunks(*, entries: Sequence[T]) -> list[tuple[T, ...]]:
    """Entries cut into the lists of successive leaves; no leaf where there is no entry."""
    return [tuple(entries[start : start + PER_LEAF]) for start in range(0, len(entries), PER_LEAF)]
