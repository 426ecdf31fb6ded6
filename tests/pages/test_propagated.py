"""A step that is wrong only because an earlier one is: whoever reads the audit is told that of each vote."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string

from auditing.core.voting.rationale import ErrorType, Rationale


def votes_shown(rationale: Rationale) -> str:
    vote: Any = SimpleNamespace(
        tier="human", auditor="a1", choice="fail", confidence=0.8, rationale=rationale, is_simulated=False, telling=()
    )
    shown = render_to_string("auditing/report/_segment_votes.html", {"line": SimpleNamespace(votes=[vote])})
    return " ".join(shown.split())


@pytest.mark.parametrize(
    ("rationale", "words"),
    [
        (Rationale(error_type=ErrorType.PROPAGATED, is_propagated=True), "wrong only because an earlier step is wrong"),
        (Rationale(error_type=ErrorType.INVALID_DERIVATION), "invalid derivation"),
    ],
)
def test_a_vote_says_whether_the_error_stands_here_or_comes_from_before(rationale: Rationale, words: str) -> None:
    assert f"80 % ({words})" in votes_shown(rationale).replace("\u202f", " ").replace("\xa0", " ")
