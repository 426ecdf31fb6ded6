"""Proofs of findings: a file that shares no code with the checker computes them again, and refuses what was changed."""

import copy
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from auditing.core.voting.commitment import rationale_digest
from auditing.research.offline.one_trace import audit_trace
from benchmarks.proofs import tampered
from hdag.readers.records import read_record
from tests.unit.checker.readings import is_doubted, is_refuted

FILE = Path(__file__).parents[3] / "auditing" / "verifier" / "verify_proofs.py"
# what each proof is about: its kind, and steps that a check decides with it
PROVED = {
    "an equality": ("numbers", ["So 3 * 4 + 5 = 17."]),
    "a false equality": ("numbers", ["So 137/965 = 14.23 %."]),
    "a rounding": ("numbers", ["So 2/3 = 0.67 and 1.5 * 10^6 / 7 = 214285.7."]),
    "roots and angles": (
        "numbers",
        [r"\(\sqrt{12} = 2\sqrt{3}\), \(\cos 60^\circ = 1/2\), \(\log_2 8 = 3\), \(5! = 120\)"],
    ),
    "a double": ("numbers", ["0.1 + 0.2 = 0.30000000000000004"]),
    "a false order": ("numbers", ["We see that 2 + 3 > 7."]),
    "an identity": ("identity", [r"\((x+1)^2 = x^2 + 2x + 1\)"]),
    "no identity": ("counterexample", [r"Expanding, \((x+1)^2 = x^2 + 2x + 2\)."]),
    "a gap": ("gap", ["The games are 5 + 12x + 24 + 48 + 15 = 96 + 12x."]),
    "a congruence": ("congruence", [r"\(17 \cdot 5 \equiv 3 \pmod{83}\)"]),
    "a line that goes on": ("counterexample", ["$$A = 3(2x - 3)$$", "$$= 6x - 6$$"]),
    "a contradiction": ("contradiction", ["We have 20 - 3x = 12.", "Solving for x, we get x = 2."]),
    "a system": ("contradiction", [r"\(A + B = 7\) and \(2A - 2B = -2\).", r"Adding the equations gives \(4B = 9\)."]),
    "what is no polynomial": (
        "contradiction",
        [r"We have \(\binom{10}{k} \cdot 2^k = 90\).", r"So \(\binom{10}{k} = 120\) and \(2^k = 3\)."],
    ),
    "a power": ("contradiction", ["We have x^2 - 5x = 6.", "So x = 3."]),
    "a result said": ("numbers", ["Yes, and 210 + 91 is 300."]),
    "a term": ("term", ["In all it is 0.25(80x) + 0.1(100x) = 20x."]),
    "a label said twice": ("numbers", ["Total cost = 80 + 20\nTotal cost = 110"]),
    "a root gained": ("numbers", ["We have (x-2)(x+3) = 0.", "so x = 2 or x = 3."]),
    "a root lost": ("lost root", ["(x+2)(x-3)(x-4) = 0, so the solutions are x = 3 or x = 4."]),
    "plus or minus": ("numbers", ["x = 4 ± 2 = 5 ± 2"]),
    "powers of i": ("complex", ["Here i is the imaginary unit: i^10 = i."]),
    "another equation": ("solution", [r"We write \(2a + 3b = 12\).", r"Rearranging, \(2a - 3b = 12 + 7a\)."]),
    "another equation without roots": ("apart", ["We have x^2 - 3 = 0.", r"Rewriting, \(x^2 + 2x - 5 = 0\)"]),
    "another equation in several symbols": (
        "unrelated",
        [r"We have \(\frac{4}{a^2} - \frac{144}{b^2} = 1\).", r"Rewriting, \(4b^2 - 144a^2 = b^2\)"],
    ),
    "a function at a point": ("numbers", [r"Let \(f(x) = x^2 + 1\).", r"Then \(f(3) = 11\)."]),
    "a stranger in a range": ("member", ["The odd numbers from 1 to 9 are 1, 3, 5, 7, 8, 9."]),
    "a number left out of a range": ("member", ["The prime numbers less than 10 are 2, 3, 7."]),
    "a median": ("numbers", ["The median of 3, 4 and 8 is 5."]),
    "a remainder": ("numbers", ["The remainder when 7^100 is divided by 5 is 2."]),
    "a digit": ("numbers", ["The units digit of 7^2026 is 7."]),
    "a sum of digits": ("numbers", ["The sum of the digits of 1234 is 11."]),
    "divisors counted": ("number sort", ["The number of divisors of 36 is 8."]),
    "a rounded value said": ("numbers", ["The integer closest to 4.64 is 4."]),
    "a sum of money off by a cent": ("numbers", ["It is $4.20 + $9.45 + $1.35 = $14.99."]),
    "a root rounded the wrong way": ("numbers", ["So √128761 = 358.9."]),
    "superscripts behind numbers": ("numbers", ["So 10² + 12² = 15²."]),
    "inverse angles": (
        "numbers",
        [r"\(\arctan(0) = 0\), \(\arcsin(1) = \frac{\pi}{2}\), \(\arccos(0.3) = 1.2661\), \(\arctan(-2) = -1.10715\)"],
    ),
    "a line break that was lost": ("numbers", ["Total score = 90 * 6 Total score = 550"]),
    "a unit": ("numbers", ["There are 350 degrees in a circle."]),
    "what a unit holds": ("measures", ["There are 25 hours in a day."]),
    "a prime": ("claim", ["Note that 91 is a prime number."]),
    "a divisor": ("claim", ["24,516 is not divisible by 4."]),
    "a right divisor": ("claim", ["24,516 is divisible by 4."]),
    "a comparison": ("numbers", ["7 is greater than 12."]),
    "a stranger in a list": ("member", ["The factors of 20 are 1, 2, 4, 5, 6, 10, 20."]),
    "a number left out": ("member", ["The factors of 20 are 1, 2, 4, 5, 20."]),
    "a share": ("numbers", ["One fifth of 50 is 20."]),
    "a mean": ("numbers", ["The average of 3, 4 and 8 is 6."]),
    "a difference without a sign": ("numbers", ["The difference between 3 and 8 is 6."]),
    "a formula filled": ("numbers", ["weeks: 50\nwage: 20\ncost = weeks * wage = 45 * 20"]),
    "a unit converted": ("measures", ["So 6 ft 2 in = 72 in."]),
    "a rate carried on": ("measures", ["She saved $5/week for 4 weeks = $20."]),
    "a time of day": ("clock", ["So 10:30 + 45 min = 11:25."]),
    "numbers in words": ("numbers", ["Now seventeen plus five is twenty-three."]),
    "a sum of many": ("numbers", [r"Now \(\sum_{k=1}^{10} k = 50\) and \(\prod_{i=1}^{5} i = 120\)."]),
    "an integral and a limit": (
        "numbers",
        [r"\(\int_0^2 (3x^2 + 1)\,dx = 12\), \(\lim_{x \to 2} \frac{x^2-4}{x-2} = 4\)"],
    ),
    "a derivative": ("derivative", [r"\(\frac{d}{dx}(x e^x + \sin(2x) / \sqrt{x}) = e^x\)"]),
    "an inequality turned": ("rays", ["We have -2x > 6, so x > -3."]),
    "a weekday": ("weekday", ["March 5, 2024 is a Monday."]),
    "days between dates": ("days", ["10 days after March 25, 2024 is April 4, 2024."]),
    "a leap year": ("leap year", ["We know that 1900 is a leap year."]),
    "a vector": ("numbers", ["So (1,2) + (3,4) = (4,7)."]),
    "what is taken up": ("counterexample", ["We have $2(x + 3)$.", "Simplifying, we get $2x + 5$."]),
}


