"""A file of votes in which nothing stands is refused: it would end as if something had been checked."""

from pathlib import Path

import pytest

from auditing.verifier import verify_proofs


@pytest.mark.parametrize("text", ["", "\n \n"], ids=["empty", "blank"])
def test_a_file_without_a_record_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    path = tmp_path / "audited.jsonl"
    path.write_text(text, encoding="utf-8")
    assert verify_proofs.main([str(path)]) == 2
    assert "it holds no record, so nothing was checked" in capsys.readouterr().out


def test_a_file_without_a_vote_is_refused_beside_the_file_of_an_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, audit = tmp_path / "audited.jsonl", tmp_path / "audit.json"
    path.write_text('{"id": "t", "segments": []}', encoding="utf-8")
    audit.write_text('{"leaves": []}', encoding="utf-8")
    assert verify_proofs.main([str(path)]) == 0
    assert verify_proofs.main([str(path), "--audit", str(audit)]) == 2
    assert "it holds no vote, so nothing was checked" in capsys.readouterr().out
