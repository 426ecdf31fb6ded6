"""The stranger's check of what reputations were judged by, line by line of the list of the eligible."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from auditing.verifier import verify_audit
from auditing.verifier.verify_audit import CheckFailedError, Report, Seat

NAME = "ab" * 32


def audit(line: dict[str, Any], *, revision: int = 3, **params: Any) -> Any:
    return SimpleNamespace(
        revision=revision,
        report=Report(),
        params={"initial_reputation": "0.7", "agreement_bonus": 0, "slashing": "gold_else_outcome"} | params,
        eligible={NAME: {"auditor": NAME, "reputation": "0.7", "against": "start"} | line},
    )


@pytest.mark.parametrize("line", [{}, {"against": "gold", "reputation": "0.31"}, {"against": "outcome"}])
def test_what_the_policy_allows_is_accepted(line: dict[str, Any]) -> None:
    assert verify_audit.check_reputation_basis(audit(line)).startswith("1 by")


@pytest.mark.parametrize(
    ("line", "params", "why"),
    [
        ({"against": "outcome"}, {"slashing": "gold"}, "which the policy does not allow"),
        ({"against": "gold"}, {"slashing": "outcome"}, "which the policy does not allow"),
        ({"against": "hearsay"}, {}, "which the policy does not allow"),
        ({"reputation": "0.9"}, {}, "starts elsewhere"),
        ({"agreement": "0.5"}, {}, "no agreement"),
        ({"agreement": "1.5"}, {"agreement_bonus": 6}, "more than always"),
        ({}, {"revision": 2}, "an older format says more"),
    ],
)
def test_what_it_does_not_allow_is_refused(line: dict[str, Any], params: dict[str, Any], why: str) -> None:
    with pytest.raises(CheckFailedError, match=why):
        verify_audit.check_reputation_basis(audit(line, **params))


def test_a_policy_that_names_no_basis_reads_gold_alone() -> None:
    older = audit({"against": "outcome"})
    del older.params["slashing"]
    with pytest.raises(CheckFailedError, match="does not allow"):
        verify_audit.check_reputation_basis(older)


def test_a_bonus_is_recomputed_from_the_list_and_named_among_what_is_believed() -> None:
    paying = audit({"agreement": "0.53"}, agreement_bonus=6)
    verify_audit.check_reputation_basis(paying)
    assert "agreement" in paying.report.believed


def test_a_bonus_pays_an_opened_vote_by_the_listed_agreement_and_a_silent_seat_nothing() -> None:
    paying = audit({}, agreement_bonus=6, reward=6, no_show_penalty=8)
    paying.truth, paying.by_type = {}, {"outcome.rollback": [], "gold.overturn": []}
    paying.outcome_of = {"x": {"outcome": "pass"}}.get
    opened, silent = Seat(0, "s", NAME, {"vote": 1}, True, ""), Seat(0, "t", NAME, None, False, "silent")
    amounts = verify_audit.amounts_of(paying, opened, "x", 0, Fraction("0.53"))
    assert amounts == {"reward": (6, None), "agreement": (3, None)}
    assert verify_audit.amounts_of(paying, silent, "x", 0, Fraction("0.53")) == {"no_show": (-8, None)}
