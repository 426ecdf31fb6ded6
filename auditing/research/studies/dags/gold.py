"""Gold graphs of DAG-MATH in three stages, in reverse order: nodes -> parents -> edges, each stage checked.

1. Nodes from problem and solution. Checked: the last one states the gold answer, no checker refutes one, and the model
   as a judge finds none wrong; otherwise they are drawn again. 2. Minimal direct parents of each node. Checked: they
   stand before it, and every node but the last is used; otherwise they are drawn again, and what leads nowhere is
   pruned in the end. 3. The justification of each node. Checked: it cites every parent as "Step k" and no other step.
Source: DAG-MATH, section 4.1 and appendix D.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditing.checker.answers import same_answer
from auditing.research.studies.instruments.dag_model import (
    ASK_CHECK,
    ASK_EDGES,
    ASK_NODES,
    ASK_PARENTS,
    NODE_LIST,
    PARENTS,
    TEXT,
    Drawn,
    ask_model,
    backward,
    places_of,
)
from auditing.research.studies.instruments.examination import examine
from hdag.chat.client import ChatClient
from hdag.core.errors import HdagError
from hdag.core.metrics import measure_steps
from hdag.readers.records import read_record

__all__ = ["TRIES", "GoldGraph", "Task", "build_gold", "uncited"]

TRIES = 3  # how often a stage is drawn again before the best that came is taken
_CITED = re.compile(r"\bsteps?\s+(\d{1,4}(?:(?:,\s*|\s+and\s+|,\s+and\s+)\d{1,4}){0,60})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Task:
    """A problem with its worked solution and its right answer, asked on `account`."""

    client: ChatClient
    account: str
    problem: str
    solution: str
    answer: str


@dataclass(frozen=True, slots=True)
class GoldGraph:
    """A gold graph, nodes pruned from it, how often nodes were drawn, and what the last check still found wrong."""

    drawn: Drawn
    pruned: int
    tries: int
    faults: tuple[str, ...]

    @property
    def is_gold(self) -> bool:
        """Whether every check passed."""
        return not self.faults

    def as_json(self) -> dict[str, Any]:
        """Values for a kept piece."""
        return {"drawn": self.drawn.as_json(), "pruned": self.pruned, "tries": self.tries, "faults": self.faults}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "GoldGraph":
        """What as_json gave."""
        return cls(Drawn.from_json(values["drawn"]), values["pruned"], values["tries"], tuple(values["faults"]))


def build_gold(*, task: Task) -> GoldGraph | None:
    """The gold graph of a task; None when a stage gives no usable answer."""
    checked = _checked_nodes(task)
    if checked is None:
        return None
    nodes, tries, faults = checked
    parents = _closed_parents(task, nodes)
    if parents is None:
        return None
    # What nothing uses after three draws is no gold: it goes before anybody has to justify it.
    nodes, parents, pruned = _prune(nodes, parents)
    edges = _edges(task, nodes, parents)
    if edges is None:
        return None
    return GoldGraph(Drawn(tuple(nodes), tuple(parents), tuple(edges), nodes[-1]), pruned, tries, faults)


def uncited(*, parents: Sequence[Sequence[int]], edges: Sequence[str]) -> tuple[str, ...]:
    """What is wrong with the citations of each edge: parents (from 0) that it does not name, steps that are none.

    >>> uncited(parents=[(), (0,)], edges=["By the problem.", "Adding."])
    ('edge 2 does not cite Step 1',)
    """
    faults = []
    for number, (premises, edge) in enumerate(zip(parents, edges, strict=True), start=1):
        named = {int(digits) for group in _CITED.findall(edge) for digits in re.findall(r"\d+", group)}
        wanted = {premise + 1 for premise in premises}
        faults += [f"edge {number} does not cite Step {step}" for step in sorted(wanted - named)]
        # Its own number is no premise: "Step 4 follows from Step 3".
        faults += [f"edge {number} cites Step {step}, no parent" for step in sorted(named - wanted - {number})]
    return tuple(faults[:5])


def _checked_nodes(task: Task) -> tuple[list[str], int, tuple[str, ...]] | None:
    """(nodes, draws, faults): the first set without a fault, or the one with the fewest."""
    best: tuple[list[str], tuple[str, ...]] | None = None
    asked_about = {"problem": task.problem, "solution": task.solution}
    for sample in range(TRIES):
        asked = ("dag_nodes", ASK_NODES, asked_about)
        answer = ask_model(task.client, asked, {"nodes": NODE_LIST}, lambda data: (), task.account, sample)
        if answer is None:
            continue
        faults = _faults_of(task, answer["nodes"], sample)
        # Never thrown away: a graph with named faults tells a reader more than none.
        best = min(best or (answer["nodes"], faults), (answer["nodes"], faults), key=lambda pair: len(pair[1]))
        if not faults:
            return answer["nodes"], sample + 1, ()
    return None if best is None else (best[0], TRIES, best[1])


def _faults_of(task: Task, nodes: Sequence[str], sample: int) -> tuple[str, ...]:
    """The answer first, which costs nothing; then the checkers; a judge is asked where both are content."""
    if not same_answer(first=nodes[-1], second=task.answer):
        return ("the last node does not state the right answer",)
    if refuted := _refuted(task.problem, nodes):
        return tuple(f"node {number} is refuted by a checker" for number in refuted)
    asked_about = {"problem": task.problem, "nodes": list(nodes)}
    asked = ("dag_check", ASK_CHECK, asked_about)
    judged = ask_model(task.client, asked, {"wrong": PARENTS}, lambda data: (), task.account, sample)
    if judged is None:
        return ("no judge answered",)
    return tuple(f"node {number} is wrong, says a judge" for number in judged["wrong"] if number <= len(nodes))


def _refuted(problem: str, nodes: Sequence[str]) -> list[int]:
    """Numbers from 1 of nodes that a checker refutes with certainty."""
    try:
        trace = read_record({"problem": problem, "steps": list(nodes)}, where="nodes")
        return [index + 1 for index in sorted(examine(trace=trace).failed_steps)]
    # What cannot be read as a trace is left to the judge.
    except HdagError:
        return []


def _closed_parents(task: Task, nodes: Sequence[str]) -> list[tuple[int, ...]] | None:
    """Drawn again while the graph is not closed; the closest one counts."""
    one_list_a_node = {"type": "array", "minItems": len(nodes), "maxItems": len(nodes), "items": PARENTS}
    asked_about = {"problem": task.problem, "nodes": list(nodes)}
    best: tuple[float, list[tuple[int, ...]]] | None = None
    for sample in range(TRIES):
        answer = ask_model(
            task.client,
            ("dag_parents", ASK_PARENTS, asked_about),
            {"parents": one_list_a_node},
            lambda data: backward(data["parents"]),
            task.account,
            sample,
        )
        if answer is None:
            continue
        parents = list(places_of(answer["parents"]))
        closeness = measure_steps(steps=Drawn(tuple(nodes), tuple(parents), (), "").steps).closeness
        # The first of equally closed graphs stays.
        best = max(best or (-1.0, parents), (closeness, parents), key=lambda pair: pair[0])
        if closeness == 1:
            break
    return best[1] if best else None


def _prune(nodes: Sequence[str], parents: Sequence[tuple[int, ...]]) -> tuple[list[str], list[tuple[int, ...]], int]:
    """Only the sink and its ancestors, renumbered."""
    living = Drawn(tuple(nodes), tuple(parents), (), "").steps.ancestors()
    living_nodes = [index for index in range(len(nodes)) if str(index + 1) in living]
    new_index = {old: new for new, old in enumerate(living_nodes)}
    return (
        [nodes[index] for index in living_nodes],
        [tuple(new_index[p] for p in parents[index]) for index in living_nodes],
        len(nodes) - len(living_nodes),
    )


def _edges(task: Task, nodes: Sequence[str], parents: Sequence[tuple[int, ...]]) -> list[str] | None:
    steps = [
        {"step": index + 1, "node": node, "parents": [parent + 1 for parent in premises]}
        for index, (node, premises) in enumerate(zip(nodes, parents, strict=True))
    ]
    texts = {"type": "array", "minItems": len(nodes), "maxItems": len(nodes), "items": TEXT}
    asked_about = {"problem": task.problem, "steps": steps}
    answer = ask_model(
        task.client,
        ("dag_edges", ASK_EDGES, asked_about),
        {"edges": texts},
        lambda data: uncited(parents=parents, edges=data["edges"]),
        task.account,
        0,
    )
    return None if answer is None else list(answer["edges"])
