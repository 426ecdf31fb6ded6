"""DAG-MATH by an endpoint: sampled traces in its format, what is asked for gold, why a node is left unused.

Source: DAG-MATH, section 4.1 and appendices B and D.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from auditing.research.causal.core.interventions import NUMBER, number_of
from auditing.research.causal.core.similarity import words
from hdag.chat.client import ChatClient
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_question
from hdag.chat.question import Question, closed_object
from hdag.core.steps import StepGraph

TEXT = {"type": "string", "minLength": 1, "maxLength": 2000}
PARENTS = {"type": "array", "maxItems": 60, "items": {"type": "integer", "minimum": 1}}
NODE_LIST = {"type": "array", "minItems": 1, "maxItems": 200, "items": TEXT}
_STEP = closed_object({"edge": TEXT, "parents": PARENTS, "node": TEXT})
_SAMPLED = {"steps": {"type": "array", "minItems": 1, "maxItems": 200, "items": _STEP}, "answer": TEXT}
_SAMPLE = """Solve `problem` in steps. Each step has `edge`, why it follows; `parents`, the numbers (from 1) of the \
earlier steps that it directly uses, empty when it uses the problem or general knowledge alone; and `node`, its one \
conclusion. Write no step that the answer does not rest on. The last node states the final answer; `answer` is that \
answer alone."""
ASK_NODES = """Give the conclusions of a complete solution of `problem`, in order, following `solution`: each one \
sentence with a single mathematical or logical assertion. The last one states the final answer."""
ASK_PARENTS = """`nodes` are the conclusions of a solution of `problem`, numbered from 1. For each node in order give \
the minimal set of earlier nodes from which it follows in one step, empty when it comes from the problem or general \
knowledge alone. Every node but the last must be used by a later one."""
ASK_CHECK = """`nodes` are the conclusions of a solution of `problem`, numbered from 1. Check each one: does it follow \
from the problem, the nodes before it and general knowledge, and is what it computes right? Give the numbers of those \
that are wrong as `wrong`, none if all are right."""
ASK_EDGES = """For each node of `steps` (a solution of `problem`) write in one or two sentences how it follows from \
its parents alone, naming them as Step k; bring in nothing that stands neither in the problem nor in the parents."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A trace in DAG-MATH form: the conclusions, their premises, the justifications, the final answer."""

    nodes: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]  # places from 0
    edges: tuple[str, ...]
    answer: str

    @property
    def steps(self) -> StepGraph:
        """The graph; nodes are called 1, 2 and so on."""
        node_names = [str(index + 1) for index in range(len(self.nodes))]
        return StepGraph(
            tuple(node_names),
            {
                node_name: tuple(node_names[p] for p in some)
                for node_name, some in zip(node_names, self.parents, strict=True)
            },
            node_names[-1],
        )

    def as_json(self) -> dict[str, Any]:
        """Values for a kept piece."""
        return {"nodes": self.nodes, "parents": self.parents, "edges": self.edges, "answer": self.answer}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Drawn":
        """What as_json gave."""
        return cls(
            tuple(values["nodes"]), tuple(map(tuple, values["parents"])), tuple(values["edges"]), values["answer"]
        )


def sample_trace(*, client: ChatClient, problem: str, sample: int, account: str) -> Drawn | None:
    """One sampled trace; None when the model gives none that keeps to the format."""

    def check(data: dict[str, Any]) -> tuple[str, ...]:
        return backward([step["parents"] for step in data["steps"]])

    answer = ask_model(client, ("dag_sample", _SAMPLE, {"problem": problem}), _SAMPLED, check, account, sample)
    if answer is None:
        return None
    steps = answer["steps"]
    return Drawn(
        tuple(step["node"] for step in steps),
        places_of([step["parents"] for step in steps]),
        tuple(step["edge"] for step in steps),
        answer["answer"],
    )


CAUSES = (
    "information of the problem that nothing uses",
    "used without being cited",
    "part of another strategy",
    "stated and used silently",
    "commentary",
)


def why_unclosed(*, drawn: Drawn, index: int, problem: str) -> str:
    """Why nothing cites a node, by rules, for the four reasons of appendix B and a fifth.

    A value that a later node states again was used without being cited. A node without parents is information of the
    problem when most of its words stand there, otherwise an axiom used silently. A node whose own parents lead
    nowhere else belongs to another strategy; the rest is commentary.
    """
    text, later = drawn.nodes[index], " ".join(drawn.nodes[index + 1 :] + drawn.edges[index + 1 :])
    # The last number of a node is its result, as a rule.
    values = {number_of(number) for number in NUMBER.findall(text)[-1:]}
    if not drawn.parents[index]:
        node_words = words(text)
        # Sixty per cent of its words stand in the problem: it repeats the problem.
        return CAUSES[0] if len(node_words & words(problem)) >= 0.6 * max(1, len(node_words)) else CAUSES[3]
    # The value turns up again later, although nobody cites this node.
    if values & {number_of(number) for number in NUMBER.findall(later)}:
        return CAUSES[1]
    elsewhere = {parent for node, premises in enumerate(drawn.parents) if node != index for parent in premises}
    return CAUSES[2] if set(drawn.parents[index]) - elsewhere else CAUSES[4]


def backward(parents: Sequence[Sequence[int]]) -> tuple[str, ...]:
    bad = [number for number, premises in enumerate(parents, start=1) if any(parent >= number for parent in premises)]
    return tuple(f"step {number} names a parent that does not come before it" for number in bad[:5])


def places_of(parents: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    # Numbers from 1 become positions from 0; a parent named twice counts once.
    return tuple(tuple(dict.fromkeys(parent - 1 for parent in premises)) for premises in parents)


def ask_model(
    client: ChatClient,
    asked: tuple[str, str, Mapping[str, Any]],
    schema: Mapping[str, Any],
    check: Callable[[dict[str, Any]], tuple[str, ...]],
    account: str,
    sample: int,
) -> dict[str, Any] | None:
    question = replace(_question(asked, schema), sample=sample, check=check, temperature=0.7 if sample else 0.0)
    try:
        return client.ask(question=question, account=account).data
    except NoAnswerError:
        return None


def _question(asked: tuple[str, str, Mapping[str, Any]], schema: Mapping[str, Any]) -> Question:
    purpose, rules, data = asked
    return fenced_question(purpose=purpose, rules=rules, data=data, properties=schema, longest_answer=8000)


def example_questions() -> tuple[Question, ...]:
    """Each of the five questions about a small problem, for trying an endpoint."""
    problem, nodes = "What is 3 + 4 + 5?", ["3 + 4 = 7.", "The answer is 12, since 7 + 5 = 12."]
    steps = [{"step": 1, "node": nodes[0], "parents": []}, {"step": 2, "node": nodes[1], "parents": [1]}]
    lists, texts = (
        {"type": "array", "minItems": len(nodes), "maxItems": len(nodes), "items": items} for items in (PARENTS, TEXT)
    )
    return (
        _question(("dag_sample", _SAMPLE, {"problem": problem}), _SAMPLED),
        _question(("dag_nodes", ASK_NODES, {"problem": problem, "solution": "\n".join(nodes)}), {"nodes": NODE_LIST}),
        _question(("dag_parents", ASK_PARENTS, {"problem": problem, "nodes": nodes}), {"parents": lists}),
        _question(("dag_check", ASK_CHECK, {"problem": problem, "nodes": nodes}), {"wrong": PARENTS}),
        _question(("dag_edges", ASK_EDGES, {"problem": problem, "steps": steps}), {"edges": texts}),
    )
