"""Records of the public sets of RADO, in the form in which each is published, become problems with a gold answer."""

import json
from pathlib import Path

import pytest

from auditing.research.rado.policy_sampling import read_problems
from auditing.research.rado.public_problems import PUBLIC_SETS, as_problem

MMLU_PRO = Path("../shared/data/mmlu_pro_cot_sample/cot_gemini-1.5-flash-002.jsonl")
RECORDS = {
    "FinQA": (
        {
            "pre_text": ["Before ."],
            "post_text": ["After ."],
            "table": [["", "2009"], ["net sales", "137"]],
            "qa": {"question": "what was the change?", "exe_ans": 0.14184, "answer": "14.2%"},
        },
        ("Before .\n\n | 2009\nnet sales | 137\n\nAfter .\n\nwhat was the change?", "0.14184"),
    ),
    "PubMedQA (published)": (
        {"QUESTION": "Does it help?", "CONTEXTS": ["Aim.", "Result."], "final_decision": "maybe", "LONG_ANSWER": "x"},
        ("Aim.\n\nResult.\n\nDoes it help? Answer yes, no or maybe.", "maybe"),
    ),
    "PubMedQA": (
        {"question": "Does it?", "context": {"contexts": ["Aim."]}, "long_answer": "x", "final_decision": "no"},
        ("Aim.\n\nDoes it? Answer yes, no or maybe.", "no"),
    ),
    "MedQA": (
        {"question": "Which drug?", "answer": "two", "options": {"A": "one", "B": "two"}, "answer_idx": "B"},
        ("Which drug?\nA. one\nB. two", "B"),
    ),
    "MMLU-Pro": (
        {"question": "Which?", "options": ["one", "two"], "answer": "A", "answer_index": 0, "category": "law"},
        ("Which?\nA. one\nB. two", "A"),
    ),
    "MMLU": (
        {"question": "2 + 2?", "choices": ["3", "4", "5", "6"], "answer": 1, "subject": "algebra"},
        ("2 + 2?\nA. 3\nB. 4\nC. 5\nD. 6", "B"),
    ),
    "LegalBench": (
        {"index": "0", "contract": "A clause.", "question": "Is it one?", "answer": "Yes", "slice": ""},
        ("contract: A clause.\n\nquestion: Is it one?", "Yes"),
    ),
}


@pytest.mark.parametrize("name", PUBLIC_SETS)
def test_a_record_of_each_set_becomes_a_problem_with_its_gold_answer(name):
    record, (problem, gold) = RECORDS[name]
    assert as_problem(record) == {"problem": problem, "gold": gold}
    assert [(entry.text, entry.gold) for entry in read_problems(records=[record])] == [(problem, gold)]


def test_one_column_of_a_legal_task_stands_alone_and_a_given_response_stays():
    record = {"index": "1", "text": "The claim.", "answer": "No", "response": "I say no."}
    problem = as_problem({key: value for key, value in record.items() if key != "response"})
    assert problem["problem"] == "The claim."
    medical = as_problem({**RECORDS["MedQA"][0], "responses": ["B", "A"]})
    assert medical["responses"] == ["B", "A"]


def test_a_broken_record_is_named_with_its_set_and_number():
    broken = {**RECORDS["FinQA"][0], "qa": {"question": "?"}}
    with pytest.raises(ValueError, match="record 2: is no record of FinQA: 'answer'"):
        read_problems(records=[RECORDS["MMLU"][0], broken])
    with pytest.raises(ValueError, match="record 1: problem is missing"):
        read_problems(records=[{"something": "else"}])


@pytest.mark.skipif(not MMLU_PRO.exists(), reason="../shared/data is not here")
def test_a_whole_public_file_is_read_with_its_responses():
    records = [json.loads(line) for line in MMLU_PRO.read_text().splitlines()]
    problems = read_problems(records=records)
    assert sum(len(problem.responses) for problem in problems) == len(records) == 309
    assert {problem.gold for problem in problems} <= set("ABCDEFGHIJ")
