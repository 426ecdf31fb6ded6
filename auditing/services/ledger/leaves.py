"""Leaves for everything that decides an outcome, written in the transaction of the thing they record. Writes Leaf.

Which leaf is written when: docs/guides/ledger.md; what may stand in it: auditing/core/ledger/leaves. A leaf's
index is given later by the sequencer (sequencing.py). The leaf that opens an audit is written by
services/seating/rosters.py.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from auditing.core import consensus as core
from auditing.core.consensus.skills import Skill
from auditing.core.ledger import leaves as kinds
from auditing.core.ledger.leaves import Digest, Name, published
from auditing.core.stages import SeatStage
from auditing.core.values import Choice, Outcome, Tier
from auditing.models import Audit, Checkpoint, Commitment, Leaf, Round, Seat, Vote
from auditing.selectors.voting.bindings import assignment_salt, gold_salt, segment_digest_of
from hdag.core import cid

PER_LEAF = 16
PASSED_OVER = "passed over: "
_WORD = re.compile(r"[A-Za-z0-9._:/+=<>-]{1,256}")


def write(*, audit: Audit | None, leaves: Iterable[kinds.Leaf]) -> list[Leaf]:
    """Append leaves in order, in one insert. Raises LeafError: nothing is written then."""
    return Leaf.objects.bulk_create(Leaf(kind=leaf.TYPE, audit=audit, body=kinds.encode(leaf=leaf)) for leaf in leaves)


def submit(*, audit: Audit) -> Leaf:
    """submission: the SHA-256 of the trace's encrypted block."""
    digest = cid.parse(text=audit.trace.payload_id)
    return write(audit=audit, leaves=[kinds.Submission(audit=audit.pk, digest=Digest(digest))])[0]


def publish_policy(*, number: int, digest: bytes, params: Mapping[str, Any]) -> Leaf:
    """params.policy: a version's parameters; its routes are left to the digest when they do not fit into a leaf."""
    leaf = kinds.ParamsPolicy(policy=number, digest=Digest(digest), params=kinds.Parameters(dict(params)))
    try:
        return write(audit=None, leaves=[leaf])[0]
    except kinds.LeafError:
        fewer = {name: value for name, value in params.items() if name not in ("routes", "domains")}
        return write(
            audit=None,
            leaves=[kinds.ParamsPolicy(policy=number, digest=Digest(digest), params=kinds.Parameters(fewer))],
        )[0]


# -- seats and sealed votes -----------------------------------------------------------------------------------------


def round_opened_leaves(*, audit: Audit, rounds: Iterable[Round], commit_by: int, reveal_by: int) -> list[Leaf]:
    """round.open: the text that is judged, seats, windows in seconds since 1970."""
    return write(
        audit=audit,
        leaves=[
            kinds.RoundOpen(
                **_place(round),
                tier=Tier(round.tier),
                k=round.k,
                commit_by=commit_by,
                reveal_by=reveal_by,
                segment_digest=Digest(segment_digest_of(segment=round.segment)),
            )
            for round in rounds
        ],
    )


def assign_seats(*, audit: Audit, draws: Iterable[tuple[Round, Sequence[Seat]]], roster: int = 0) -> list[Leaf]:
    """seat.assign: the first draw of each round, hidden behind its salt; roster: the list it was drawn from."""
    return write(
        audit=audit,
        leaves=[
            kinds.SeatAssign(
                **_place(round),
                draw=0,
                seats=len(seats),
                digest=_hidden(round, 0, seats),
                pool=_pool(round),
                roster=roster or None,
            )
            for round, seats in draws
        ],
    )


def substitute(*, round: Round, seats: Sequence[Seat], replaced: Iterable[UUID], reason: str, roster: int = 0) -> Leaf:
    """substitution: seats drawn again, in the same tier, for `replaced`."""
    draw = seats[0].draw
    leaf = kinds.Substitution(
        **_place(round),
        draw=draw,
        replaced=tuple(replaced),
        digest=_hidden(round, draw, seats),
        reason=_name(reason),
        pool=_pool(round),
        roster=roster or None,
    )
    return write(audit=round.audit, leaves=[leaf])[0]


def commit_leaf(*, seat: Seat, commitment: bytes) -> kinds.VoteCommit:
    """The vote.commit leaf of one sealed vote."""
    return kinds.VoteCommit(**_place(seat.round), seat=seat.pk, commitment=Digest(commitment))


def commit_votes(*, audit: Audit, commitments: Iterable[Commitment]) -> list[Leaf]:
    """vote.commit for each sealed vote."""
    return write(audit=audit, leaves=[commit_leaf(seat=one.seat, commitment=bytes(one.digest)) for one in commitments])


