"""The examples of docs/guides/research.md run as printed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from auditing.core.consensus import quorum_outcome
from auditing.research.exports.formats import DATASETS, Format, Kind, write_rows

GUIDE = (Path(__file__).parents[3] / "docs/guides/research.md").read_text(encoding="utf-8")
BLOCKS = [block.partition("```")[0] for block in GUIDE.split("```python\n")[1:]]


def row(dataset: str, **given):
    plain = {
        Kind.TEXT: "x",
        Kind.INTEGER: 1,
        Kind.NUMBER: 0.5,
        Kind.FLAG: False,
        Kind.TIME: datetime(2026, 1, 1, tzinfo=UTC),
    }
    return {column.name: plain[column.kind] for column in DATASETS[dataset].columns} | given


def write(dataset: str, rows):
    write_rows(rows=rows, dataset=DATASETS[dataset], path=Path(f"{dataset}.parquet"), format=Format.PARQUET)


@pytest.mark.parametrize("passes", range(6))
def test_the_guide_recomputes_the_outcome_that_the_core_finds(passes, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cast = ["pass"] * passes + ["fail"] * (5 - passes)
    earlier = [row("votes", segment="s1", round=1, choice="fail", auditor=f"a{n}") for n in range(5)]
    write("votes", earlier + [row("votes", segment="s1", round=2, choice=choice) for choice in cast])
    found = quorum_outcome(passes=passes, fails=5 - passes, need_pass=4, need_fail=3)
    whole = row("outcomes", segment=None, label=None)
    write("outcomes", [whole, row("outcomes", segment="s1", need_pass=4, need_fail=3, paper_outcome=found.value)])
    exec(next(block for block in BLOCKS if "recompute one outcome" in block), {})
    assert capsys.readouterr().out.split()[1:] == [found.value] * 2


def test_the_other_examples_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write("votes", [row("votes")])
    for block in BLOCKS:
        if "recompute" not in block:
            exec(block, {})
    printed = capsys.readouterr().out
    assert len(printed.splitlines()[0]) == 64
    assert "gwet_ac1" in printed
    assert "['None', '', <NA>]" in printed
