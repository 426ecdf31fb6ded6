"""What is counted at the desk: how common a sign is, and that nothing but counts is taken."""

import pytest

from auditing.core.errors import BadParameterError
from auditing.core.voting.desk_signs import DeskSign, Shown, counts_from, sign_shares

ALWAYS, NEVER = (Shown(of=10, votes=dict.fromkeys(DeskSign, votes)) for votes in (10, 0))


def test_what_everybody_does_is_said_to_be_common_and_what_nobody_else_does_rare() -> None:
    common = {line.base_rate for line in sign_shares(own=ALWAYS, others=[ALWAYS] * 6)}
    rare = {line.base_rate for line in sign_shares(own=ALWAYS, others=[NEVER] * 6)}
    assert (common, rare) == ({1.0}, {0.0})


def test_of_few_votes_nothing_is_said_and_beside_few_others_no_base_rate() -> None:
    few = Shown(of=9, votes=dict.fromkeys(DeskSign, 9))
    assert sign_shares(own=few, others=[NEVER] * 9) == ()
    assert {line.base_rate for line in sign_shares(own=ALWAYS, others=[NEVER] * 4 + [few] * 9)} == {None}


@pytest.mark.parametrize("values", [{"text": 3}, {"left": -1}, {"left": True}, {"left": 2**31}, {"pasted": "words"}])
def test_anything_but_a_count_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadParameterError):
        counts_from(values=values)