def close_rounds(*, audit: Audit, rounds: Sequence[Round]) -> list[Leaf]:
    """phase.reveal: no more sealed votes; their digest, and the salts of all draws so far."""
    sealed: dict[UUID, list[bytes]] = {round.pk: [] for round in rounds}
    draws = dict.fromkeys(sealed, 0)
    for name, digest in Commitment.objects.filter(seat__round__in=rounds).values_list("seat__round", "digest"):
        sealed[name].append(bytes(digest))
    for name, draw in Seat.objects.filter(round__in=rounds).values_list("round", "draw"):
        draws[name] = max(draws[name], draw + 1)
    return write(
        audit=audit,
        leaves=[
            kinds.PhaseReveal(
                **_place(round),
                commits=len(sealed[round.pk]),
                digest=Digest(kinds.commitments_digest(commitments=sealed[round.pk])),
                salts=tuple(Digest(assignment_salt(round=round, draw=draw)) for draw in range(draws[round.pk])),
            )
            for round in rounds
        ],
    )


def opened_leaves(*, round: Round, votes: Sequence[Vote]) -> list[kinds.Leaf]:
    """vote.reveal, at most 16 openings a leaf, then vote.noreveal: every seat ever filled stands in one of them."""
    openings = [_opened(vote) for vote in votes]
    opened = {vote.seat_id for vote in votes}
    rest = Seat.objects.filter(round=round).exclude(pk__in=opened).select_related("commitment").order_by("draw", "pk")
    silent = [_silent(seat) for seat in rest] if round.tier != Tier.COMPUTER else []
    return [
        *(kinds.VoteReveal(**_place(round), openings=part) for part in _parts(openings)),
        *(kinds.VoteNoReveal(**_place(round), seats=part) for part in _parts(silent)),
    ]


# -- what was found -------------------------------------------------------------------------------------------------


def tally_leaves(
    *, round: Round, found: core.Tally, skills: Mapping[str, Skill], votes: Sequence[Vote]
) -> list[kinds.Leaf]:
    """skills, when something else than the tier's prior was believed, and outcome.preliminary."""
    believed = [
        _skill(bytes(vote.seat.pseudonym), skills[str(vote.seat.auditor_id)])
        for vote in votes
        if str(vote.seat.auditor_id) in skills
    ]
    return [
        *(kinds.Skills(**_place(round), auditors=part) for part in _parts(believed)),
        kinds.OutcomePreliminary(
            **_place(round),
            tier=found.tier,
            rule=_name(found.rule),
            k=found.k,
            redraws=round.redraws,
            passes=found.passes,
            fails=found.fails,
            abstentions=found.abstentions,
            outcome=found.outcome,
            paper_outcome=found.paper_outcome,
            posterior=published(number=found.posterior),
        ),
    ]


def escalation_leaf(*, round: Round, decision: core.SegmentDecision) -> kinds.Escalation:
    """escalation: the segment goes on to another tier, or to the adjudicator."""
    to = Name("adjudicator" if decision.adjudicate or decision.next_tier is None else str(decision.next_tier))
    return kinds.Escalation(**_place(round), to=to, reason=_name(decision.why or "hung"))


def segment_leaf(
    *, round: Round, outcome: core.SegmentOutcome, adjudicated: bool, soundness: Decimal | None = None
) -> kinds.SegmentOutcome:
    """The segment.outcome leaf of a segment whose last round is `round`."""
    assert outcome.weight is not None
    return kinds.SegmentOutcome(
        audit=round.audit_id,
        segment=round.segment_id,
        rounds=round.number + 1,
        tier=Tier(round.tier),
        outcome=outcome.outcome,
        paper_outcome=outcome.paper_outcome or outcome.outcome,
        posterior=published(number=outcome.posterior),
        refuted=outcome.refuted,
        adjudicated=adjudicated,
        weight=outcome.weight,
        soundness=soundness,
    )


def draw_heads(*, audit: Audit) -> list[tuple[Leaf, Checkpoint]]:
    """audit.open and each eligible.extend, with the first checkpoint that holds it: its root seeds the draws.

    As far as they are in a checkpoint.
    """
    found, lists = [], (kinds.AuditOpen.TYPE, kinds.EligibleExtend.TYPE)
    for leaf in Leaf.objects.filter(audit=audit, kind__in=lists).order_by("id"):
        index = leaf.index
        head = None if index is None else Checkpoint.objects.filter(size__gt=index).order_by("size").first()
        if head is None:
            break
        found.append((leaf, head))
    return found


