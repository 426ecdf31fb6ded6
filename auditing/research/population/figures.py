"""What simulated crowds came to: outcomes beside an oracle on the same votes, detection, points, by conduct.

Everything printed says that it is simulated.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import fmean, stdev

from auditing.core.consensus.calibration import brier, confusion
from auditing.core.consensus.two_coin import Priors, gold_initialised_em
from auditing.core.points.payoff import payoff_with_honeypots
from auditing.core.policy import Policy
from auditing.core.values import Outcome
from auditing.research.conduct.core import clustered, pairs_beyond_chance
from auditing.research.population.accounts import Account
from auditing.research.population.conducts import Conduct
from auditing.research.population.oracle import oracle_posteriors
from auditing.research.population.runs import Decided, DecidedTrace, Rehearsal

COLD = 1000  # passages of the cold start, reported apart
SOON = 100  # votes within which a flag counts as early
SIMULATED = "SIMULATED: no person voted. Figures say what rules do to assumed conducts, nothing about reviewers."


@dataclass(frozen=True, slots=True)
class Quality:
    """Ordinary passages of one stretch: shares right by the posterior and by the oracle's, and what came out."""

    passages: int
    right: float
    oracle: float
    final_right: float
    hung: float
    f1: float
    brier: float


@dataclass(frozen=True, slots=True)
class ConductLine:
    """One conduct over all runs: means over auditors; flagged: share within SOON votes, and ever."""

    conduct: Conduct
    auditors: int
    votes: float
    points: float  # a vote
    reputation: float
    flagged_soon: float
    flagged_ever: float
    suspended: float
    in_rings: float
    lab: float  # points a vote by the formula of the policy lab, from the shares of votes that were judged right
    error: float  # standard error of `points` over the auditors


def quality(*, run: Rehearsal, rows: Sequence[Decided], oracle: Sequence[float]) -> Quality:
    """Of some of the passages of one run."""
    n = len(rows)
    table = confusion(outcomes=[(row.outcome, row.valid) for row in rows])
    return Quality(
        passages=n,
        # Before thresholds and adjudication: what votes and weights alone would have said.
        right=sum((row.posterior > 0.5) == row.valid for row in rows) / n,
        oracle=sum((oracle[row.number] > 0.5) == row.valid for row in rows) / n,
        final_right=sum((row.outcome is Outcome.PASS) == row.valid for row in rows) / n,
        hung=sum(row.hung for row in rows) / n,
        f1=table.f1,
        brier=brier(posterior=[row.posterior for row in rows], truth=[float(row.valid) for row in rows]),
    )


def stretches(*, run: Rehearsal) -> dict[str, Quality]:
    """The cold start, and all that follows it."""
    oracle = oracle_posteriors(rehearsal=run)
    cold = [row for row in run.decided if row.number < COLD]
    warm = [row for row in run.decided if row.number >= COLD]
    named = {f"first {COLD}": cold, "after": warm}
    return {name: quality(run=run, rows=rows, oracle=oracle) for name, rows in named.items() if rows}


def ring_members(*, run: Rehearsal) -> frozenset[int]:
    """Everybody who agrees with somebody beyond chance, given the truth as EM believes it at the end."""
    rules, base = run.setting.policy.human, float(run.setting.policy.base_rate)
    priors = Priors(float(rules.prior_right), float(rules.prior_wrong), base)
    learned = gold_initialised_em(ballots=run.ballots, priors=priors)
    pairs = pairs_beyond_chance(
        ballots=run.ballots, valid=learned.posterior, skills=(learned.sensitivity, learned.specificity)
    )
    return frozenset().union(*clustered(pairs=pairs)) if pairs else frozenset()


def by_conduct(*, runs: Sequence[Rehearsal]) -> list[ConductLine]:
    """One line a conduct, over the auditors of all runs."""
    rings = [ring_members(run=run) for run in runs]
    groups: dict[Conduct, list[tuple[int, int]]] = defaultdict(list)
    for number, run in enumerate(runs):
        for index, auditor in enumerate(run.crowd):
            # Who never voted has no points a vote; as a zero he would hide what his conduct earns.
            if run.accounts[index].votes:
                groups[auditor.conduct].append((number, index))
    lines = []
    for conduct, members in groups.items():
        accounts = [runs[number].accounts[index] for number, index in members]
        flags = [runs[number].suspicions[index].flagged_at for number, index in members]
        lines.append(
            ConductLine(
                conduct=conduct,
                auditors=len(members),
                votes=fmean(account.votes for account in accounts),
                points=fmean(account.points / account.votes for account in accounts),
                reputation=fmean(float(account.gold.value) for account in accounts),
                flagged_soon=fmean(flag is not None and flag <= SOON for flag in flags),
                flagged_ever=fmean(flag is not None for flag in flags),
                suspended=fmean(account.suspended_at is not None for account in accounts),
                in_rings=fmean(index in rings[number] for number, index in members),
                lab=fmean(lab_points(account=account, policy=runs[0].setting.policy) for account in accounts),
                error=_standard_error([account.points / account.votes for account in accounts]),
            )
        )
    return sorted(lines, key=lambda line: -line.points)


