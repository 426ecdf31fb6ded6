"""False alarms on PARC stand beside every threshold: for each choice of premises, as docs/measurements.md has them."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command

from auditing.core.soundness.parc_alarms import PARC_ALARMS, RIGHT_STEPS, parc_alarms
from auditing.research.soundness.core.second_look import Premises
from auditing.research.studies.instruments.false_alarms import RECORDED, THRESHOLD

MEASURED = (Path(__file__).parents[3] / "docs" / "measurements.md").read_text(encoding="utf-8")
COLUMNS = ("declared", "declared first", "all")
TRACE = {"problem": "Two hens lay 3 eggs each.", "steps": ["2 * 3 = 6 eggs are laid.", "So 6 eggs are laid."]}


def row(name):
    """Shares of right steps called unsound in one row of the table, by premises."""
    (line,) = [line for line in MEASURED.splitlines() if line.startswith(f"| {name} | ")]
    cells = [cell.split(" / ")[0].removesuffix(" %") for cell in line.strip("| ").split(" | ")[1:]]
    return {premises: float(cell) / 100 for premises, cell in zip(COLUMNS, cells, strict=True)}


def test_every_choice_of_premises_has_its_figures():
    assert set(PARC_ALARMS) == {str(premises) for premises in Premises}
    assert parc_alarms(premises=None) is None


def test_the_figures_are_those_that_were_measured():
    assert {name: alarms.perfect for name, alarms in PARC_ALARMS.items()} == pytest.approx(row("perfect"))
    assert {name: alarms.erring for name, alarms in PARC_ALARMS.items()} == pytest.approx(row("correlation .7"))
    assert f"{RIGHT_STEPS:,} right steps and " in MEASURED
    assert (RECORDED, THRESHOLD) == ((0.006, 0.176), 0.5)


@pytest.mark.parametrize("premises", Premises)
def test_the_command_prints_them_beside_its_threshold(premises, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(TRACE))
    words, data = (io.StringIO(), io.StringIO())
    call_command("soundness", str(path), "--premises", str(premises), stdout=words)
    call_command("soundness", str(path), "--premises", str(premises), "--json", stdout=data)
    alarms = PARC_ALARMS[str(premises)]
    assert alarms.sentence in words.getvalue()
    assert re.search(r"calls \d+\.\d % unsound", alarms.sentence)
    told = json.loads(data.getvalue())
    assert told["false_alarms_on_parc"] == {"perfect": alarms.perfect, "erring": alarms.erring}
    assert told["threshold"] == 0.5
