"""Proofs of brackets, quotations and answers: written, re-checked, and refused where they lie."""

import json
from typing import Any

import pytest

from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import RefusedError, check_finding, check_record
from hdag.readers.records import read_record

DYCK = "Complete the rest of the sequence. Input: [ { ( ) <"
READ = ["stack: empty", "[ ; stack: [", "{ ; stack: [ {", "( ; stack: [ { (", ") ; stack: [ {", "< ; stack: [ { <"]
END = 'Now, we have reached the end. The final stack is "[ { <".'
POP = 'We will need to pop out "<", "{", "[" one by one in that order. So, we need ">", "}", "]".'
BALLS = "Tom has 3 red balls and 5 blue balls in a box. How many balls are there?"
# the problem, the steps, and what the last step is found to be
TOLD = {
    "a push": (DYCK, READ, "verified"),
    "a wrong push": (DYCK, [*READ[:-1], "< ; stack: [ <"], "refuted"),
    "a pop of nothing": (DYCK, [*READ[:3], ") ; stack: ["], "refuted"),
    "a bracket out of turn": (DYCK, [*READ[:2], "( ; stack: [ ("], "refuted"),
    "an early end": (DYCK, [*READ[:3], 'Now, we have reached the end. The final stack is "[ {".'], "refuted"),
    "a final stack": (DYCK, [*READ, END], "verified"),
    "another final stack": (DYCK, [*READ, END.replace("{ <", "<")], "refuted"),
    "what closes it": (DYCK, [*READ, END, POP, "So the answer is > } ]"], "verified"),
    "a wrong order": (DYCK, [*READ, END, POP.replace('"<", "{"', '"{", "<"')], "refuted"),
    "other closers": (DYCK, [*READ, END, POP.replace('"}"', '")"')], "refuted"),
    "what closes it, said at once": (DYCK, [*READ, END, 'So, we need ">", "}", "]".'], "verified"),
    "a second bracket out of turn": ("Input: [ { ) <", [*READ[:2], "( ; stack: [ (", ") ; stack: ["], "refuted"),
    "another answer": (DYCK, [*READ, END, POP, "So the answer is > ] }"], "refuted"),
    "a quotation": (BALLS, ['The problem says "Tom has 3 red balls and 5 blue balls".'], "verified"),
    "a misquotation": (BALLS, ['The problem says "Tom has 3 red balls and 6 blue balls".'], "refuted"),
}

# a right step, the proof that is said to refute it, and the words of the refusal
LIES = {
    "another bracket": (
        "( ; stack: [ (",
        {"kind": "brackets", "move": "moved", "before": "[{", "said": "[(", "texts": ["[ ; stack: ["]},
        "another bracket was read",
    ),
    "a quotation that nobody wrote": (
        'The problem says "Tom has 3 red balls and 5 blue balls".',
        {
            "kind": "quotation",
            "quote": "Tom has 4 red balls and 5 blue balls",
            "texts": ["Tom has 3 red balls and 5 blue balls"],
        },
        "the quotation stands nowhere",
    ),
    "a quotation of another sentence": (
        'The problem says "How many balls are there in all".',
        {
            "kind": "quotation",
            "quote": "How many balls are there in all",
            "texts": ["Tom has 3 red balls and 5 blue balls"],
        },
        "other words stand there",
    ),
}


def record_of(problem: str, steps: list[str]) -> dict[str, Any]:
    trace = read_record({"id": "t", "problem": problem, "steps": steps}, where="test")
    return json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))


def proved(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [found for segment in record["segments"] for found in segment["evidence"] if "proof" in found]


@pytest.mark.parametrize("name", TOLD)
def test_a_proof_is_written_and_holds(name):
    problem, steps, verdict = TOLD[name]
    record = record_of(problem, steps)
    assert {(found["verdict"], found["grade"]) for found in record["segments"][-1]["evidence"] if "proof" in found} >= {
        (verdict, "certain")
    }
    assert {reason for _, reason in check_record(record)} == {""}


@pytest.mark.parametrize("name", TOLD)
@pytest.mark.parametrize("change", ["verdict", "said", "before", "texts", "quote"])
def test_a_proof_that_was_tampered_with_is_refused(name, change):
    record = record_of(*TOLD[name][:2])
    for found in proved(record):
        proof = found["proof"]
        if change == "verdict":
            found["verdict"] = "refuted" if found["verdict"] == "verified" else "verified"
        elif change == "texts":
            proof["texts"] = ["nobody said so"]
        elif change in proof:
            proof[change] += "<<<" if change != "quote" else " and 4 green ones"
        else:
            del proof["kind"]
    assert all(reason for _, reason in check_record(record))


@pytest.mark.parametrize("name", LIES)
def test_a_right_step_is_not_refuted_by_a_lie(name):
    step, proof, reason = LIES[name]
    evidence = {"verdict": "refuted", "read": step, "details": {}, "start": 0, "end": len(step)}
    texts = " ".join(["[ ; stack: [", BALLS, step])
    with pytest.raises(RefusedError, match=reason):
        check_finding({**evidence, "proof": {"version": 1, **proof}}, step, texts)


@pytest.mark.parametrize(
    ("thinking", "answer", "verdict", "grade"),
    [
        ("The answer is 7.", "The answer is 8 apples.", "refuted", "certain"),
        ("The answer is 7.", "7", "verified", "certain"),
        ("The answer is 3.33.", "10/3", "verified", "certain"),
        # nobody re-checks units here
        ("The answer is 5 m.", "5 km", "refuted", "likely"),
    ],
)
def test_an_answer_is_held_against_the_result_with_a_proof(thinking, answer, verdict, grade):
    trace = read_record({"id": "t", "problem": "Work.", "thinking": thinking, "answer": answer}, where="test")
    record = json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))
    (found,) = (
        found for segment in record["segments"] for found in segment["evidence"] if found["checker"] == "provenance"
    )
    assert (found["verdict"], found["grade"], "proof" in found) == (verdict, grade, grade == "certain")
    assert {reason for _, reason in check_record(record)} <= {""}


def test_a_final_stack_that_holds_what_closed_nothing_is_told_as_it_is():
    steps = [
        "stack: empty",
        "> ; stack: >",
        "[ ; stack: > [",
        'Now, we have reached the end. The final stack is "> [".',
    ]
    last = record_of("Input: > [", steps)["segments"][-1]["evidence"]
    assert {found["verdict"] for found in last if found["checker"] == "brackets"} == {"verified"}
