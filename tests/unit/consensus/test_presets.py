"""Every figure of every preset, as it is published: one that changes is changed here as well, on purpose.

Written anew by: python -m tests.unit.consensus.test_presets
"""

import json
from pathlib import Path

import pytest

from auditing.core.policy import PRESETS, to_json

VECTOR = Path(__file__).resolve().parents[2] / "vectors" / "presets.json"


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_the_figures_that_were_published(name: str) -> None:
    assert json.loads(json.dumps(to_json(policy=PRESETS[name]))) == json.loads(VECTOR.read_text())[name]


def test_no_preset_was_forgotten() -> None:
    assert set(PRESETS) == set(json.loads(VECTOR.read_text()))


if __name__ == "__main__":
    presets = {name: to_json(policy=policy) for name, policy in PRESETS.items()}
    VECTOR.write_text(json.dumps(presets, indent=1, sort_keys=True) + "\n")
