"""Study `votes`: real votes of several medical annotators through the aggregation core (usmle_gpt4_errors, raw).

An annotator who marks an error in a response fails it; who marks it reasonable and no error passes it; anything else
abstains. There is no gold: the study shows how the rules differ on real disagreement, not which of them is right.
"""

import ast
import json
from collections import Counter
from pathlib import Path

import numpy as np

from auditing.core.consensus import tally_round
from auditing.core.consensus.ballots import Ballots, ballots_from_votes
from auditing.core.consensus.rules import RULES
from auditing.core.consensus.two_coin import Priors
from auditing.core.policy import DEFAULT, PAPER
from auditing.core.values import Choice, Tier, Vote
from auditing.research.studies.instruments.public_votes import choices_by_item, votes_of
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study

REASONABLE = "Reasonable response by GPT-4"
NO_CATEGORY = "Cannot pick any error category"


def read_choice(*, spans: str) -> Choice:
    """The vote behind one annotator's list of marked spans (a literal list of dictionaries)."""
    # literal_eval reads Python literals and runs nothing.
    labels = {str(span.get("annotation", "")) for span in ast.literal_eval(spans or "[]")}
    if labels - {REASONABLE, NO_CATEGORY}:
        return Choice.FAIL
    return Choice.PASS if REASONABLE in labels else Choice.ABSTAIN


def read_votes(*, path: Path) -> dict[str, dict[str, Choice]]:
    """item -> annotator -> vote; a later record of the same pair replaces the earlier."""
    votes: dict[str, dict[str, Choice]] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            votes.setdefault(row["id"], {})[row["annotator_id"]] = read_choice(spans=row["span_annotations"])
    return votes


@study("votes", "Real multi-annotator votes through the aggregation core", reads="votes")
def votes(run: Run) -> Report:
    """Outcomes of every rule, of whole rounds under two policies, and how far the rules agree."""
    by_item = choices_by_item(votes=votes_of(run=run))
    triples = [
        (unit, auditor, choice is Choice.PASS)
        for unit, by_auditor in by_item.items()
        for auditor, choice in by_auditor.items()
        if choice is not Choice.ABSTAIN
    ]
    ballots, _, auditors = ballots_from_votes(votes=triples)
    agreed = pair_agreement(ballots=ballots)
    choices = Counter(choice for by_auditor in by_item.values() for choice in by_auditor.values())
    head: list[list[Cell]] = [
        ["items", len(by_item)],
        ["annotators", len(auditors)],
        ["pass", choices[Choice.PASS]],
        ["fail", choices[Choice.FAIL]],
        ["abstain", choices[Choice.ABSTAIN]],
        ["agreement of pairs on an item", None if agreed is None else round(agreed, 3)],
    ]
    return Report(
        "Real votes through the aggregation core",
        [
            Table("The votes", ["", ""], head),
            _rule_table(ballots),
            _round_table(by_item),
        ],
        ["No gold exists for these items: `auto` is gold-only at its priors."],
    )


def pair_agreement(*, ballots: Ballots) -> float | None:
    """Share of pairs of votes on the same item that agree; None where no item has two votes."""
    passes, fails = ballots.counts()
    # Ordered pairs: n (n - 1) of n votes.
    pairs = (passes + fails) * (passes + fails - 1)
    agreeing = passes * (passes - 1) + fails * (fails - 1)
    return float(agreeing.sum() / pairs.sum()) if pairs.sum() else None


def _rule_table(ballots: Ballots) -> Table:
    priors = Priors(base_rate=0.5)  # every response belongs to a wrong answer: .8 would be no fair base rate
    decided = {name: rule(ballots=ballots, priors=priors) > 0.5 for name, rule in RULES.items()}
    majority = decided[next(iter(name for name in decided if name == "majority"))]
    rows: list[list[Cell]] = [
        [str(name), int(passed.sum()), int((~passed).sum()), round(float(np.mean(passed == majority)), 3)]
        for name, passed in decided.items()
    ]
    return Table("Items with at least one vote, by rule", ["rule", "pass", "fail", "agrees with majority"], rows)


def _round_table(by_item: dict[str, dict[str, Choice]]) -> Table:
    rows: list[list[Cell]] = []
    for policy in (DEFAULT, PAPER):
        outcomes: Counter[str] = Counter()
        for by_auditor in by_item.values():
            cast = [Vote(choice, name, Tier.HUMAN) for name, choice in by_auditor.items()]
            outcomes[tally_round(votes=cast, policy=policy, tier=Tier.HUMAN, k=len(cast)).outcome] += 1
        rows.append([policy.name, outcomes["pass"], outcomes["fail"], outcomes["hung"]])
    return Table("Whole rounds", ["policy", "pass", "fail", "hung"], rows)
