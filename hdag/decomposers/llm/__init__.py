"""The decomposer by model: the paper's questions, exact spans, violations sent back, rules where it fails.

1. levels and 2. segments, window by window; 3. relations and 4. tiers, in batches of segments; 5. refine: merge,
split, mend. Rules say the tiers, so they are asked for only where routing follows a model (`tiers`) or the paper's
five questions are wanted as they are (`paper`); refining is asked while something is wrong. What the model returns as
text must occur in the trace, or it goes back to the model; structure (decomposes_to) comes from the spans alone. Each
answer is kept under its step: a job that died resumes there.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from hdag.chat.book import THREAD_PREFIX
from hdag.chat.client import ChatClient
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_messages
from hdag.chat.question import Answer, Question
from hdag.chat.usage import NOTHING_SPENT, Spent
from hdag.core.errors import BrokenGraphError, DecompositionRefusedError
from hdag.core.invariants import find_violations
from hdag.core.levels import Complexity, Level
from hdag.core.repair import repair
from hdag.core.spans import Span
from hdag.core.values import Graph, Segment, Trace
from hdag.decomposers.llm.build import LocatedPiece, read_edges, segments_of, structure, with_tiers
from hdag.decomposers.llm.prompts import LEVELS, REFINE, RELATIONS, SEGMENTS, TIERS, VERSION, PipelineStep
from hdag.decomposers.llm.refining import find_imbalances, refine_segments
from hdag.decomposers.llm.windows import Window, locate, windows_of
from hdag.decomposers.rules import RulesDecomposer

__all__ = ["DoneSteps", "ModelDecomposer", "Progress", "RememberedSteps", "step_question"]

_SHOWN = 400  # characters of a segment that the questions about relations and tiers show
_BATCH = 120  # segments in one such question; a quarter of them overlap with the next
_REFINEMENTS = 2
Progress = Callable[[str, int, int], None]
Check = Callable[[dict[str, Any]], tuple[str, ...]]


class DoneSteps(Protocol):
    """Answers of finished steps, so that a job which died goes on where it stopped."""

    def find(self, step: str) -> dict[str, Any] | None:
        """The answer of a finished step."""
        ...

    def keep(self, step: str, answer: dict[str, Any]) -> None:
        """Remember a finished step."""
        ...


class RememberedSteps(dict[str, dict[str, Any]]):
    """Finished steps in memory."""

    def find(self, step: str) -> dict[str, Any] | None:
        """The answer or None."""
        return self.get(step)

    def keep(self, step: str, answer: dict[str, Any]) -> None:
        """Remember it."""
        self[step] = answer


@dataclass
class ModelDecomposer:
    """Decomposes through a chat client. `spent` adds up what it took; `done` makes it resumable.

    tiers: who should look at what is asked too; paper: the five questions of the paper in any case. fall_back False
    raises NoAnswerError or BrokenGraphError instead of decomposing by rules.
    """

    client: ChatClient
    account: str
    done: DoneSteps = field(default_factory=RememberedSteps)
    progress: Progress = lambda step, n, of: None
    window: int = 12_000
    overlap: int = 1_200
    fall_back: bool = True
    paper: bool = False
    tiers: bool = False
    spent: Spent = field(default=NOTHING_SPENT)
    name: str = "llm"

    def decompose(self, trace: Trace) -> Graph:
        """The graph of `trace`; by rules, with the reason in its report, where the model gives none."""
        try:
            return self._by_model(trace)
        # What the failed questions cost is spent all the same.
        except NoAnswerError as error:
            self.spent += error.spent
            failure: Exception = error
            reason = error.reason
        except BrokenGraphError as error:
            failure, reason = error, str(error)
        if not self.fall_back:
            raise failure
        graph = RulesDecomposer().decompose(trace)
        return replace(graph, report=(f"by rules, because the model gave no usable graph: {reason}", *graph.report))

    def _by_model(self, trace: Trace) -> Graph:
        windows = windows_of(trace=trace, size=self.window, overlap=self.overlap)
        if not windows and not trace.problem.strip():
            raise DecompositionRefusedError(limit="characters of text", actual=0, allowed=1)
        # As many windows at a time as the endpoint allows calls; between two lots a job may be handed on.
        size = max(1, self.client.endpoint.max_concurrency)
        pieces: list[LocatedPiece] = []
        for start in range(0, len(windows), size):
            pieces += self._pieces(trace, windows[start : start + size], start, len(windows))
        segments = segments_of(trace=trace, pieces=pieces)
        edges = structure(segments=segments)
        edges += read_edges(rows=self._in_batches(RELATIONS, "edges", segments), segment_ids=_ids(segments))
        if self.paper or self.tiers:
            segments = with_tiers(segments=segments, rows=self._in_batches(TIERS, "assignments", segments))
        return self._mended(trace, Graph(segments, tuple(edges), self.name))

    def _pieces(self, trace: Trace, windows: Sequence[Window], first: int, of: int) -> list[LocatedPiece]:
        """Steps 1 and 2 on some windows at once; a block or segment that its window does not hold is sent back."""
        self.progress("levels", first + 1, of)
        told = [{"task": trace.problem[:2000], "text": window.text} for window in windows]
        levels = self._ask_all(LEVELS, first, told, [partial(_absent, "blocks", window) for window in windows])
        self.progress("segments", first + 1, of)
        blocks = [{"blocks": answer["blocks"]} for answer in levels]
        rows = self._ask_all(SEGMENTS, first, blocks, [partial(_absent, "segments", window) for window in windows])
        pairs = zip(rows, windows, strict=True)
        return [piece for answer, window in pairs for piece in _locate_all(answer["segments"], window)]

    def _in_batches(self, step: PipelineStep, field_name: str, segments: tuple[Segment, ...]) -> list[dict[str, Any]]:
        """A question about all segments, in overlapping batches when they are many."""
        rows: list[dict[str, Any]] = []
        starts = range(0, max(1, len(segments) - _BATCH // 4), _BATCH * 3 // 4)
        for n, start in enumerate(starts):
            self.progress(step.name, n + 1, len(starts))
            # The goal goes into every batch: anything may rest on the problem.
            batch = segments[:1] + segments[max(1, start) : start + _BATCH]
            data = {"segments": [_outline(segment) for segment in batch]}
            answer = self._ask(step, str(n), data, partial(_unknown, field_name=field_name, ids=_ids(batch)))
            rows += answer[field_name]
        return rows

    def _mended(self, trace: Trace, graph: Graph) -> Graph:
        """Step 5: rules find what is wrong, the model may mend it, repair does the rest."""
        for n in range(_REFINEMENTS):
            violations = find_violations(trace=trace, graph=graph)
            problems = [str(violation) for violation in violations if violation.invariant == "premises acyclic"]
            problems += find_imbalances(graph.segments) if n == 0 else ()
            if not problems and not (self.paper and n == 0):
                break
            self.progress("refine", n + 1, _REFINEMENTS)
            data = {
                "problems": problems,
                "segments": [_outline(segment) for segment in graph.segments],
                "edges": [[edge.source, str(edge.relation), edge.target] for edge in graph.edges],
            }
            changes = self._ask(REFINE, str(n), data, None)
            graph = _refined(graph, changes)
            graph = refine_segments(trace=trace, graph=graph, merges=changes["merge"], splits=changes["split"])
        # Rules mend circles that the model left, uncovered text and orphans; any other violation refuses the graph.
        graph = repair(trace=trace, graph=graph)
        violations = find_violations(trace=trace, graph=graph)
        if violations:
            raise BrokenGraphError(violations=tuple(map(str, violations)))
        return graph

    def _ask(self, step: PipelineStep, number: str, data: Mapping[str, Any], check: Check | None) -> dict[str, Any]:
        """The checked answer to one question: the one kept from an earlier run of this job, else the model's."""
        key = f"{step.name} {number}"
        answered = self.done.find(key)
        if answered is not None:
            return answered
        question = step_question(step=step, data=data, check=check)
        answer = self.client.ask(question=question, account=self.account)
        self.spent += answer.spent
        self.done.keep(key, answer.data)
        return answer.data

    def _ask_all(
        self, step: PipelineStep, first: int, data: Sequence[Mapping[str, Any]], checks: Sequence[Check]
    ) -> list[dict[str, Any]]:
        """The answers to one step's questions, side by side. Raises the first NoAnswerError, the others kept."""
        keys = [f"{step.name} {first + n}" for n in range(len(data))]
        answers = {key: answer for key in keys if (answer := self.done.find(key)) is not None}
        questions = {
            key: step_question(step=step, data=told, check=check)
            for key, told, check in zip(keys, data, checks, strict=True)
            if key not in answers
        }
        failed: NoAnswerError | None = None
        for key, outcome in zip(questions, self._side_by_side(list(questions.values())), strict=True):
            if isinstance(outcome, NoAnswerError):
                # The first is counted by whoever catches it.
                self.spent += outcome.spent if failed else NOTHING_SPENT
                failed = failed or outcome
                continue
            self.spent += outcome.spent
            self.done.keep(key, outcome.data)
            answers[key] = outcome.data
        if failed is not None:
            raise failed
        return [answers[key] for key in keys]

    def _side_by_side(self, questions: Sequence[Question]) -> list[Answer | NoAnswerError]:
        """Each question's answer or its failure. Threads only ask: what is kept is kept by the thread of the job."""

        def outcome_of(question: Question) -> Answer | NoAnswerError:
            try:
                return self.client.ask(question=question, account=self.account)
            except NoAnswerError as error:
                return error

        if len(questions) < 2:
            return [outcome_of(question) for question in questions]
        with ThreadPoolExecutor(len(questions), thread_name_prefix=THREAD_PREFIX) as pool:
            return list(pool.map(outcome_of, questions))


