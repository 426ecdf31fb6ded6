"""What is counted at the desk: which votes show a sign, and the share of others who look the same."""

import pytest

from auditing.core.errors import BadParameterError
from auditing.core.voting.desk_signs import Counts, DeskSign, counts_from, shows, sign_shares

PASTED, TYPED = Counts(pastes=1, pasted=200), Counts(edits=40)


@pytest.mark.parametrize(
    ("counts", "signs"),
    [
        (Counts(left=2, away_ms=9_000), {DeskSign.LEFT}),
        (PASTED, {DeskSign.PASTED, DeskSign.UNEDITED}),
        (Counts(pastes=1, pasted=20, edits=5), {DeskSign.PASTED}),
        (TYPED, set()),
    ],
)
def test_a_vote_shows_what_was_counted(counts: Counts, signs: set[DeskSign]) -> None:
    assert {sign for sign in DeskSign if shows(counts=counts, sign=sign)} == signs


def test_what_everybody_does_is_said_to_be_common_and_what_nobody_else_does_rare() -> None:
    crowd = [[PASTED] * 10 for _ in range(6)]
    common = {line.sign: line.base_rate for line in sign_shares(own=[PASTED] * 10, others=crowd)}
    rare = {line.sign: line.base_rate for line in sign_shares(own=[PASTED] * 10, others=[[TYPED] * 10] * 6)}
    assert (common[DeskSign.PASTED], rare[DeskSign.PASTED]) == (1.0, 0.0)


def test_of_few_votes_nothing_is_said_and_beside_few_others_no_base_rate() -> None:
    assert sign_shares(own=[PASTED] * 9, others=[[TYPED] * 10] * 9) == ()
    assert {line.base_rate for line in sign_shares(own=[PASTED] * 10, others=[[TYPED] * 10] * 4)} == {None}


@pytest.mark.parametrize("values", [{"text": 3}, {"left": -1}, {"left": True}, {"left": 2**31}, {"pasted": "words"}])
def test_anything_but_a_count_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadParameterError):
        counts_from(values=values)
