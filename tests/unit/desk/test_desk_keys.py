"""The keys of the desk: one meaning each, and the guide tells them all."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from auditing.views.voting.desk_keys import DESK_KEYS, ELSEWHERE, Key, check_keys

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "desk.md"


@pytest.mark.parametrize("stroke", ["1", *ELSEWHERE])
def test_two_meanings_for_one_key_stop_the_server(stroke: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="means both"):
        check_keys([Key("pass", "1", "Pass"), Key("other", stroke, "Other")])


def test_the_guide_tells_every_key_as_the_code_has_it() -> None:
    told = [line for line in GUIDE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert told == [f"| `{key.stroke}` | {key.does} |" for key in DESK_KEYS.values()]