def step_question(*, step: PipelineStep, data: Mapping[str, Any], check: Check | None = None) -> Question:
    """What one step of the pipeline asks about `data`."""
    return Question(
        purpose=step.name,
        messages=fenced_messages(rules=step.rules, data=data),
        schema=step.schema,
        # A new VERSION of the prompts makes every cached answer a different question.
        identity=(VERSION, step.name, json.dumps(data, sort_keys=True)),
        longest_answer=8000,
        check=check,
    )


def _absent(name: str, window: Window, data: dict[str, Any]) -> tuple[str, ...]:
    """Texts that the window does not hold: refused, never taken over."""
    rows: list[dict[str, Any]] = data[name]
    if not rows:
        return ("nothing was returned for a text that is not blank",)
    return tuple(
        f"text {n} does not occur in the source; copy it exactly"
        for n, row in enumerate(rows, 1)
        if locate(text=window.text, words=row["text"]) is None
    )


def _unknown(answer: dict[str, Any], *, field_name: str, ids: frozenset[str]) -> tuple[str, ...]:
    """Ids that no segment has."""
    named = {row[key] for row in answer[field_name] for key in ("id", "source", "target") if key in row}
    return tuple(f"there is no segment {name[:12]!r}" for name in sorted(named - ids)[:8])


