"""One example of every type of leaf."""

from decimal import Decimal
from fractions import Fraction
from uuid import UUID

from auditing.core.conduct import ConductStep
from auditing.core.ledger import leaves as leaf
from auditing.core.values import Outcome, Tier

AUDIT, SEGMENT, SEAT = UUID(int=1), UUID(int=2), UUID(int=3)
AT = {"audit": AUDIT, "segment": SEGMENT, "round": 0}
A, B, SALT = b"a" * 32, b"b" * 32, b"s" * 32
TIER = {"k": 3, "tau": "0.5", "tau_fail": "0.5", "weight": "1", "turnout": "0.6"}
PARAMS = {
    "computer": {**TIER, "k": 1},
    "llm": TIER,
    "human": TIER,
    "beta": "0.7",
    "gamma": "0.02",
    "slash_min": "0.34",
    "slash_max": "0.6",
    "reward": 6,
    "penalty": 8,
    "racing": False,
    "domains": [],
}

_ALL = (
    leaf.AuditOpen(
        audit=AUDIT,
        policy=1,
        params=PARAMS,
        segments=2,
        segments_root=A,
        eligible=9,
        eligible_root=B,
        seed_commit=SALT,
        draw=leaf.DrawRules(load_cap=20, share_cap=Decimal("0.3"), adjacent=False),
        predecessor=UUID(int=9),
    ),
    leaf.RoundOpen(**AT, tier=Tier.HUMAN, k=3, segment_digest=A, commit_by=1_790_000_000, reveal_by=1_790_086_400),
    leaf.SeatAssign(**AT, draw=0, seats=3, digest=A),
    leaf.Substitution(**AT, draw=1, replaced=(SEAT,), digest=B, reason="silent"),
    leaf.VoteCommit(**AT, seat=SEAT, commitment=A),
    leaf.PhaseReveal(**AT, commits=3, digest=A, salts=(SALT,)),
    leaf.VoteReveal(
        **AT,
        openings=(leaf.RevealedVote(seat=SEAT, auditor=A, draw=0, vote=1, confidence=9_000, rationale=B, nonce=SALT),),
    ),
    leaf.VoteNoReveal(**AT, seats=(leaf.SilentSeat(seat=SEAT, auditor=A, draw=0, committed=True, reason="silent"),)),
    leaf.VoteUnopened(
        **AT,
        seat=SEAT,
        reveal_key="04" * 65,
        ephemeral="04" * 65,
        cipher="0c" * 68,
        secret="04" * 65,
        challenge=A,
        response=B,
    ),
    leaf.Skills(
        **AT,
        auditors=(leaf.AuditorSkill(auditor=A, sensitivity=Fraction(7, 10), specificity=Fraction(4, 5), family="f1"),),
    ),
    leaf.OutcomePreliminary(
        **AT,
        tier=Tier.HUMAN,
        rule="two_coin_gold",
        k=3,
        redraws=0,
        passes=3,
        fails=0,
        abstentions=0,
        outcome=Outcome.PASS,
        paper_outcome=Outcome.PASS,
        posterior=Decimal("0.980723"),
    ),
    leaf.OutcomeRollback(**AT, reason="appeal"),
    leaf.Escalation(**AT, to="adjudicator", reason="hung"),
    leaf.WavePlan(
        audit=AUDIT,
        wave=2,
        right=Decimal("0.7"),
        reason="where-the-doubt-is",
        asked=(leaf.AskedPassage(segment=SEGMENT, round=2, seats=3, ratio=Decimal("5.666666666667")),),
    ),
    leaf.SegmentOutcome(
        audit=AUDIT,
        segment=SEGMENT,
        rounds=1,
        tier=Tier.HUMAN,
        outcome=Outcome.PASS,
        paper_outcome=Outcome.PASS,
        posterior=Decimal("0.980723"),
        refuted=False,
        adjudicated=False,
        weight=Decimal(1),
        soundness=Decimal("0.91"),
    ),
    leaf.TraceOutcome(
        audit=AUDIT,
        outcome=Outcome.UNDECIDED,
        posterior=Decimal("0.5"),
        score=Decimal("0.25"),
        rule="noisy_and",
        weight_needed=Decimal("1.4"),
        paper_outcome=Outcome.PASS,
        weight_passed=Decimal(2),
        seed=A,
        draw_size=12,
        draw_root=B,
        beacon=SALT,
    ),
    leaf.ReputationUpdate(
        **AT, auditor=A, column=leaf.Column.GOLD, prior=Decimal("0.7"), correct=True, after=Decimal("0.706")
    ),
    leaf.Payout(
        **AT,
        held=True,
        pool=-6,
        lines=(leaf.PayoutLine(seat=SEAT, auditor=A, posting=leaf.Posting.REWARD, points=6, p=Decimal("0.4")),),
    ),
    leaf.Submission(audit=AUDIT, digest=A),
    leaf.EligibleExtend(audit=AUDIT, number=1, eligible=2, eligible_root=A),
    leaf.GoldReveal(audit=AUDIT, segment=SEGMENT, truth=leaf.Truth.FAIL, salt=SALT),
    leaf.GoldOverturn(audit=AUDIT, segment=SEGMENT, stands=leaf.Truth.PASS),
    leaf.Appeal(audit=AUDIT, by="provider", reason="new_evidence", successor=UUID(int=8)),
    leaf.ParamsPolicy(policy=1, digest=A, params=PARAMS),
    leaf.ExperimentRegister(digest=A),
    leaf.KeyRotate(origin="trust.example/ledger/v1", old="a+1+B=", new="a+2+C=", signature="QUJD"),
    leaf.ConductDecision(case=A, decision=ConductStep.SUSPENDED, evidence=B, until=1_790_000_000),
    leaf.Anchor(chain="eip155:1", contract="0xabc", transaction="0xdef", size=5, root=A),
)
EXAMPLES = {example.TYPE: example for example in _ALL}
