"""The benchmark of foreign solutions reads files as their authors wrote them, and finds the error where they put it."""

import json
from pathlib import Path

from benchmarks.foreign import cases, solutions


def test_the_first_line_that_differs_is_the_error_and_each_original_stands_once(tmp_path: Path) -> None:
    original = "He has 2 + 3 = 5 boxes.\n5 * 4 = 20 pens.\n#### 20"
    rows = [
        {"question": "How many?", "original_solution": original, "transformed_solution": text, "wrong_step": 1}
        for text in (original.replace("= 20 pens", "= 25 pens"), original.replace("= 5 boxes", "= 6 boxes"))
    ]
    folder = tmp_path / "generated_cases_GSM8K" / "calculation_error" / "calculation_error_100"
    folder.mkdir(parents=True)
    (folder / "generated_cases_clean.jsonl").write_text("\n".join(map(json.dumps, rows)))
    read = [(case.source, case.error, len(case.steps)) for case in cases(tmp_path)]
    assert read == [
        ("calculation_error", 1, 2),
        ("originals, generated_cases_GSM8K", None, 2),
        ("calculation_error", 0, 2),
    ]


def test_a_solution_is_read_paragraph_by_paragraph(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps({"problem": "Find x.", "solution": "Let $x = 2$.\n\nThen\n$x + 1 = 3$."}) + "\n")
    assert [case.steps for case in solutions(path)] == [["Let $x = 2$.", "Then\n$x + 1 = 3$."]]
