"""What a passage takes from others: the steps that its own rest on, and of a long one the lines that it uses.

P1 (a tool's table of forty lines)   P2 "Berlin had 3,645 cases, so ..."   P2 takes the line of P1 that holds 3,645
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hdag.core.levels import Level
from hdag.core.passages.context import naming_steps
from hdag.core.passages.formulas import find_closed, is_inside
from hdag.core.passages.sentences import find_sentences
from hdag.core.passages.values import PassagePlan
from hdag.core.spans import Span
from hdag.core.units import Stretch
from hdag.core.values import Graph, Segment

WHOLE_UP_TO = 300  # characters of a step that is taken as it stands
MOST_TAKEN = 400  # characters of the lines taken of a longer one, where one line is not longer
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]{4,}")
_NUMBER_WEIGHT = 3  # a value in common tells as much as three words


def taken_steps(*, graph: Graph, plan: PassagePlan) -> dict[str, tuple[Stretch, ...]]:
    """By passage, the steps of other passages that its own rest on, and the steps that name a symbol which it uses.

    What a form has to show at least of what stands in other passages; an operation stands for its step. Of a step of
    more than 300 characters it is the lines or sentences that share most values and words with the steps that take it.
    """
    goal = next(s for s in graph.segments if s.level is Level.GOAL)
    owner, fine = find_owners(graph=graph, plan=plan, goal=goal.id), {segment.id: segment for segment in graph.segments}
    steps = {label: passage.id for passage in plan.passages for label in passage.segments if owner.get(label)}
    holder = {child: parent for parent, children in graph.children().items() if parent in steps for child in children}
    takers: dict[str, dict[str, set[str]]] = {passage.id: defaultdict(set) for passage in plan.passages}
    for label, premises in graph.premises().items():
        here = owner.get(label)
        for premise in (holder.get(base, base) for base in premises):
            if here in takers and premise in steps and steps[premise] != here:
                takers[here][premise].add(fine[label].content)
    names = naming_steps(texts={label: fine[label].content for label in steps})
    for passage in plan.passages:
        for label in names(passage.text):
            if steps[label] != passage.id:
                takers[passage.id][label].add(passage.text)
    return {
        key: tuple(
            stretch for label, users in needed.items() for stretch in _taken(fine[label], " ".join(sorted(users)))
        )
        for key, needed in takers.items()
    }


def find_owners(*, graph: Graph, plan: PassagePlan, goal: str) -> dict[str, str]:
    """The passage of each fine segment: operations go with their step; containers own nothing but the goal.

    goal: the label of the goal in the passage graph.
    """
    fine_goal = next(s for s in graph.segments if s.level is Level.GOAL)
    level = {segment.id: segment.level for segment in graph.segments}
    owner = {
        label: passage.id
        for passage in plan.passages
        for label in passage.segments
        if level[label].depth >= Level.STEP.depth
    }
    for parent, children in graph.children().items():
        if parent in owner:
            owner.update(dict.fromkeys(children, owner[parent]))
    return {**owner, fine_goal.id: goal}


def _taken(segment: Segment, user: str) -> Iterator[Stretch]:
    for span in used_lines(text=segment.content, user=user):
        yield Stretch(segment.source, segment.source_index, segment.start + span.start, segment.start + span.end)


def used_lines(*, text: str, user: str) -> list[Span]:
    """The stretches of `text` that `user` takes something from, in order; all of a short text. Linear.

    >>> table = "city | cases\\n" + "Hamburg | 1,870\\n" * 20 + "Berlin | 3,645\\n" + "Bremen | 566\\n" * 4
    >>> [span.slice(table) for span in used_lines(text=table, user="Berlin had 3,645 cases.")]
    ['Berlin | 3,645']
    """
    if len(text) <= WHOLE_UP_TO:
        return [Span(0, len(text))]
    told = _tokens(user)
    lines = _lines(text)
    weights = [_weight(told, _tokens(line.slice(text))) for line in lines]
    most = max(weights, default=0)
    if not most:
        return [Span(0, len(text))]
    chosen: list[int] = []
    size = 0
    # The best lines first, earlier before later ones; a line that shares far less than the best adds nothing.
    for number in sorted(range(len(lines)), key=lambda at: (-weights[at], at)):
        size += len(lines[number])
        if chosen and (size > MOST_TAKEN or 2 * weights[number] < most):
            break
        chosen.append(number)
    return _runs([lines[number] for number in sorted(chosen)], text)


def _weight(told: set[str], line: set[str]) -> int:
    return sum(_NUMBER_WEIGHT if token[0].isdigit() else 1 for token in told & line)


def _tokens(text: str) -> set[str]:
    numbers = {number.replace(",", "").rstrip(".") for number in _NUMBER.findall(text)}
    return numbers | {word.lower()[:9] for word in _WORD.findall(text)}


def _lines(text: str) -> list[Span]:
    """Lines outside formulas, and the sentences of each."""
    closed = find_closed(text=text)
    cuts = [0, *(at.end() for at in re.finditer(r"\n", text) if not is_inside(closed, at.start())), len(text)]
    return [
        sentence
        for start, end in pairwise(cuts)
        for sentence in find_sentences(text=text, span=Span(start, end), closed=closed)
    ]


def _runs(lines: Sequence[Span], text: str) -> list[Span]:
    """The same lines, neighbours joined."""
    runs: list[Span] = []
    for line in lines:
        if runs and not text[runs[-1].end : line.start].strip():
            runs[-1] = Span(runs[-1].start, line.end)
        else:
            runs.append(line)
    return runs
