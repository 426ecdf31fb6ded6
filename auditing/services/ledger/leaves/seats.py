"""Leaves of rounds and seats: a round opens, seats are drawn and drawn again. Reads Checkpoint, PublicKey; writes Leaf.

Who sits where is hidden behind a salted digest until the window closes; then phase.reveal opens the salts (votes.py),
so that a stranger can repeat the draw and nobody can lean on an auditor while it matters.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery
from auditing.core.ledger import leaves as kinds
from auditing.core.ledger.leaves import Digest
from auditing.core.values import Tier
from auditing.core.voting.unopened import key_digest
from auditing.models import Audit, Checkpoint, Leaf, Round, Seat
from auditing.selectors.seating.rounds import reveal_point
from auditing.selectors.voting.bindings import assignment_salt, segment_digest_of
from auditing.services.ledger.leaves.writing import pool_name, round_fields, word, write


def round_opened_leaves(
    *, audit: Audit, rounds: Iterable[Round], commit_by: int, reveal_by: int, texts: Mapping[UUID, str] | None = None
) -> list[Leaf]:
    """round.open of several rounds with the same windows, written. texts: what is judged by round, if read already."""
    contents, key = texts or {}, reveal_key_digest()
    return write(
        audit=audit,
        leaves=[
            opening_leaf(round=round, commit_by=commit_by, reveal_by=reveal_by, key=key, text=contents.get(round.pk))
            for round in rounds
        ],
    )


def reveal_key_digest() -> Digest | None:
    """What round.open says of the key that votes are sealed to; None before the revealer has announced one."""
    point = reveal_point()
    return None if point is None else Digest(key_digest(point=point))


def opening_leaf(
    *, round: Round, commit_by: int, reveal_by: int, key: Digest | None, text: str | None = None
) -> kinds.RoundOpen:
    """round.open: the text that is judged, seats, windows in seconds since 1970, the key that votes are sealed to."""
    return kinds.RoundOpen(
        **round_fields(round=round),
        tier=Tier(round.tier),
        k=round.k,
        commit_by=commit_by,
        reveal_by=reveal_by,
        segment_digest=Digest(segment_digest_of(segment=round.segment, text=text)),
        reveal_key=None if round.tier == Tier.COMPUTER else key,
    )


def seats_leaf(*, round: Round, seats: Sequence[Seat], roster: int) -> kinds.SeatAssign:
    """seat.assign: the first draw of a round, hidden behind its salt; roster: the list it was drawn from."""
    return kinds.SeatAssign(
        **round_fields(round=round),
        draw=0,
        seats=len(seats),
        digest=_hidden(round, 0, seats),
        pool=pool_name(round=round),
        roster=roster or None,  # the first list is not named
    )


def substitute(*, round: Round, seats: Sequence[Seat], replaced: Iterable[UUID], reason: str, roster: int = 0) -> Leaf:
    """substitution of some seats of one round, written."""
    leaf = substitution_leaf(round=round, seats=seats, replaced=replaced, reason=reason, roster=roster)
    return write(audit=round.audit, leaves=[leaf])[0]


def substitution_leaf(
    *, round: Round, seats: Sequence[Seat], replaced: Iterable[UUID], reason: str, roster: int
) -> kinds.Substitution:
    """substitution: seats drawn again, in the same tier, for `replaced`."""
    draw = seats[0].draw  # all of one substitution are of one draw
    return kinds.Substitution(
        **round_fields(round=round),
        draw=draw,
        replaced=tuple(replaced),
        digest=_hidden(round, draw, seats),
        reason=word(text=reason),
        pool=pool_name(round=round),
        roster=roster or None,
    )


def draw_heads(*, audit: Audit) -> list[tuple[Leaf, Checkpoint]]:
    """audit.open and each eligible.extend, with the first checkpoint that holds it: its root seeds the draws.

    The list ends at the first leaf that no checkpoint holds yet.
    """
    heads = []
    for leaf in _lists.rows(audit=audit.pk):
        # A checkpoint of size n holds the leaves 0 to n - 1.
        head = None
        if leaf.index is not None:
            head = _first_head.first(index=leaf.index)
        if head is None:
            break
        heads.append((leaf, head))
    return heads


@PreparedQuery
def _lists(audit: UUID) -> QuerySet[Leaf]:
    kind = (kinds.AuditOpen.TYPE, kinds.EligibleExtend.TYPE)
    return Leaf.objects.filter(audit=audit, kind__in=kind).order_by("id")


@PreparedQuery
def _first_head(index: int) -> QuerySet[Checkpoint]:
    return Checkpoint.objects.filter(size__gt=index).order_by("size")[:1]


def _hidden(round: Round, draw: int, seats: Sequence[Seat]) -> Digest:
    """Who sits where in one draw, as a digest; without its salt nobody can test guesses against it."""
    salt = assignment_salt(round=round, draw=draw)
    return Digest(kinds.assignment_digest(salt=salt, seats=[(seat.pk, bytes(seat.pseudonym)) for seat in seats]))
