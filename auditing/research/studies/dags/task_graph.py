"""The graph of a task over several traces: what they conclude in common, where they part, where they end.

Nodes of different traces are one node when they say the same: the same words, or the same last value in words of which
half are shared; all right answers are one sink. Source: DAG-MATH, section 2.1 and figure 2, which its authors drew by
hand.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auditing.research.causal.core.interventions import NUMBER, number_of
from auditing.research.causal.core.similarity import overlap, words
from auditing.research.studies.instruments.dag_model import Drawn
from auditing.research.studies.instruments.runner import Cell, Table

__all__ = ["TaskGraph", "TaskNode", "merge_traces", "node_table", "task_table", "task_tables"]

ALIKE = 0.5  # share of words of two conclusions with the same value
MOST_ROWS = 60


@dataclass(slots=True)
class TaskNode:
    """A conclusion, the traces (from 0) that reach it, and the nodes that it is drawn from."""

    text: str
    traces: set[int] = field(default_factory=set)
    parents: set[int] = field(default_factory=set)
    ends: str = ""  # "right" or "wrong" for a sink


@dataclass(frozen=True, slots=True)
class TaskGraph:
    """Nodes in the order in which they were first reached; `dropped` edges would have closed a circle."""

    nodes: tuple[TaskNode, ...]
    dropped: int
    classes: Mapping[str, int]  # perfect, imperfect, wrong

    @property
    def on_the_way(self) -> frozenset[int]:
        """Nodes that the right answer rests on, itself included."""
        return _ancestors(self.nodes, {number for number, node in enumerate(self.nodes) if node.ends == "right"})


def merge_traces(*, traces: Sequence[Drawn], right: Sequence[bool]) -> TaskGraph:
    """One graph of N traces of a problem; `right` says which answers are."""
    nodes: list[TaskNode] = []
    classes, dropped = Counter[str](), 0
    for number, (drawn, is_right) in enumerate(zip(traces, right, strict=True)):
        reached: list[int] = []
        for step, (text, parents) in enumerate(zip(drawn.nodes, drawn.parents, strict=True)):
            ends = ("right" if is_right else "wrong") if step == len(drawn.nodes) - 1 else ""
            index = _place(nodes, text, ends)
            nodes[index].traces.add(number)
            for parent in {reached[p] for p in parents} - {index}:
                # Two traces may draw A from B and B from A: the first stays.
                if index in _ancestors(nodes, {parent}):
                    dropped += 1
                else:
                    nodes[index].parents.add(parent)
            reached.append(index)
        classes[_class_of(drawn, is_right)] += 1
    return TaskGraph(tuple(nodes), dropped, classes)


def task_table(*, graphs: Mapping[str, TaskGraph]) -> Table:
    """One row a problem."""
    rows: list[list[Cell]] = []
    for name, graph in graphs.items():
        edges = sum(len(node.parents) for node in graph.nodes)
        shared = sum(len(node.traces) > 1 for node in graph.nodes)
        ends = Counter(node.ends for node in graph.nodes)
        classes = [graph.classes.get(word, 0) for word in ("perfect", "imperfect", "wrong")]
        counts = (len(graph.nodes), shared, edges, len(graph.on_the_way), ends["wrong"])
        rows.append([name, sum(classes), *counts, *classes, graph.dropped])
    columns = (
        *("problem", "traces", "nodes", "in several traces", "edges", "on the way to the right answer"),
        *("wrong ends", "perfect", "imperfect", "wrong", "edges dropped"),
    )
    note = "Perfect: right, and every node is used; imperfect: right, with unused nodes. An edge that would close a "
    return Table("Task graphs over the traces of a problem", columns, rows, f"{note}circle is dropped.")


def node_table(*, name: str, graph: TaskGraph) -> Table:
    """The graph of one problem, node by node."""
    leads = graph.on_the_way
    rows: list[list[Cell]] = []
    for number, node in enumerate(graph.nodes[:MOST_ROWS]):
        parents = " ".join(str(parent + 1) for parent in sorted(node.parents))
        traces = " ".join(str(trace + 1) for trace in sorted(node.traces))
        end = f"{node.ends} answer" if node.ends else "yes" if number in leads else "no"
        rows.append([number + 1, node.text[:200], traces, parents, end])
    columns = ("node", "conclusion", "traces", "drawn from", "leads to the right answer")
    more = f"The first {MOST_ROWS} of {len(graph.nodes)} nodes." if len(graph.nodes) > MOST_ROWS else ""
    return Table(f"Task graph of {name}", columns, rows, more)


def task_tables(merged: Mapping[str, TaskGraph]) -> list[Table]:
    """Of every problem, and node by node of the one with the most traces."""
    most = max(merged, key=lambda name: sum(merged[name].classes.values()), default=None)
    return [task_table(graphs=merged), *([node_table(name=most, graph=merged[most])] if most is not None else [])]


def _class_of(drawn: Drawn, is_right: bool) -> str:
    if not is_right:
        return "wrong"
    used = {parent for parents in drawn.parents for parent in parents}
    return "perfect" if used.issuperset(range(len(drawn.nodes) - 1)) else "imperfect"


def _place(nodes: list[TaskNode], text: str, ends: str) -> int:
    """Where this conclusion stands; it is added where nobody reached it before."""
    for index, node in enumerate(nodes):
        # All right answers are one sink, however they are worded; wrong ones differ by what they say.
        if node.ends == ends and (ends == "right" or _says_the_same(node.text, text)):
            return index
    nodes.append(TaskNode(text, ends=ends))
    return len(nodes) - 1


def _says_the_same(first: str, second: str) -> bool:
    # "So 3 + 4 = 7" and "3 + 4 = 7" are one conclusion; "7 pens" and "7 pencils are red" are not.
    a, b = words(first), words(second)
    if a == b:
        return True
    return _values(first) == _values(second) != [] and overlap(a, b) >= ALIKE


def _values(text: str) -> list[object]:
    # The last number of a conclusion is its result, as a rule.
    return [number_of(number) for number in NUMBER.findall(text)[-1:]]


def _ancestors(nodes: Sequence[TaskNode], start: set[int]) -> frozenset[int]:
    reached, waiting = set(start), list(start)
    while waiting:
        new = nodes[waiting.pop()].parents - reached
        reached |= new
        waiting += new
    return frozenset(reached)
