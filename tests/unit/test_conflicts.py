"""Conflicts of interest: names that two people write apart meet, and nothing else does."""

import pytest

from auditing.core.seating.conflicts import find_conflict, party

PROVIDER = party(names=("ann@models.acme.com", "Quiet Heron"), organisation="Acme Labs GmbH")


@pytest.mark.parametrize(
    "declared",
    [
        "acme labs",
        "ACME Labs, Inc.",
        "Acme-Labs",
        "Acme Labs GmbH",
        "quiet heron",
        "Ann@Models.Acme.com",
        "@models.acme.com",
        "acme.com",
    ],
)
def test_a_conflict_is_met_however_it_is_written(declared: str) -> None:
    reviewer = party(names=("r@example.org",), conflicts=(declared,))
    assert find_conflict(reviewer=reviewer, provider=PROVIDER) == "declared by the reviewer"


@pytest.mark.parametrize("declared", ["Acme", "Labs", "GmbH", "me.com", "com", "ann", "", "...", "Acme Labs Two"])
def test_a_word_that_only_looks_alike_shuts_nobody_out(declared: str) -> None:
    reviewer = party(names=("r@example.org",), conflicts=(declared,))
    assert find_conflict(reviewer=reviewer, provider=PROVIDER) == ""


def test_two_spellings_of_one_employer_are_the_same_organisation() -> None:
    reviewer = party(names=("r@example.org",), organisation="ACME LABS")
    assert find_conflict(reviewer=reviewer, provider=PROVIDER) == "same organisation"


def test_organisations_without_a_name_have_nothing_in_common() -> None:
    nameless = (party(names=(f"{letter}@example.org",), organisation="-") for letter in "ab")
    assert find_conflict(reviewer=next(nameless), provider=next(nameless)) == ""
