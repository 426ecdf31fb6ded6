"""What a sealed reason may hold: any text that a page can show again."""

import json
from dataclasses import replace

import pytest

from auditing.checker.findings import Evidence, Finding, Verdict
from auditing.core.voting.commitment import rationale_digest
from auditing.core.voting.rationale import (
    MAX_REASON,
    BadRationaleError,
    Rationale,
    read,
    write,
)


@pytest.mark.parametrize("reason", ["\U0001f600" * MAX_REASON, "\0\u202e\u2028</script>", "e\u0301"])
def test_whatever_was_written_is_read_again(reason: str) -> None:
    assert read(text=write(rationale=Rationale(reason=reason))).reason == reason


@pytest.mark.parametrize("reason", ["\ud83d", "fine \udc00", "x" * (MAX_REASON + 1)])
def test_half_a_character_and_a_text_too_long_are_refused_before_any_page_meets_them(reason: str) -> None:
    with pytest.raises(BadRationaleError, match=r"half a character|more than"):
        read(text=json.dumps({"reason": reason, "criteria": {}}))


PROVED = Finding(Verdict.REFUTED, Evidence("arithmetic", "unequal", "3 * 4 = 11", "It is 12."), proof='{"version":1}')


def test_proofs_and_version_of_the_checkers_are_sealed_with_the_vote() -> None:
    text = write(rationale=Rationale(evidence=(PROVED,), checker="2026.11.23"))
    again = read(text=text)
    assert (again.evidence[0].proof, again.checker) == ('{"version":1}', "2026.11.23")
    nonce = b"n" * 32
    for changed in (text.replace("1}", "2}"), text.replace("11.23", "11.24")):
        assert changed != text
        assert rationale_digest(rnonce=nonce, text=changed) != rationale_digest(rnonce=nonce, text=text)


def test_a_rationale_from_before_proofs_were_sealed_keeps_its_bytes() -> None:
    text = write(rationale=Rationale(evidence=(replace(PROVED, proof=""),)))
    assert "proof" not in text
    assert '"checker":' in text  # of the finding: its name
    assert set(json.loads(text)) == {"reason", "criteria", "evidence"}
    assert write(rationale=read(text=text)) == text


@pytest.mark.parametrize("fields", [{"checker": 7}, {"evidence": [{"verdict": "refuted", "proof": [1]}]}])
def test_a_proof_or_a_version_that_is_no_text_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(BadRationaleError, match="cannot be read"):
        read(text=json.dumps({"reason": "", "criteria": {}, **fields}))
