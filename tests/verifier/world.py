"""A small audit from beginning to end, decided and paid by the cores themselves, and put into a ledger."""

from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from uuid import UUID

from auditing.core.consensus import SegmentOutcome, Tally, adjudicate_segment, decide_segment, decide_trace, tally_round
from auditing.core.consensus.skills import Beta, Skill
from auditing.core.consensus.tally import quorum
from auditing.core.ledger import leaves
from auditing.core.policy import to_json
from auditing.core.seating import rosters, sortition
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.core.voting import commitment
from auditing.translog import sequencing
from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Segment, Source
from tests.verifier.cast import AUDIT, KEY, ORIGIN, POLICY, RULES, SECRET, TIERS, Cast, number_of

__all__ = ["AUDIT", "KEY", "ORIGIN", "POLICY", "RULES", "SECRET", "TIERS", "World", "number_of"]


class World(Cast):
    """Four segments S0 <- S1 <- S2 <- S3.

    The second is gold and its checker's refutation alone leaves it hung: an adjudicator fails it in a second round. The
    third has silent seats that are drawn again.
    """

    def open(self) -> None:
        self.add(leaves.Submission(audit=AUDIT, digest=sha256(b"trace").digest()))
        params = {name: value for name, value in to_json(policy=POLICY).items() if name not in ("routes", "domains")}
        self.add(
            leaves.AuditOpen(
                audit=AUDIT,
                policy=1,
                params=params,
                segments=4,
                eligible=len(self.eligible),
                draw=RULES,
                segments_root=rosters.roster_root(lines=self.segments),
                eligible_root=rosters.roster_root(lines=self.eligible),
                seed_commit=sortition.seed_commitment(secret=SECRET),
            )
        )
        self.draw_head = sequencing.frontier_from_entries(entries=self.entries)
        self.seed = sortition.draw_seed(
            secret=SECRET, open_leaf=sha256(b"\0" + self.entries[-1]).digest(), root=self.draw_head.root
        )

    def adjudicate(self, number: int) -> None:
        """The second round of a hung segment: one seat, drawn from the trusted pool."""
        at = {"audit": AUDIT, "segment": self.ids[number], "round": 1}
        self.add(leaves.Escalation(audit=AUDIT, segment=self.ids[number], round=0, to="adjudicator", reason="hung"))
        line = replace(self.segments[number], tier=Tier.HUMAN, k=1)
        self._open_round(at, line)
        people = {
            one.auditor: sortition.Candidate(auditor_id=one.auditor, weight=one.weight, load=one.load)
            for one in self.eligible
            if one.pool == "trusted"
        }
        name = sortition.draw(seed=self.seed, segment_id=self.ids[number], round=1, candidates=people.values())[0]
        seat = self._seat(number, 0, name) | {"choice": Choice.FAIL}
        digest = leaves.assignment_digest(salt=bytes(32), seats=[(seat["seat"], name)])
        self.add(leaves.SeatAssign(**at, draw=0, seats=1, digest=digest, pool="trusted"))
        self.seats[number, 1] = [seat]
        self._commit(at, line, [seat])
        self._close(at, [seat], 1)
        self._reveal(at, [seat])

    def _open_round(self, at: dict, line: rosters.SegmentLine) -> None:
        wait = 0 if line.tier is Tier.COMPUTER else POLICY.tier(line.tier).reveal_seconds
        leaf = leaves.RoundOpen(
            **at, tier=line.tier, k=line.k, segment_digest=line.digest, commit_by=1, reveal_by=1 + wait
        )
        self.add(leaf)

    def run_round(self, number: int) -> None:
        at = {"audit": AUDIT, "segment": self.ids[number], "round": 0}
        line = self.segments[number]
        self._open_round(at, line)
        seats = self._draw(number, 0, line.k)
        self.add(leaves.SeatAssign(**at, draw=0, seats=len(seats), digest=self._hidden(seats, 0)))
        silent = seats[: line.k - quorum(share=POLICY.tier(line.tier).turnout, k=line.k) + 1] if number == 2 else []
        for seat in silent:
            seat["choice"] = None
        self._commit(at, line, seats)
        self._close(at, seats, 1)
        if silent:
            # too few voted: the silent seats are drawn again, in a second window of the same round
            again = self._draw(number, 1, len(silent))
            replaced = tuple(sorted(seat["seat"] for seat in silent))
            digest = self._hidden(again, 1)
            self.add(leaves.Substitution(**at, draw=1, replaced=replaced, digest=digest, reason="silent"))
            self._commit(at, line, again)
            seats = seats + again
            self._close(at, seats, 2)
        self.seats[number, 0] = seats
        self._reveal(at, seats)

    def _hidden(self, seats: list[dict], draw: int) -> bytes:
        pairs = [(seat["seat"], seat["auditor"]) for seat in seats]
        return leaves.assignment_digest(salt=bytes([draw]) * 32, seats=pairs)

    def _draw(self, number: int, draw: int, count: int) -> list[dict]:
        lines = {
            line.auditor: line for line in self.eligible if line.kind == self.segments[number].tier and not line.pool
        }
        people = {
            name: sortition.Candidate(auditor_id=name, weight=line.weight, load=line.load)
            for name, line in lines.items()
        }
        order = sortition.draw(seed=self.seed, segment_id=self.ids[number], round=0, candidates=people.values())
        found = sortition.in_draw_order(
            order=[people[name] for name in order],
            position=number,
            held=self.held,
            segments=4,
            rules=RULES if self.segments[number].tier is Tier.HUMAN else sortition.free_rules(),
        )[:count]
        for name in found:
            self.held[name].append(number)
        return [self._seat(number, draw, name) for name in found]

    def _seat(self, number: int, draw: int, name: bytes) -> dict:
        wrong = self.rng.random() < 0.2
        right = Choice.FAIL if self.truth[number] is leaves.Truth.FAIL else Choice.PASS
        other = Choice.PASS if right is Choice.FAIL else Choice.FAIL
        line = next(line for line in self.eligible if line.auditor == name)
        return {
            "seat": UUID(int=self.rng.getrandbits(128)),
            "auditor": name,
            "draw": draw,
            "line": line,
            "choice": other if wrong and line.kind is Tier.HUMAN else right,
        }

    def _commit(self, at: dict, line: rosters.SegmentLine, seats: list[dict]) -> None:
        for seat in [seat for seat in seats if seat["choice"]]:
            binding = commitment.Binding(
                log_id=commitment.log_id(origin=ORIGIN),
                audit_id=AUDIT,
                segment_id=at["segment"],
                round=at["round"],
                seat_id=seat["seat"],
                auditor_id=seat["auditor"],
                segment_digest=line.digest,
            )
            seat["opening"] = commitment.Opening(
                choice=seat["choice"],
                confidence_bp=8_000,
                nonce=self.rng.randbytes(32),
                rationale_digest=self.rng.randbytes(32),
            )
            seat["commitment"] = commitment.commitment(binding=binding, opening=seat["opening"])
            self.add(leaves.VoteCommit(**at, seat=seat["seat"], commitment=seat["commitment"]))

    def _close(self, at: dict, seats: list[dict], draws: int) -> None:
        voting = [seat for seat in seats if seat["choice"]]
        digest = leaves.commitments_digest(commitments=[seat["commitment"] for seat in voting])
        salts = tuple(bytes([order]) * 32 for order in range(draws))
        self.add(leaves.PhaseReveal(**at, commits=len(voting), digest=digest, salts=salts))

    def _reveal(self, at: dict, seats: list[dict]) -> None:
        voting = [seat for seat in seats if seat["choice"]]
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
            seat=seat["seat"],
            auditor=seat["auditor"],
            draw=seat["draw"],
            vote=opening.choice.code,
            confidence=opening.confidence_bp,
            rationale=opening.rationale_digest,
            nonce=opening.nonce,
        )

    def tally(self, number: int) -> SegmentOutcome:
        """The outcome of a segment; a hung one goes to its adjudicator first."""
        line, rounds = self.segments[number], 1
        found = self._tally(number, 0, line)
        decision = decide_segment(tallies=[found], tiers=[line.tier], policy=POLICY)
        if decision.adjudicate:
            self.adjudicate(number)
            word, rounds = self._tally(number, 1, replace(line, tier=Tier.HUMAN, k=1)), 2
            decision = adjudicate_segment(tallies=[found, word], policy=POLICY)
        refuted = line.tier is Tier.COMPUTER and found.fails > 0
        outcome = decision.outcome or Outcome.UNDECIDED
        paper = self.tallies[number][-1].paper_outcome
        self.add(
            leaves.SegmentOutcome(
                audit=AUDIT,
                segment=line.segment,
                rounds=rounds,
                tier=Tier.HUMAN if rounds == 2 else line.tier,
                outcome=outcome,
                refuted=refuted,
                paper_outcome=paper,
                posterior=number_of(value=decision.posterior),
                weight=line.weight,
                adjudicated=decision.adjudicated,
            )
        )
        return SegmentOutcome(
            segment=str(number),
            outcome=outcome,
            posterior=decision.posterior,
            tier=line.tier,
            weight=line.weight,
            refuted=refuted,
            paper_outcome=paper,
        )

    def _tally(self, number: int, round: int, line: rosters.SegmentLine) -> Tally:
        at = {"audit": AUDIT, "segment": self.ids[number], "round": round}
        seats = [seat for seat in self.seats[number, round] if seat["choice"]]
        skills = {seat["auditor"].hex(): self._skill(seat) for seat in seats}
        self.add(
            leaves.Skills(
                **at,
                auditors=tuple(
                    leaves.AuditorSkill(
                        auditor=bytes.fromhex(name),
                        sensitivity=skill.sensitivity.mean,
                        specificity=skill.specificity.mean,
                        family=skill.family or None,
                        correlation=skill.correlation,
                    )
                    for name, skill in skills.items()
                ),
            )
        )
        votes = [Vote(choice=seat["choice"], auditor=seat["auditor"].hex(), tier=line.tier) for seat in seats]
        found = tally_round(votes=votes, policy=POLICY, tier=line.tier, skills=skills, k=line.k, redraws=0)
        self.tallies[number].append(found)
        self.add(
            leaves.OutcomePreliminary(
                **at,
                tier=line.tier,
                rule=str(found.rule),
                k=found.k,
                redraws=int(number == 2),
                passes=found.passes,
                fails=found.fails,
                abstentions=found.abstentions,
                outcome=found.outcome,
                paper_outcome=found.paper_outcome,
                posterior=number_of(value=found.posterior),
            )
        )
        return found

    def _skill(self, seat: dict) -> Skill:
        right = Fraction(seat["auditor"][0] % 7 + 12)
        family = f"f{seat['auditor'][1] % 2}" if seat["line"].kind is Tier.LLM else ""
        measured = Fraction(3, 5) if family == "f1" else None  # the other family counts with the policy's figure
        return Skill(Beta(right, Fraction(2)), Beta(right, Fraction(3)), family, measured)

    def decide(self, outcomes: list[SegmentOutcome]) -> None:
        parts = tuple(Segment(str(n), Level.STEP, "x", Source.ANSWER, n, n + 1) for n in range(4))
        edges = tuple(Edge(str(n), str(n - 1), Relation.DEPENDS_ON) for n in range(1, 4))
        found = decide_trace(outcomes=outcomes, graph=Graph(parts, edges), policy=POLICY)
        self.add(
            leaves.TraceOutcome(
                audit=AUDIT,
                outcome=found.outcome,
                posterior=number_of(value=found.posterior),
                score=number_of(value=found.score),
                rule=str(found.rule),
                paper_outcome=found.paper_outcome,
                seed=SECRET,
                weight_passed=number_of(value=found.weight_passed),
                draw_size=self.draw_head.size,
                weight_needed=number_of(value=found.weight_needed),
                draw_root=self.draw_head.root,
            )
        )
        self.final = {number: item.outcome for number, item in enumerate(outcomes)}
