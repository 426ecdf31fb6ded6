"""A small audit from beginning to end, decided and paid by the cores themselves, and put into a ledger."""

import random
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from uuid import UUID

from auditing.core import (
    assignment,
    commitment,
    economics,
    leaves,
    note,
    rosters,
    sequencing,
)
from auditing.core.consensus import SegmentOutcome, decide_segment, decide_trace, tally_round
from auditing.core.policy import DEFAULT, to_json
from auditing.core.reputation import next_reputation
from auditing.core.skills import Beta, Skill
from auditing.core.values import Choice, Outcome, Tier, Vote
from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Segment, Source

ORIGIN = "trust.example/ledger/v1"
KEY = note.signing_key(name=ORIGIN, seed=b"k" * 32)
POLICY = DEFAULT
AUDIT, SECRET = UUID(int=77), b"s" * 32
RULES = leaves.DrawRules(load_cap=20, share_cap=Decimal("0.5"), adjacent=False)
TIERS = (Tier.HUMAN, Tier.COMPUTER, Tier.LLM, Tier.HUMAN)


def number_of(*, value: Fraction) -> Decimal:
    return Decimal(round(value * 10**12)) / 10**12


class World:
    """Four segments S0 <- S1 <- S2 <- S3; the second is gold, the third has a silent seat that is drawn again."""

    def __init__(self) -> None:
        self.rng = random.Random(5)
        self.entries: list[bytes] = []
        self.held: dict[bytes, list[int]] = defaultdict(list)
        self.seats: dict[int, list[dict]] = {}
        self.ids = [UUID(int=1000 + number) for number in range(4)]
        self.salts = [sha256(b"gold%d" % number).digest() for number in range(4)]
        self.truth = [leaves.Truth.NONE, leaves.Truth.FAIL, leaves.Truth.NONE, leaves.Truth.PASS]
        self.eligible = sorted(
            (self._line(kind, number) for kind, count in ((Tier.HUMAN, 24), (Tier.LLM, 14), (Tier.COMPUTER, 3))
             for number in range(count)),
            key=lambda line: line.auditor,
        )  # fmt: skip
        self.segments = [self._segment(number) for number in range(4)]

    def _line(self, kind: Tier, number: int) -> rosters.EligibleLine:
        name = sha256(f"{kind}{number}".encode()).digest()
        reputation = Decimal(self.rng.randrange(40, 95)) / 100
        return rosters.EligibleLine(
            auditor=name, kind=kind, weight=1 + number % 8, load=number % 3, reputation=reputation
        )

    def _segment(self, number: int) -> rosters.SegmentLine:
        tier = TIERS[number]
        gold = leaves.gold_digest(salt=self.salts[number], segment=self.ids[number], truth=self.truth[number])
        return rosters.SegmentLine(
            segment=self.ids[number], digest=sha256(b"text%d" % number).digest(), tier=tier, secondaries=(), basis=True,
            k=POLICY.tier(tier).k, weight=POLICY.tier(tier).weight, gold=gold,
        )  # fmt: skip

    def add(self, leaf: leaves.Leaf) -> None:
        self.entries.append(leaves.encode(leaf=leaf))

    def open(self) -> None:
        params = {name: value for name, value in to_json(policy=POLICY).items() if name not in ("routes", "domains")}
        self.add(
            leaves.AuditOpen(
                audit=AUDIT, policy=1, params=params, segments=4, eligible=len(self.eligible), draw=RULES,
                segments_root=rosters.roster_root(lines=self.segments),
                eligible_root=rosters.roster_root(lines=self.eligible),
                seed_commit=assignment.seed_commitment(secret=SECRET),
            )
        )  # fmt: skip
        self.draw_head = sequencing.frontier_from_entries(entries=self.entries)
        self.seed = assignment.draw_seed(
            secret=SECRET, open_leaf=sha256(b"\0" + self.entries[-1]).digest(), root=self.draw_head.root
        )

    def run_round(self, number: int) -> None:
        at = {"audit": AUDIT, "segment": self.ids[number], "round": 0}
        line = self.segments[number]
        self.add(leaves.RoundOpen(**at, tier=line.tier, k=line.k, segment_digest=line.digest, commit_by=1, reveal_by=2))
        draws = [self._draw(number, 0, line.k)]
        if number == 2:
            draws.append(self._draw(number, 1, 1))
        seats = [seat for drawn in draws for seat in drawn]
        for order, drawn in enumerate(draws):
            digest = leaves.assignment_digest(
                salt=bytes([order]) * 32, seats=[(seat["seat"], seat["auditor"]) for seat in drawn]
            )
            if order == 0:
                self.add(leaves.SeatAssign(**at, draw=0, seats=len(drawn), digest=digest))
            else:
                replaced = (seats[0]["seat"],)
                self.add(leaves.Substitution(**at, draw=order, replaced=replaced, digest=digest, reason="silent"))
        if number == 2:
            seats[0]["choice"] = None
        self.seats[number] = seats
        self._commit_and_reveal(at, line, seats, len(draws))

    def _draw(self, number: int, draw: int, count: int) -> list[dict]:
        lines = {line.auditor: line for line in self.eligible if line.kind == self.segments[number].tier}
        people = {
            name: assignment.Candidate(auditor_id=name, weight=line.weight, load=line.load)
            for name, line in lines.items()
        }
        order = assignment.draw(seed=self.seed, segment_id=self.ids[number], round=0, candidates=people.values())
        found = assignment.walk(
            order=[people[name] for name in order],
            position=number,
            held=self.held,
            segments=4,
            rules=RULES if self.segments[number].tier is Tier.HUMAN else assignment.free_rules(),
        )[:count]
        for name in found:
            self.held[name].append(number)
        return [self._seat(number, draw, name) for name in found]

    def _seat(self, number: int, draw: int, name: bytes) -> dict:
        wrong = self.rng.random() < 0.2
        right = Choice.FAIL if self.truth[number] is leaves.Truth.FAIL else Choice.PASS
        other = Choice.PASS if right is Choice.FAIL else Choice.FAIL
        line = next(line for line in self.eligible if line.auditor == name)
        return {"seat": UUID(int=self.rng.getrandbits(128)), "auditor": name, "draw": draw, "line": line,
                "choice": other if wrong and line.kind is Tier.HUMAN else right}  # fmt: skip

    def _commit_and_reveal(self, at: dict, line: rosters.SegmentLine, seats: list[dict], draws: int) -> None:
        voting = [seat for seat in seats if seat["choice"]]
        for seat in voting:
            place = commitment.Place(
                log_id=commitment.log_id(origin=ORIGIN), audit_id=AUDIT, segment_id=at["segment"], round=0,
                seat_id=seat["seat"], auditor_id=seat["auditor"], segment_digest=line.digest,
            )  # fmt: skip
            seat["opening"] = commitment.Opening(
                choice=seat["choice"], confidence_bp=8_000, nonce=self.rng.randbytes(32),
                rationale_digest=self.rng.randbytes(32),
            )  # fmt: skip
            seat["commitment"] = commitment.commitment(place=place, opening=seat["opening"])
            self.add(leaves.VoteCommit(**at, seat=seat["seat"], commitment=seat["commitment"]))
        digest = leaves.commitments_digest(commitments=[seat["commitment"] for seat in voting])
        salts = tuple(bytes([order]) * 32 for order in range(draws))
        self.add(leaves.PhaseReveal(**at, commits=len(voting), digest=digest, salts=salts))
        self.add(leaves.VoteReveal(**at, openings=tuple(self._opened(seat) for seat in voting)))
        silent = tuple(
            leaves.SilentSeat(
                seat=seat["seat"], auditor=seat["auditor"], draw=seat["draw"], committed=False, reason="silent"
            )
            for seat in seats
            if not seat["choice"]
        )
        if silent:
            self.add(leaves.VoteNoReveal(**at, seats=silent))

    def _opened(self, seat: dict) -> leaves.RevealedVote:
        opening = seat["opening"]
        return leaves.RevealedVote(
            seat=seat["seat"], auditor=seat["auditor"], draw=seat["draw"], vote=opening.choice.code,
            confidence=opening.confidence_bp, rationale=opening.rationale_digest, nonce=opening.nonce,
        )  # fmt: skip

    def tally(self, number: int) -> SegmentOutcome:
        at = {"audit": AUDIT, "segment": self.ids[number], "round": 0}
        line, seats = self.segments[number], [seat for seat in self.seats[number] if seat["choice"]]
        skills = {seat["auditor"].hex(): self._skill(seat) for seat in seats}
        self.add(
            leaves.Skills(
                **at,
                auditors=tuple(
                    leaves.AuditorSkill(
                        auditor=bytes.fromhex(name), sensitivity=skill.sensitivity.mean,
                        specificity=skill.specificity.mean, family=skill.family or None,
                    )
                    for name, skill in skills.items()
                ),
            )
        )  # fmt: skip
        votes = [Vote(choice=seat["choice"], auditor=seat["auditor"].hex(), tier=line.tier) for seat in seats]
        found = tally_round(votes=votes, policy=POLICY, tier=line.tier, skills=skills, k=line.k, redraws=0)
        decision = decide_segment(tallies=[found], tiers=[line.tier], policy=POLICY)
        self.add(
            leaves.OutcomePreliminary(
                **at, tier=line.tier, rule=str(found.rule), k=found.k, redraws=int(number == 2),
                passes=found.passes, fails=found.fails, abstentions=found.abstentions, outcome=found.outcome,
                paper_outcome=found.paper_outcome, posterior=number_of(value=found.posterior),
            )
        )  # fmt: skip
        refuted = line.tier is Tier.COMPUTER and found.fails > 0
        outcome = decision.outcome or Outcome.UNDECIDED
        self.add(
            leaves.SegmentOutcome(
                audit=AUDIT, segment=line.segment, rounds=1, tier=line.tier, outcome=outcome, refuted=refuted,
                paper_outcome=found.paper_outcome, posterior=number_of(value=decision.posterior), weight=line.weight,
                adjudicated=decision.adjudicate,
            )
        )  # fmt: skip
        return SegmentOutcome(
            segment=str(number), outcome=outcome, posterior=decision.posterior, tier=line.tier, weight=line.weight,
            refuted=refuted, paper_outcome=found.paper_outcome,
        )  # fmt: skip

    def _skill(self, seat: dict) -> Skill:
        right = Fraction(seat["auditor"][0] % 7 + 12)
        family = f"f{seat['auditor'][1] % 2}" if seat["line"].kind is Tier.LLM else ""
        return Skill(Beta(right, Fraction(2)), Beta(right, Fraction(3)), family)

    def decide(self, outcomes: list[SegmentOutcome]) -> None:
        parts = tuple(Segment(str(n), Level.STEP, "x", Source.ANSWER, n, n + 1) for n in range(4))
        edges = tuple(Edge(str(n), str(n - 1), Relation.DEPENDS_ON) for n in range(1, 4))
        found = decide_trace(outcomes=outcomes, graph=Graph(parts, edges), policy=POLICY)
        self.add(
            leaves.TraceOutcome(
                audit=AUDIT, outcome=found.outcome, posterior=number_of(value=found.posterior),
                score=number_of(value=found.score), rule=str(found.rule), paper_outcome=found.paper_outcome,
                seed=SECRET, weight_passed=number_of(value=found.weight_passed), draw_size=self.draw_head.size,
                weight_needed=number_of(value=found.weight_needed), draw_root=self.draw_head.root,
            )
        )  # fmt: skip
        self.final = {number: item.outcome for number, item in enumerate(outcomes)}

    def settle(self, number: int) -> None:
        at = {"audit": AUDIT, "segment": self.ids[number], "round": 0}
        known = self.truth[number]
        if known is not leaves.Truth.NONE:
            self.add(leaves.GoldReveal(audit=AUDIT, segment=self.ids[number], truth=known, salt=self.salts[number]))
        truth = str(known) if known is not leaves.Truth.NONE else str(self.final[number])
        judged = [self._judged(seat, truth, known is not leaves.Truth.NONE) for seat in self.seats[number]]
        postings = economics.settle_votes(votes=judged, policy=POLICY, policy_digest="d", seed=SECRET)
        by_seat = {seat["auditor"].hex(): seat["seat"] for seat in self.seats[number]}
        lines = tuple(
            leaves.PayoutLine(
                seat=by_seat[one.account], auditor=bytes.fromhex(one.account), posting=leaves.Posting(one.kind),
                points=one.amount,
            )
            for one in postings
            if one.account != economics.POOL
        )  # fmt: skip
        self.add(leaves.Payout(**at, held=True, pool=-sum(line.points for line in lines), lines=lines))
        for seat, vote in zip(self.seats[number], judged, strict=True):
            if vote.correct is not None or not vote.revealed:
                self._step(at, seat, bool(vote.correct), known is not leaves.Truth.NONE)

    def _judged(self, seat: dict, truth: str, gold: bool) -> economics.JudgedVote:
        correct = None if truth not in ("pass", "fail") or not seat["choice"] else seat["choice"] == truth
        return economics.JudgedVote(
            vote="v", round="r", auditor=seat["auditor"].hex(), seat=seat["seat"].bytes, correct=correct, gold=gold,
            revealed=seat["choice"] is not None, reputation=Fraction(seat["line"].reputation),
        )  # fmt: skip

    def _step(self, at: dict, seat: dict, correct: bool, gold: bool) -> None:
        prior = seat["line"].reputation
        after = next_reputation(reputation=Fraction(prior), correct=correct, gamma=Fraction(POLICY.gamma))
        column = leaves.Column.GOLD if gold else leaves.Column.CONSENSUS
        self.add(
            leaves.ReputationUpdate(
                **at, auditor=seat["auditor"], column=column, prior=prior, correct=correct, after=number_of(value=after)
            )
        )
