"""Values do not change once they are made; the few classes that do are named here."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = (
    "auditing/checker",
    "auditing/core",
    "auditing/selectors",
    "auditing/services",
    "auditing/translog",
    "auditing/research/*/core",
    "auditing/research/*/selectors",
    "hdag/core",
)
GATHER = {  # while they read, compute or hold a connection
    "AnswerTally", "Beside", "Chain", "Equation", "EquationSystem", "Examined", "Happening", "Knowledge", "Known",
    "Load", "ModelEntailment", "Past", "Reading", "Row", "Script", "Sequencer", "Source", "Survey", "Watched",
    "WithHoles", "Page", "Passage", "Witnesses", "Words", "Described",
}  # fmt: skip
WITH_A_DICTIONARY = {
    "Chain",
    "Graph",
    "Report",
    "SigningKey",
    "TextKeeper",
    "Tie",
    "VoteLine",
}  # for what is computed once and kept


def marks() -> list[tuple[str, str, dict[str, object]]]:
    """File, class and the words of its decorator, of every dataclass."""
    rows = []
    for path in sorted(path for floor in FLOORS for path in ROOT.glob(f"{floor}/**/*.py")):
        source = path.read_text()
        nodes = ast.walk(ast.parse(source)) if "dataclass" in source else ()
        for node in (node for node in nodes if isinstance(node, ast.ClassDef)):
            for mark in node.decorator_list:
                call = mark.func if isinstance(mark, ast.Call) else mark
                if isinstance(call, ast.Name) and call.id == "dataclass":
                    words = mark.keywords if isinstance(mark, ast.Call) else []
                    rows.append((path.name, node.name, {str(word.arg): ast.literal_eval(word.value) for word in words}))
    return rows


def test_a_value_is_frozen_and_has_slots_unless_it_is_named_here() -> None:
    rows = marks()
    assert len(rows) > 300
    for file, name, words in rows:
        assert all(words.values()), (file, name)
        assert words.get("frozen") or name in GATHER, (file, name)
        assert words.get("slots") or name in WITH_A_DICTIONARY or not words, (file, name)