def _locate_all(rows: list[dict[str, Any]], window: Window) -> list[LocatedPiece]:
    """Pieces at their places in the source; repeated words are found one after another."""
    # One cursor a level: a step and the operation inside it may begin with the same words.
    pieces, cursors = [], dict.fromkeys(Level, 0)
    for row in rows:
        level = Level(row["level"])
        span = locate(text=window.text, words=row["text"], after=cursors[level])
        if span is None:
            continue
        cursors[level] = span.end
        placed = Span(span.start + window.span.start, span.end + window.span.start)
        complexity = Complexity(row["complexity"])
        pieces.append(LocatedPiece(level, window.source, window.index, placed, row["kind"], row["summary"], complexity))
    return pieces


def _ids(segments: Iterable[Segment]) -> frozenset[str]:
    return frozenset(segment.id for segment in segments)


def _outline(segment: Segment) -> dict[str, str]:
    text = segment.content if len(segment.content) <= _SHOWN else segment.content[:_SHOWN] + " [...]"
    return {"id": segment.id, "level": str(segment.level), "text": text}


def _refined(graph: Graph, changes: dict[str, Any]) -> Graph:
    """The graph with the model's mending; structure is not the model's to change."""
    gone = {(row["source"], row["target"]) for row in changes["remove"]}
    remaining = [e for e in graph.edges if e.relation == "decomposes_to" or (e.source, e.target) not in gone]
    added = read_edges(rows=changes["add"], segment_ids=_ids(graph.segments))
    report = (*graph.report, f"the model removed {len(graph.edges) - len(remaining)} edges and added {len(added)}")
    return replace(graph, edges=(*remaining, *added), report=report)