def lab_points(*, account: Account, policy: Policy) -> float:
    """What the lab's formula pays an auditor a vote, with the gold met and the mean reputation on the way there."""
    judged, gold = account.votes - account.unjudged, account.gold_votes
    if not judged:
        return 0.0
    ordinary = judged - gold
    right = account.ordinary_right / max(1, ordinary), account.gold_right / max(1, gold)
    share = Decimal(str(round(gold / judged, 6)))
    basis, steps = (right[1], gold) if gold else (right[0], ordinary)
    # Mean of r_t = a + (r_0 - a)(1 - g)^t over the steps: reputations begin at the policy's first value.
    start, gamma = float(policy.initial_reputation), float(policy.gamma)
    reputation = basis + (start - basis) * (1 - (1 - gamma) ** steps) / (gamma * steps)
    paid = payoff_with_honeypots(
        accuracy=right[0],
        gold_accuracy=right[1],
        policy=replace(policy, honeypot_share=share),
        reputation=reputation,
    )
    return paid * judged / account.votes  # the others were neither right nor wrong


def _standard_error(values: Sequence[float]) -> float:
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def _told_traces(traces: Sequence[DecidedTrace]) -> Iterator[str]:
    """Traces that were asked about in waves, the right and the wrong ones."""
    for valid in (True, False):
        rows = [trace for trace in traces if trace.valid is valid]
        if rows:
            shares = ", ".join(
                f"{fmean(row.outcome is outcome for row in rows):.1%} {outcome}"
                for outcome in (Outcome.PASS, Outcome.FAIL, Outcome.UNDECIDED)
            )
            hung, seats, waves = (fmean(getattr(row, name) for row in rows) for name in ("hung", "seats", "waves"))
            word = "right" if valid else "wrong"
            yield f"{word} traces {len(rows)}: {shares}; {hung:.1%} adjudicated; {seats:.1f} seats in {waves:.1f} waves"


def report(*, runs: Sequence[Rehearsal]) -> Iterator[str]:
    """The lines of the report."""
    setting = runs[0].setting
    mix = ", ".join(f"{count} {conduct}" for conduct, count in setting.mix.items())
    yield SIMULATED
    asked = f"{setting.waves} a trace in waves" if setting.waves else f"{setting.votes} votes each"
    yield (
        f"{mix}; {setting.passages} passages, {asked}, {float(setting.gold):.0%} of them gold, "
        f"{float(setting.misleading):.0%} gold that models fail on (pasters' model at {setting.transfer:.0%} of it); "
        f"policy {setting.policy.name}; {len(runs)} seeds"
    )
    yield ""
    yield "passages     n      right   oracle  final   hung    F1      Brier   (means over seeds; s.d. of right)"
    tables = [stretches(run=run) for run in runs]
    for name in tables[0]:
        rows = [table[name] for table in tables]
        # Over seeds: passages of one run share their auditors, so that they are no independent draws.
        spread = stdev(row.right for row in rows) if len(rows) > 1 else 0.0
        figures = "  ".join(
            f"{fmean(getattr(row, field) for row in rows):.4f}"
            for field in ("right", "oracle", "final_right", "hung", "f1", "brier")
        )
        yield f"{name:<12} {round(fmean(row.passages for row in rows)):<6} {figures}  ({spread:.4f})"
    yield from _told_traces([trace for run in runs for trace in run.traces])
    yield f"EM was taken on {fmean(run.nights_learned / run.nights for run in runs):.0%} of the nights"
    yield ""
    yield (
        "conduct          auditors  votes  points/vote  lab (s.e.)    "
        f"r(gold)  flagged<={SOON}  flagged ever  suspended  ring"
    )
    for line in by_conduct(runs=runs):
        yield (
            f"{line.conduct:<16} {line.auditors:<8}  {line.votes:<5.0f}  {line.points:>+11.2f}  "
            f"{line.lab:>+5.2f} ({line.error:.2f})  "
            f"{line.reputation:>7.2f}  {line.flagged_soon:>11.1%}  {line.flagged_ever:>12.1%}  "
            f"{line.suspended:>9.1%}  {line.in_rings:>4.0%}"
        )


__all__ = ["SIMULATED", "ConductLine", "Quality", "by_conduct", "report", "ring_members", "stretches"]
