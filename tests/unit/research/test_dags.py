"""DAG-MATH beyond one trace: gold in three checked stages, the graph of a task, competitions, difficulty."""

import json

import pytest

from auditing.research.studies.dags.difficulty import by_difficulty, competition_problems, problem_of
from auditing.research.studies.dags.gold import Task, build_gold, uncited
from auditing.research.studies.dags.task_graph import merge_traces, task_tables
from auditing.research.studies.instruments.dag_model import Drawn
from auditing.research.studies.instruments.labelled import DataMissingError
from hdag.chat.address import read_allowlist
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings
from hdag.core.metrics import measure_steps
from tests.doubles.chat_server import run_server

PROBLEM = "Anna has 3 pens and buys 4 more, twice. How many has she?"


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


def gold(server, solution, answer):
    """Built by a double that gives the lines of the solution as nodes, each from the one before but the second."""
    endpoint = EndpointSettings("loopback", server.url("oracle"), "m-1")
    with ChatClient(endpoint, allowed=read_allowlist(server.origin)) as client:
        return build_gold(task=Task(client, "test", PROBLEM, solution, answer))


def test_gold_whose_nodes_hold_is_pruned_to_what_leads_to_the_answer(server):
    built = gold(server, "She buys pens.\n3 + 4 = 7.\n7 + 4 = 11.\nThe answer is 11.", "11")
    assert (built.is_gold, built.tries, built.pruned) == (True, 1, 1)
    assert built.drawn.nodes == ("3 + 4 = 7.", "7 + 4 = 11.", "The answer is 11.")
    assert built.drawn.parents == ((), (0,), (1,))
    assert uncited(parents=built.drawn.parents, edges=built.drawn.edges) == ()


@pytest.mark.parametrize(
    ("solution", "answer", "fault"),
    [
        ("3 + 4 = 8.\nThe answer is 11.", "11", "node 1 is refuted by a checker"),
        ("3 + 4 = 7.\nThe answer is 7.", "11", "the last node does not state the right answer"),
    ],
)
def test_nodes_that_fail_a_check_are_drawn_again_and_never_called_gold(server, solution, answer, fault):
    built = gold(server, solution, answer)
    assert (built.is_gold, built.tries, built.faults) == (False, 3, (fault,))


def test_an_edge_cites_each_parent_and_nothing_else():
    parents = [(), (0,), (0, 1)]
    assert uncited(parents=parents, edges=["Given.", "By Step 1.", "Adding Steps 1 and 2 gives Step 3."]) == ()
    assert uncited(parents=parents, edges=["By Step 1.", "By step 12.", "By Step 1."]) == (
        "edge 2 does not cite Step 1",
        "edge 2 cites Step 12, no parent",
        "edge 3 does not cite Step 2",
    )


def drawn(*rows):
    return Drawn(tuple(text for text, _ in rows), tuple(parents for _, parents in rows), (), "")


def test_traces_of_one_task_meet_where_they_say_the_same():
    """Two right traces, one of them with a remark that nobody uses, and a wrong one that shares the first sum."""
    start = ("The sum of 3 and 4 is 7.", ())
    straight = drawn(start, ("Then 7 + 4 = 11.", (0,)), ("The answer is 11.", (1,)))
    wordy = drawn(("So the sum of 3 and 4 is 7.", ()), ("Pens are blue.", ()), ("11 is it.", (0,)))
    wrong = drawn(start, ("The answer is 12.", (0,)))
    graph = merge_traces(traces=[straight, wordy, wrong], right=[True, True, False])
    assert [node.text for node in graph.nodes] == [
        "The sum of 3 and 4 is 7.",
        "Then 7 + 4 = 11.",
        "The answer is 11.",
        "Pens are blue.",
        "The answer is 12.",
    ]
    assert [sorted(node.traces) for node in graph.nodes] == [[0, 1, 2], [0], [0, 1], [1], [2]]
    assert graph.on_the_way == {0, 1, 2}
    assert sorted(graph.nodes[2].parents) == [0, 1]
    assert graph.classes == {"perfect": 1, "imperfect": 1, "wrong": 1}
    over, nodes = task_tables({"p": graph})
    assert list(over.rows[0]) == ["p", 3, 5, 2, 4, 3, 1, 1, 1, 1, 0]
    assert [row[4] for row in nodes.rows] == ["yes", "yes", "right answer", "no", "wrong answer"]


def test_an_edge_that_would_close_a_circle_is_dropped():
    one = drawn(("A holds.", ()), ("B holds, too.", (0,)), ("1.", (1,)))
    other = drawn(("B holds, too.", ()), ("A holds.", (0,)), ("1.", (1,)))
    graph = merge_traces(traces=[one, other], right=[True, True])
    assert (len(graph.nodes), graph.dropped) == (3, 1)


@pytest.mark.parametrize(
    "record",
    [
        {"problem_idx": 1, "problem": "What is 3 + 4?", "answer": 7},  # MathArena
        {"ID": "2024-I-1", "Problem": "What is 3 + 4?", "Solution": "Add.", "Answer": 7},
        {"id": 60, "problem": "What is 3 + 4?", "solution": "Add.", "answer": "7", "url": "u", "year": "2024"},
        {"problem": "What is 3 + 4?", "solution": "Add.", "answer": "7", "difficulty": 4.5, "source": "s"},
    ],
)
def test_problems_of_competitions_are_read_as_published(record):
    problem = problem_of(record)
    assert (problem["question"], problem["answer"].rpartition("####")[2].strip()) == ("What is 3 + 4?", "7")
    assert problem["difficulty"] == ("5" if "difficulty" in record else "")


def test_a_competition_is_read_from_its_folder(tmp_path):
    (tmp_path / "aime_2025").mkdir()
    lines = [{"problem": "What is 3 + 4?", "answer": 7}, {"problem": "No answer?"}]
    (tmp_path / "aime_2025" / "train.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert len(competition_problems(name="aime_2025", data=tmp_path)) == 1
    with pytest.raises(DataMissingError, match="brumo_2025 is not in"):
        competition_problems(name="brumo_2025", data=tmp_path)


def test_statistics_stand_in_groups_of_difficulty():
    small = measure_steps(steps=drawn(("a", ()), ("b", (0,))).steps)
    large = measure_steps(steps=drawn(("a", ()), ("b", ()), ("c", (0,))).steps)
    (table,) = by_difficulty([("10", large, False), ("2", small, True), ("2", large, True), ("", small, True)])
    cells = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(cell["difficulty"], cell["traces"], cell["nodes, median"]) for cell in cells] == [(2, 2, 2.5), (10, 1, 3)]
    assert [(cell["PASS@1"], cell["R"]) for cell in cells] == [(1.0, 0.5), (0.0, 0.0)]
    assert [(cell["quarter below"], cell["quarter above"]) for cell in cells] == [(2.25, 2.75), (3, 3)]
    assert by_difficulty([("", small, True)]) == []
