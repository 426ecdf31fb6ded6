"""Real `datasets` and `trl` read what we export: in an environment of their own, installed here and thrown away.

TRUST_TRAINING_PYTHON names a Python that has them already. Otherwise about 1 GB is installed (torch for the CPU).
"""

import json
import math
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from auditing.research.exports.formats import DATASETS, Format, Kind, hash_rows, read_rows, write_rows
from auditing.research.rado.core import Audited, Evaluation, Provenance, Task, check_row, dialogue_row, parse_dialogue
from auditing.research.rado.core.exports import group_rows, preference_pairs, reward_row

GIVEN = "TRUST_TRAINING_PYTHON"
WANTED = ("torch==2.13.0", "datasets==5.2.0", "trl==1.16.0")
PROGRAM = Path(__file__).with_name("train_a_little.py")
HERE = {0: Provenance("rm-1", "am-1", "interop")}


def vote(number: int) -> dict:
    """A row with every kind of value, some cells empty, some dangerous."""
    plain = {
        Kind.TEXT: f"=1+{number} ü",
        Kind.INTEGER: number,
        Kind.NUMBER: number / 8,
        Kind.FLAG: bool(number % 2),
        Kind.TIME: datetime(2026, 1, 1, 0, 0, number % 60, 250, tzinfo=UTC),
    }
    columns = DATASETS["votes"].columns
    return {c.name: None if c.optional and number % 3 == 0 else plain[c.kind] for c in columns}


def audited(number: int) -> Audited:
    """Evaluations of the same sum by pairs, one right and one wrong."""
    wrong = number % 2
    total = number // 2 + 3 + wrong
    audit = (
        f"<think>Let me add. <function>add({number // 2}, 3)</function><result>{number // 2 + 3}.0</result> So.</think>"
    )
    return Audited(
        id=f"e{number}",
        problem=f"p{number // 2}",
        prompt=f"What is {number // 2} + 3 ?",
        evaluation=Evaluation(1, 1, f"The sum is {total} ."),
        audit=parse_dialogue(f"{audit}<answer>{1 - wrong}</answer>"),
    )


def write(path: Path, rows: list[dict], task: Task) -> str:
    for row in rows:
        check_row(row=row, task=task)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_datasets_loads_the_folder_and_trl_trains_on_the_rows(python: str, tmp_path: Path) -> None:
    rows = [vote(number) for number in range(50)]
    folder = write_rows(rows=rows, dataset=DATASETS["votes"], path=tmp_path / "votes", format=Format.HUGGING_FACE)
    samples = [audited(number) for number in range(12)]
    pairs = write(tmp_path / "dpo.jsonl", preference_pairs(samples=samples, sources=HERE), Task.DPO)
    dialogues = [dialogue_row(audited=one, sources=HERE) for one in samples]
    rewards = [row for entry in samples if (row := reward_row(audited=entry, sources=HERE))]
    groups = [
        row
        for entry in samples
        for row in group_rows(prompt=entry.prompt, responses=["I guess .", "I add ."], rewards=[0, 1], meta={})
    ]
    files = [
        pairs,
        write(tmp_path / "sft.jsonl", dialogues, Task.SFT),
        write(tmp_path / "reward.jsonl", rewards, Task.REWARD),
        write(tmp_path / "grpo.jsonl", groups, Task.GRPO),
    ]
    ran = subprocess.run(
        [python, str(PROGRAM), str(folder.path), *files], capture_output=True, text=True, timeout=1800, cwd=tmp_path
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    result = json.loads(next(line for line in ran.stdout.splitlines() if line.startswith("RESULT "))[7:])
    print(json.dumps({name: (result[name][0], result[name][-1]) for name in ("dpo", "sft", "reward", "grpo")}))
    assert result["rows"] == 50
    assert list(result["features"]) == list(DATASETS["votes"].names)
    assert result["features"]["confidence"] == "float64"
    assert result["features"]["revealed_at"].startswith("timestamp[us")
    assert (result["first"]["choice"], result["first"]["reason"]) == ("=1+0 ü", "None")
    back = read_rows(path=folder.path, dataset=DATASETS["votes"], format=Format.HUGGING_FACE)
    assert hash_rows(rows=back, dataset=DATASETS["votes"]) == folder.content_hash
    check_learning(result)


def check_learning(result: dict) -> None:
    """Twenty steps on one batch of each export lower its loss, and what a tool answered is not learnt."""
    for name in ("dpo", "sft", "reward", "grpo"):
        assert len(result[name]) == 20
        assert all(math.isfinite(loss) for loss in result[name])
        assert result[name][-1] < result[name][0], name
    assert "<function>" in result["sft learnt"]
    assert "<result>" not in result["sft learnt"]
    assert "<result>" in result["sft masked"]
    assert "What is" not in result["sft learnt"] + result["reward learnt"]
    assert result["grpo sampled steps"] == 2