@pytest.fixture(scope="module")
def verifier() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_proofs", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def record_of(*steps: str, problem: str = "A problem.") -> dict:
    trace = read_record({"id": "t", "problem": problem, "steps": list(steps)}, where="test")
    return json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))


def kinds_in(record: dict) -> set[str]:
    evidence = [finding for segment in record["segments"] for finding in segment["evidence"]]
    return {finding["proof"]["kind"] for finding in evidence if "proof" in finding}


@pytest.mark.parametrize("name", PROVED)
def test_a_proof_of_this_kind_is_written_and_holds(verifier, name):
    kind, steps = PROVED[name]
    record = record_of(*steps)
    assert kind in kinds_in(record)
    assert {reason for _, reason in verifier.check_record(record)} == {""}


@pytest.mark.parametrize("name", PROVED)
def test_a_proof_with_another_verdict_is_refused(verifier, name):
    record = record_of(*PROVED[name][1])
    other = {"verified": "refuted", "refuted": "verified"}
    for segment in record["segments"]:
        for finding in segment["evidence"]:
            finding["verdict"] = other.get(finding["verdict"], finding["verdict"])
    assert all(reason for _, reason in verifier.check_record(record))


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.parametrize("seed", range(4))
def test_a_proof_that_was_tampered_with_is_refused(verifier, name, seed):
    record = tampered(record_of(*PROVED[name][1]), seed)
    assert any(reason for _, reason in verifier.check_record(record))


