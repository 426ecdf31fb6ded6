"""What a sealed reason may hold: any text that a page can show again."""

import json

import pytest

from auditing.core.voting.rationale import MAX_REASON, BadRationaleError, Rationale, read, write


@pytest.mark.parametrize("reason", ["\U0001f600" * MAX_REASON, "\0\u202e\u2028</script>", "e\u0301"])
def test_whatever_was_written_is_read_again(reason: str) -> None:
    assert read(text=write(rationale=Rationale(reason=reason))).reason == reason


@pytest.mark.parametrize("reason", ["\ud83d", "fine \udc00", "x" * (MAX_REASON + 1)])
def test_half_a_character_and_a_text_too_long_are_refused_before_any_page_meets_them(reason: str) -> None:
    with pytest.raises(BadRationaleError, match=r"half a character|more than"):
        read(text=json.dumps({"reason": reason, "criteria": {}}))