def decide_trace(*, audit: Audit, found: core.TraceOutcome, heads: Sequence[Checkpoint]) -> Leaf:
    """trace.outcome, which opens the secret of the draws; heads: those of draw_heads."""
    head = heads[0]
    more = tuple(kinds.DrawHead(size=one.size, root=Digest(bytes(one.root))) for one in heads[1:])
    leaf = kinds.TraceOutcome(
        audit=audit.pk,
        outcome=found.outcome,
        posterior=published(number=found.posterior),
        score=published(number=found.score),
        rule=_name(found.rule),
        paper_outcome=found.paper_outcome,
        weight_passed=published(number=found.weight_passed),
        weight_needed=published(number=found.weight_needed),
        seed=Digest(bytes(audit.seed)),
        draw_size=head.size,
        draw_root=Digest(bytes(head.root)),
        extensions=more or None,
    )
    return write(audit=audit, leaves=[leaf])[0]


def reveal_gold(*, audit: Audit, truths: Mapping[UUID, str]) -> list[Leaf]:
    """gold.reveal: what was known beforehand of the segments of an audit that are gold."""
    return write(
        audit=audit,
        leaves=[
            kinds.GoldReveal(
                audit=audit.pk,
                segment=segment,
                truth=kinds.Truth(truth),
                salt=Digest(gold_salt(audit=audit, segment=segment)),
            )
            for segment, truth in truths.items()
        ],
    )


def appeal(*, audit: Audit, by: str, reason: str, successor: Audit | None = None) -> Leaf:
    """appeal: by is provider, auditor or operator; reason one word of a list, never a person's sentence."""
    leaf = kinds.Appeal(
        audit=audit.pk, by=_name(by), reason=_name(reason), successor=None if successor is None else successor.pk
    )
    return write(audit=audit, leaves=[leaf])[0]


def roll_back(*, audit: Audit, stands: Iterable[tuple[Round, Outcome]], reason: str) -> list[Leaf]:
    """outcome.rollback: what these last rounds decided no longer stands, and what stands instead."""
    return write(
        audit=audit,
        leaves=[kinds.OutcomeRollback(**_place(one), reason=_name(reason), outcome=now) for one, now in stands],
    )


# -- parts ----------------------------------------------------------------------------------------------------------


def _place(round: Round) -> dict[str, Any]:
    return {"audit": round.audit_id, "segment": round.segment_id, "round": round.number}


def _pool(round: Round) -> Name | None:
    return Name(round.pool) if round.pool else None


def _hidden(round: Round, draw: int, seats: Sequence[Seat]) -> Digest:
    salt = assignment_salt(round=round, draw=draw)
    return Digest(kinds.assignment_digest(salt=salt, seats=[(seat.pk, bytes(seat.pseudonym)) for seat in seats]))


def _opened(vote: Vote) -> kinds.RevealedVote:
    return kinds.RevealedVote(
        seat=vote.seat_id,
        auditor=Digest(bytes(vote.seat.pseudonym)),
        draw=vote.seat.draw,
        vote=Choice(vote.choice).code,
        confidence=0xFFFF if vote.confidence is None else vote.confidence,
        rationale=Digest(bytes(vote.seat.commitment.rationale_digest)),
        nonce=Digest(bytes(vote.nonce)),
    )


def _silent(seat: Seat) -> kinds.SilentSeat:
    passed_over = seat.declined_because.startswith(PASSED_OVER)
    reason = "passed_over" if passed_over else seat.stage
    return kinds.SilentSeat(
        seat=seat.pk,
        auditor=Digest(bytes(seat.pseudonym)),
        draw=seat.draw,
        committed=hasattr(seat, "commitment"),
        reason=Name(reason if reason != SeatStage.OFFERED else str(SeatStage.SILENT)),
    )


def _skill(auditor: bytes, skill: Skill) -> kinds.AuditorSkill:
    return kinds.AuditorSkill(
        auditor=Digest(auditor),
        sensitivity=skill.sensitivity.mean,
        specificity=skill.specificity.mean,
        family=_name(skill.family) if skill.family else None,
        correlation=skill.correlation,
    )


def _name(text: str) -> Name:
    """A word for a leaf: blanks become hyphens; what still is no word is replaced by its digest."""
    word = str(text).replace(" ", "-")
    return Name(word if _WORD.fullmatch(word) else f"sha256:{hashlib.sha256(str(text).encode()).hexdigest()}")


def _parts(items: Sequence[Any]) -> list[tuple[Any, ...]]:
    return [tuple(items[at : at + PER_LEAF]) for at in range(0, len(items), PER_LEAF)]