def test_no_refutation_is_certain_without_a_proof():
    # a sum whose proof would be too long to keep
    step = f"So {' + '.join(['1234567890123456789012345'] * 180)} = 17."
    assert is_doubted(step)
    assert not is_refuted(step)


def vote_file(step: str) -> dict:
    """The file of a computer vote on this step, sealed as the corridor seals it."""
    record = record_of(step)
    segment = next(item for item in record["segments"] if any("proof" in finding for finding in item["evidence"]))
    evidence = [{**finding, "proof": json.dumps(finding["proof"])} for finding in segment["evidence"]]
    text, rnonce = json.dumps({"reason": "", "criteria": {}, "evidence": evidence}), bytes(range(32))
    digest = rationale_digest(rnonce=rnonce, text=text)
    segments = [{"id": item["id"], "content": item["content"]} for item in record["segments"]]
    vote = {"rationale": text, "rnonce": rnonce.hex(), "digest": digest.hex()}
    return {"id": "v", "segment": segment["id"], "segments": segments, "vote": vote}


def test_a_rationale_that_no_opened_vote_has_is_refused_beside_the_file_of_its_audit(verifier, tmp_path, capsys):
    """A file names its own digest: only the ledger's leaf says which one was sealed."""
    vote, audit = tmp_path / "vote.json", tmp_path / "audit.json"
    sealed = vote_file("So 3 * 4 = 13.")
    vote.write_text(json.dumps(sealed), encoding="utf-8")
    assert verifier.main([str(vote)]) == 0
    assert "not checked: that the ledger holds the rationale of 1 votes" in capsys.readouterr().out
    for digest, code in ((sealed["vote"]["digest"], 0), ("11" * 32, 2)):
        entry = json.dumps({"t": "vote.reveal", "openings": [{"rationale": digest, "vote": 0}]})
        audit.write_text(json.dumps({"leaves": [{"entry": entry}]}), encoding="utf-8")
        assert verifier.main([str(vote), "--audit", str(audit)]) == code
    printed = capsys.readouterr().out
    assert "no vote that was opened in this audit has this rationale" in printed
    assert "not checked" not in printed
    audit.write_text("{}", encoding="utf-8")
    assert verifier.main([str(vote), "--audit", str(audit)]) == 2


@pytest.mark.parametrize(
    ("step", "vote", "words"), [("So 3 * 4 = 13.", 1, "refutes"), ("So 3 * 4 = 12.", 0, "nothing")]
)
def test_a_vote_that_its_own_rationale_contradicts_is_refused(verifier, tmp_path, capsys, step, vote, words):
    file, audit = tmp_path / "vote.json", tmp_path / "audit.json"
    sealed = vote_file(step)
    file.write_text(json.dumps(sealed), encoding="utf-8")
    for said, code in ((vote, 2), (1 - vote, 0)):
        entry = json.dumps({"t": "vote.reveal", "openings": [{"rationale": sealed["vote"]["digest"], "vote": said}]})
        audit.write_text(json.dumps({"leaves": [{"entry": entry}]}), encoding="utf-8")
        assert verifier.main([str(file), "--audit", str(audit)]) == code
    assert words in capsys.readouterr().out


def test_the_rationale_of_a_vote_is_held_against_its_digest_and_re_checked(verifier, tmp_path, capsys):
    path = tmp_path / "vote.json"
    sealed = vote_file("So 3 * 4 = 13.")
    path.write_text(json.dumps(sealed), encoding="utf-8")
    assert verifier.main([str(path)]) == 0
    assert "1 proofs hold, 0 refused" in capsys.readouterr().out
    for name, other in (("rationale", sealed["vote"]["rationale"] + " "), ("rnonce", "00" * 32), ("digest", "11" * 32)):
        path.write_text(json.dumps({**sealed, "vote": {**sealed["vote"], name: other}}), encoding="utf-8")
        assert verifier.main([str(path)]) == 2
        assert "not the one that was sealed" in capsys.readouterr().out


