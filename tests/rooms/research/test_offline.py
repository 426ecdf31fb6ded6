"""`manage.py audit` and the server say the same of every segment."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from auditing.research.reports.selectors.lines import SegmentLine
from auditing.research.reports.selectors.report import report_of
from hdag.readers.records import read_record
from tests.factories.worlds import make_world
from tests.tools.gsm8k import public_records

pytestmark = pytest.mark.django_db
WRONG = {
    "id": "nuts",
    "problem": "Tom has 3 bags of 14 nuts. How many?",
    "steps": ["", "So 3 * 14 = 44 nuts."],
    "answer": "44",
}


def server_says(line: SegmentLine) -> dict[str, object]:
    """What the server found for a segment, in the words of the command's record."""
    value, vote = line.value, line.computer
    return {
        "id": value.id,
        "level": str(value.level),
        "content": value.content,
        "source": str(value.source),
        "start": value.start,
        "end": value.end,
        "step": value.step,
        "complexity": str(value.complexity),
        "premises": list(line.premises),
        "vote": vote.choice if vote else "abstain",
        "sentences": [one.evidence.sentence for one in vote.rationale.evidence] if vote else [],
        "tier": line.tier,
    }


def audited_by_command(records: list[dict[str, object]], tmp_path: Path) -> list[dict[str, object]]:
    given, taken = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    call_command("audit", str(given), output=str(taken), workers=1)
    return [json.loads(line) for line in taken.read_text(encoding="utf-8").splitlines()]


def test_the_command_and_the_server_agree_on_every_segment(tmp_path: Path) -> None:
    records = [WRONG, *public_records(6)]
    votes: list[str] = []
    world = make_world(reviewers=0)
    for record, said in zip(records, audited_by_command(records, tmp_path), strict=True):
        audit = world.submit(read_record(record, where="test"))
        for _ in range(4):
            world.walk()
        audit.refresh_from_db()
        for line, segment in zip(report_of(audit=audit).lines, said["segments"], strict=True):  # type: ignore[arg-type]
            segment["sentences"] = [one["sentence"] for one in segment["evidence"]]
            ours = server_says(line)
            if line.route is None:  # what is given or judged by its parts has no rounds on the server
                ours |= {name: segment[name] for name in ("vote", "tier", "sentences")}
            assert ours == {name: segment[name] for name in ours}
            votes.append(segment["vote"])
    assert {"fail", "abstain"} <= set(votes)
