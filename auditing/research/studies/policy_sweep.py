"""Study `policy_sweep`: what k and tau buy, exactly, and what they would have decided on real votes.

Options: tier (human), error and malicious (the tier's planning values otherwise). Exact binomial tails (TRUST, Lemma 1)
under independent seats, then whole rounds of real medical votes (usmle_gpt4_errors) under each tau.
"""

from collections import Counter
from dataclasses import replace
from decimal import Decimal

from auditing.core.consensus import tally_round
from auditing.core.consensus.tally import quorum
from auditing.core.policy import DEFAULT, Policy
from auditing.core.values import Tier, Vote
from auditing.research.policy_lab.core.guarantees import breakdown_share, pass_probability, wrong_pass_probability
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.plots import cost_table
from auditing.research.studies.instruments.public_votes import choices_by_item, votes_of
from auditing.research.studies.instruments.runner import Cell, OptionError, Report, Run, Table, study

# Odd numbers: a tie cannot arise from passes and fails alone.
SEATS = (1, 3, 5, 7, 9, 11)
TAUS = (Decimal("0.5"), Decimal("0.6"), Decimal("0.66"), Decimal("0.75"), Decimal("0.8"))
MALICIOUS = tuple(step / 50 for step in range(26))  # 0 to 50 %


def sweep_rows(*, error: float, malicious: float, price: int) -> list[list[Cell]]:
    """One row for each k and tau, k first; `price` is what one seat costs in points."""
    rows: list[list[Cell]] = []
    for k in SEATS:
        for tau in TAUS:
            seats_and_rule = {"k": k, "tau": float(tau), "error": error, "malicious": malicious}
            right, wrong = pass_probability(**seats_and_rule), wrong_pass_probability(**seats_and_rule)  # type: ignore[arg-type]
            rows.append(
                [f"k = {k}, tau = {tau}", quorum(share=tau, k=k), right, wrong, (right + 1 - wrong) / 2, k * price]
            )
    return rows


def _with_tau(policy: Policy, tier: Tier, tau: Decimal) -> Policy:
    # One quorum for both outcomes, as in the paper.
    rules = replace(policy.tier(tier), tau=tau, tau_fail=tau)
    return replace(policy, **{str(tier): rules})  # type: ignore[arg-type]


def _replayed(run: Run, tier: Tier) -> Table | None:
    # The exact tables need no data; without the public votes only the replay is left out.
    try:
        votes, rows = choices_by_item(votes=votes_of(run=run)), list[list[Cell]]()
    except DataMissingError:
        if run.file is not None:
            raise
        return None
    for tau in TAUS:
        policy, outcomes = _with_tau(DEFAULT, tier, tau), Counter[str]()
        for by_auditor in votes.values():
            cast = [Vote(choice, name, tier) for name, choice in by_auditor.items()]
            outcomes[str(tally_round(votes=cast, policy=policy, tier=tier, k=len(cast)).paper_outcome)] += 1
        rows.append([f"tau = {tau}", outcomes["pass"], outcomes["fail"], outcomes["hung"]])
    note = "By the paper's quorum, each item with the seats that it had. There is no gold: hung is not wrong."
    return Table(
        f"Real votes: {len(votes)} {'items' if run.file else 'medical items'}",
        ("quorum", "pass", "fail", "hung"),
        rows,
        note,
    )


@study(
    "policy_sweep",
    "What seats and quorum buy, exactly, and on real votes",
    reads="votes",
    options=("tier", "error", "malicious"),
)
def run_policy_sweep(run: Run) -> Report:
    """Tables by k and tau, curves over the malicious share, and a replay."""
    tier = _tier(run)
    rules = DEFAULT.tier(tier)
    error, malicious = _share(run, "error", float(rules.error)), _share(run, "malicious", float(rules.malicious))
    # People are paid a reward on top of the price of the seat.
    price = rules.price + (DEFAULT.reward if tier is Tier.HUMAN else 0)
    run.say("tails", 0.3)
    head = ("policy", "votes needed", "P(right passes)", "P(wrong passes)", "balanced accuracy", "points a segment")
    curve: list[list[Cell]] = [
        [share, *(pass_probability(k=rules.k, tau=float(tau), error=error, malicious=share) for tau in TAUS)]
        for share in MALICIOUS
    ]
    columns = ["malicious share", *(f"tau {tau}" for tau in TAUS)]
    falls: list[list[Cell]] = [[f"tau = {tau}", breakdown_share(tau=float(tau), error=error)] for tau in TAUS]
    run.say("replay", 0.7)
    replay = _replayed(run, tier)
    swept = sweep_rows(error=error, malicious=malicious, price=price)
    bought = [(str(row[0]), _number(row[5]), _number(row[4])) for row in swept]
    tables = [
        Table(f"{tier} seats, error {error:g}, malicious {malicious:g}", head, swept),
        cost_table(rows=bought, cost="points a segment", accuracy="balanced accuracy"),
        Table(f"P(a right segment passes), k = {rules.k}", columns, curve, curve=columns),
        Table("Malicious share from which more seats make right segments fail", ("quorum", "share"), falls),
        *([replay] if replay else []),
    ]
    notes = ["Seats are taken as independent; correlated auditors make every row worse, see the study adversaries."]
    return Report("Policy sweep", tables, notes)


def _number(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None


def _tier(run: Run) -> Tier:
    try:
        return Tier(run.options.get("tier", Tier.HUMAN))
    except ValueError:
        raise OptionError(f"the option tier is one of {', '.join(Tier)}") from None


def _share(run: Run, name: str, default: float) -> float:
    share = run.real(name, default)
    if not 0 <= share <= 1:
        raise OptionError(f"the option {name} lies between 0 and 1")
    return share