def test_a_false_proof_that_was_sealed_is_refused(verifier, tmp_path, capsys):
    sealed = vote_file("So 3 * 4 = 13.")
    text = sealed["vote"]["rationale"].replace("refuted", "verified")
    digest = rationale_digest(rnonce=bytes(range(32)), text=text)
    sealed["vote"] |= {"rationale": text, "digest": digest.hex()}
    (tmp_path / "vote.json").write_text(json.dumps(sealed), encoding="utf-8")
    assert verifier.main([str(tmp_path / "vote.json")]) == 2
    assert "refused: v" in capsys.readouterr().out


def test_a_formula_that_does_not_stand_in_the_text_is_refused(verifier):
    record = record_of("So 3 * 4 = 12.")
    finding = next(finding for segment in record["segments"] for finding in segment["evidence"] if "proof" in finding)
    finding["proof"] |= {"left": [["*", "6", "7"]], "right": ["42"]}
    assert "not in the text" in next(verifier.check_record(record))[1]


def test_a_finding_moved_to_another_text_is_refused(verifier):
    record = record_of("So 3 * 4 = 12.")
    moved = copy.deepcopy(record)
    for segment in moved["segments"]:
        segment["content"] = "So 4 * 3 is twelve."
    assert any(reason for _, reason in verifier.check_record(moved))


def test_the_file_says_how_many_hold_and_ends_with_two_for_a_refusal(verifier, tmp_path, capsys):
    path = tmp_path / "audited.jsonl"
    path.write_text(json.dumps(record_of("So 3 * 4 = 12.")), encoding="utf-8")
    assert verifier.main([str(path)]) == 0
    assert "1 proofs hold, 0 refused" in capsys.readouterr().out
    path.write_text(json.dumps(tampered(record_of("So 3 * 4 = 12."), 0)), encoding="utf-8")
    assert verifier.main([str(path)]) == 2
    assert "refused: t" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_refused(verifier, tmp_path):
    assert verifier.main([str(tmp_path / "absent.jsonl")]) == 2


# each was found by benchmarks.fuzzing, or is of the kind of one that was
BROKEN = {
    "a line that is a number": "7",
    "a line that is a list": "[]",
    "segments by name": '{"id": 1, "segments": {"a": 1}}',
    "a proof that is a number": '{"segments": [{"id": "x", "content": "", "evidence": [{"proof": 5, "checker": ""}]}]}',
    "deep": "[" * 100_000,
    "a key twice": '{"id": "a", "segments": [], "id": "b"}',
    "half a letter": '{"id": "\\ud800", "segments": [{}]}',
    "a name that moves the cursor": '{"id": "\\u001b[2J", "segments": [{"id": "", "content": "", "evidence": '
    '[{"proof": {}, "checker": "", "verdict": "verified", "grade": "certain"}]}]}',
    "a huge number": '{"segments": ' + "9" * 10_000 + "}",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_one_sentence(verifier, tmp_path, capsys, name):
    (tmp_path / "audited.jsonl").write_text(BROKEN[name], encoding="utf-8")
    assert verifier.main([str(tmp_path / "audited.jsonl")]) == 2
    printed = capsys.readouterr().out
    assert printed.startswith("refused: ")
    assert printed.isascii()
    assert "\x1b" not in printed


@pytest.mark.parametrize("number", ["1e999999999", "1E-999999999", "9" * 5_000])
def test_a_number_that_fills_the_memory_is_not_computed_with(verifier, number):
    record = record_of("So 3 * 4 = 12.")
    record["segments"][0]["content"] += f" {number}"
    assert {reason for _, reason in verifier.check_record(record)} == {""}
    finding = next(finding for segment in record["segments"] for finding in segment["evidence"] if "proof" in finding)
    finding["proof"]["left"] = [number]
    assert next(verifier.check_record(record))[1] == "a number is too long"


def test_a_hostile_proof_is_refused_and_breaks_nothing(verifier):
    record = record_of("So 3 * 4 = 12.")
    finding = next(finding for segment in record["segments"] for finding in segment["evidence"] if "proof" in finding)
    deep = "3"
    for _ in range(400):
        deep = ["neg", deep]
    for formula in (["^", ["^", "3", "4"], ["^", "12", "12"]], ["!", "12"], deep, ["eval", "3"], [], None, {}):
        finding["proof"]["left"] = [formula]
        assert next(verifier.check_record(record))[1]
