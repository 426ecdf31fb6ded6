"""Everything that follows from a lie, computed anew with the verifier's own rules; the lie itself is left alone."""

from fractions import Fraction
from typing import Any
from uuid import UUID

from auditing.verifier import verify_audit as verifier
from benchmarks.lying.log import Leaf, Lied, Log


class Consequences:
    """Computes anew, in the order of the protocol; `put` leaves the field alone that was lied about."""

    def __init__(self, log: Log, lied: Lied) -> None:
        self.log, self.lied = log, lied

    def put(self, leaf: Leaf, name: str, value: Any) -> None:
        if name in leaf and not self.lied(leaf, name):
            leaf[name] = value

    def follow(self) -> None:
        for step in (
            self.lists,
            self.seals,
            self.seeds,
            self.tallies,
            self.outcomes,
            self.trace,
            self.points,
            self.steps,
        ):
            try:
                step()
            # a lie may leave nothing to compute from: the verifier says so
            except Exception:
                continue

    def of(self, kind: str) -> list[Leaf]:
        return [leaf for leaf in self.log.leaves if leaf["t"] == kind]

    def lists(self) -> None:
        start, lines = 0, self.log.eligible
        for leaf in [*self.of("audit.open"), *self.of("eligible.extend")]:
            count = leaf["eligible"]
            self.put(leaf, "eligible_root", root_of(lines[start : start + count]))
            start += count
            if leaf["t"] == "audit.open":
                self.put(leaf, "segments_root", root_of(self.log.segments))
                self.put(leaf, "segments", len(self.log.segments))

    def seals(self) -> None:
        audit = self.log.audit()
        commits = {leaf["seat"]: leaf for leaf in self.of("vote.commit")}
        for opened in self.of("round.open"):
            key = (opened["segment"], opened["round"])
            seats = verifier.seats_of(audit, *key)
            for seat in seats:
                if seat.opening and seat.seat in commits:
                    self.put(commits[seat.seat], "commitment", verifier.commitment_of(audit, key, seat))
            for silent in [leaf for leaf in self.of("vote.noreveal") if (leaf["segment"], leaf["round"]) == key]:
                for seat in silent["seats"]:
                    self.put(seat, "committed", seat["seat"] in commits)
            self.closings(key)
            self.draws(audit, key, seats)

    def closings(self, key: tuple[str, int]) -> None:
        sealed: list[bytes] = []
        for leaf in self.log.leaves:
            if (leaf.get("segment"), leaf.get("round")) != key:
                continue
            if leaf["t"] == "vote.commit":
                sealed.append(bytes.fromhex(leaf["commitment"]))
            elif leaf["t"] == "phase.reveal":
                self.put(leaf, "commits", len(sealed))
                digest = verifier.sha(verifier.pad32("TRUST/commits/v1"), *sorted(sealed))
                self.put(leaf, "digest", digest.hex())

    def draws(self, audit: verifier.Audit, key: tuple[str, int], seats: list[verifier.Seat]) -> None:
        closings = audit.of("phase.reveal", *key)
        salts = closings[-1]["salts"] if closings else []
        for leaf in [*self.of("seat.assign"), *self.of("substitution")]:
            if (leaf["segment"], leaf["round"]) == key and leaf["draw"] < len(salts):
                mine = [seat for seat in seats if seat.draw == leaf["draw"]]
                body = sorted(UUID(seat.seat).bytes + bytes.fromhex(seat.auditor) for seat in mine)
                label, salt = verifier.pad32("TRUST/assign/v1"), bytes.fromhex(salts[leaf["draw"]])
                self.put(leaf, "digest", verifier.sha(label, salt, *body).hex())
                self.put(leaf, "seats", len(mine))

    def seeds(self) -> None:
        opened, end = self.log.first("audit.open"), self.log.first("trace.outcome")
        if not opened or not end or self.log.frozen is not None:
            return
        self.put(opened, "seed_commit", verifier.sha(bytes.fromhex(end["seed"])).hex())
        hashes = [verifier.leaf_hash(verifier.canonical(leaf)) for leaf in self.log.leaves]
        heads = [(size, verifier.tree_root(hashes[:size]).hex()) for size in self.log.sizes]
        self.put(end, "draw_size", heads[0][0])
        self.put(end, "draw_root", heads[0][1])
        for head, (size, root) in zip(end.get("extensions", []), heads[1:], strict=False):
            self.put(head, "size", size)
            self.put(head, "root", root)

    def tallies(self) -> None:
        audit = self.log.audit()
        for leaf in self.of("outcome.preliminary"):
            segment, number = leaf["segment"], leaf["round"]
            opened = audit.one("round.open", segment, number)
            tier, k = opened["tier"], opened["k"]
            votes = [(seat.auditor, seat.word) for seat in verifier.seats_of(audit, segment, number) if seat.opening]
            counts = [sum(word == name for _, word in votes) for name in ("pass", "fail", "abstain")]
            skills = verifier.skills_of(audit, segment, number, {auditor for auditor, _ in votes})
            posterior = verifier.posterior_of(audit, tier, votes, skills)
            paper = verifier.paper_outcome(counts, audit.params[tier], k)
            outcome = verifier.binding(audit.params, leaf["rule"], (paper, counts, posterior))
            silent = len(votes) < verifier.quorum(audit.params[tier]["turnout"], k)
            self.put(leaf, "passes", counts[0])
            self.put(leaf, "fails", counts[1])
            self.put(leaf, "abstentions", counts[2])
            self.put(leaf, "tier", tier)
            self.put(leaf, "k", k)
            self.put(leaf, "redraws", len(audit.of("phase.reveal", segment, number)) - 1)
            self.put(leaf, "posterior", decimal(posterior))
            self.put(leaf, "paper_outcome", "hung" if silent else paper)
            self.put(leaf, "outcome", "hung" if silent or counts[0] + counts[1] == 0 else outcome)

    def outcomes(self) -> None:
        audit = self.log.audit()
        for leaf in audit.by_type["outcome.preliminary"]:
            verifier.Report().run("", verifier.check_tally, audit, leaf["segment"], leaf["round"])
        for leaf in self.of("segment.outcome"):
            segment, last = leaf["segment"], leaf["rounds"] - 1
            tallies, step = verifier.tallies_of(audit, segment, last), verifier.next_step(audit, segment, last)
            judged = audit.is_for_adjudicator(segment, last)
            posterior, word = verifier.combined(audit, tallies), step.outcome or tallies[-1]["outcome"]
            if judged and word != "undecided":
                error = verifier.rational(audit.params["adjudicator_error"])
                posterior = 1 - error if word == "pass" else error
            self.put(leaf, "outcome", word)
            self.put(leaf, "posterior", decimal(posterior))
            self.put(leaf, "paper_outcome", tallies[-1]["paper"])
            self.put(leaf, "tier", tallies[-1]["tier"])
            self.put(leaf, "adjudicated", judged)
            refuted = word != "pass" and any(one["tier"] == "computer" and one["fails"] for one in tallies)
            self.put(leaf, "refuted", refuted)
            self.put(leaf, "weight", audit.line(segment)["weight"])

    def trace(self) -> None:
        """What the rule says of the outcomes that there are: the liar counts those that it wants."""
        audit, end = self.log.audit(), self.log.first("trace.outcome")
        for leaf in audit.by_type["outcome.preliminary"]:
            verifier.Report().run("", verifier.check_tally, audit, leaf["segment"], leaf["round"])
        for leaf in audit.by_type["segment.outcome"]:
            verifier.Report().run("", verifier.check_segment, audit, leaf)
        if not end:
            return
        outcomes = {leaf["segment"]: leaf for leaf in audit.by_type["segment.outcome"]}
        rested = [
            outcomes[line["segment"]] for line in self.log.segments if line["basis"] and line["segment"] in outcomes
        ]
        rested = rested or list(outcomes.values())
        weights = [(verifier.rational(leaf["weight"]), leaf["paper_outcome"]) for leaf in outcomes.values()]
        total = sum((weight for weight, _ in weights), start=Fraction(0))
        passed = sum((weight for weight, word in weights if word == "pass"), start=Fraction(0))
        required = verifier.rational(audit.params["beta"]) * total
        paper = "pass" if passed >= required - Fraction(1, 10**9) else "fail"
        posterior = verifier.trace_posterior(audit, rested)
        word, score = verifier.trace_rule(audit, rested, (posterior, paper, passed / total if total else Fraction(0)))
        if any(leaf["refuted"] for leaf in rested):
            word, posterior = "fail", Fraction(0)
        values = (word, paper, decimal(posterior), decimal(score), decimal(passed), decimal(required))
        names = ("outcome", "paper_outcome", "posterior", "score", "weight_passed", "weight_needed")
        for name, value in zip(names, values, strict=True):
            self.put(end, name, value)

    def points(self) -> None:
        audit = self.log.audit()
        books = verifier.Books(audit)
        for index, leaf in enumerate(self.log.leaves):
            if leaf["t"] != "payout":
                continue
            for line in leaf["lines"]:
                due = books.due(line["seat"], index).get(line["posting"])
                if due:
                    self.put(line, "points", due[0])
                    self.put(line, "p", decimal(due[1]) if due[1] is not None else None)
            self.put(leaf, "pool", -sum(line["points"] for line in leaf["lines"]))

    def steps(self) -> None:
        audit = self.log.audit()
        gamma = verifier.rational(audit.params["gamma"])
        for leaf in self.of("reputation.update"):
            seats = verifier.seats_of(audit, leaf["segment"], leaf["round"])
            word = next(seat.word for seat in seats if seat.auditor == leaf["auditor"])
            first = audit.outcome_of(leaf["segment"])
            gold = audit.truth.get(leaf["segment"], "none")
            truth = gold if leaf["column"] == "gold" else first["outcome"] if first else "none"
            self.put(leaf, "correct", bool(verifier.is_correct(word, truth)))
            after = (1 - gamma) * verifier.rational(leaf["prior"]) + gamma * leaf["correct"]
            self.put(leaf, "after", decimal(after))


def root_of(lines: list[Leaf]) -> str:
    return verifier.tree_root([verifier.leaf_hash(verifier.canonical(line)) for line in lines]).hex()


def decimal(number: Fraction) -> str:
    """As a leaf has it: at most twelve places, none of them idle."""
    scaled = round(number * 10**12)
    whole, places = divmod(abs(scaled), 10**12)
    text = f"{whole}.{places:012}".rstrip("0").rstrip(".")
    return f"-{text}" if scaled < 0 else text
