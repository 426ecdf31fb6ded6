"""From a fine graph to the plan of its audit: passages, what of them is asked, plan seats."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from hdag.core.passages.asking import find_reasons
from hdag.core.passages.atoms import Atom, find_atoms, step_level
from hdag.core.passages.blocks import find_blocks
from hdag.core.passages.cutting import cut
from hdag.core.passages.seats import plan_seats
from hdag.core.passages.values import Passage, PassageLimits, PassagePlan, Why
from hdag.core.spans import Span, trim
from hdag.core.values import Graph, Source, Trace

DEFAULT_LIMITS = PassageLimits()
# At the edges of a passage these stand apart: a reader's text begins with a claim.
_EDGE = frozenset((Why.HEADING, Why.SEPARATOR, Why.PROMPT, Why.RESTATED_PROBLEM, Why.REPEAT))
# Reasons that hold only of a passage that is judged alone.
_ALONE = frozenset((Why.ASKED, Why.FRAGMENT, Why.LEAD_IN))


def plan_passages(
    *, trace: Trace, graph: Graph, limits: PassageLimits = DEFAULT_LIMITS, verified: Collection[str] = ()
) -> PassagePlan:
    """The passages of `trace` by its fine `graph`, numbered P1, P2, ... in reading order, and its plan seats.

    verified: labels of the segments that the computer proved. Sizes in characters (see PassageLimits). Deterministic,
    and linear in text and segments. A trace whose thinking and answer together are shorter than `one_unit_below` is one
    passage, without plan seats.

    >>> from hdag.core.levels import Level
    >>> from hdag.core.values import Segment
    >>> goal = Segment("G1", Level.GOAL, "x?", Source.PROBLEM, 0, 2)
    >>> step = Segment("ST1", Level.STEP, "From x + 1 = 3 we get x = 2.", Source.THINKING, 0, 28)
    >>> plan = plan_passages(trace=Trace("x?", "From x + 1 = 3 we get x = 2."), graph=Graph((goal, step), ()))
    >>> [(passage.id, passage.segments, passage.asked) for passage in plan.passages], plan.is_one_unit
    ([('P1', ('ST1',), True)], True)
    """
    size = len(trace.thinking.strip()) + len(trace.answer.strip())
    is_one_unit = 0 < size < limits.one_unit_below
    passages = [
        *_of_source(trace, graph, Source.THINKING, limits, verified, is_one_unit),
        *_tool_records(graph),
        *_of_source(trace, graph, Source.ANSWER, limits, verified, is_one_unit),
    ]
    passages = [replace(passage, id=f"P{number}") for number, passage in enumerate(passages, 1)]
    passages = _one_form(passages) if is_one_unit else _answer_apart(passages)
    seats = () if is_one_unit else plan_seats(trace=trace, graph=graph, passages=passages)
    return PassagePlan(tuple(passages), seats, is_one_unit)


def _of_source(
    trace: Trace, graph: Graph, source: Source, limits: PassageLimits, verified: Collection[str], is_one_unit: bool
) -> Iterator[Passage]:
    """The passages of one text: its atoms, their reasons, the cheapest cut, and edges that claim nothing set apart."""
    text = trace.source_text(source)
    if source is Source.PROBLEM or not text.strip():
        return
    atoms = find_atoms(graph=graph, text=text, source=source)
    reasons = find_reasons(atoms=atoms, problem=trace.problem, verified=verified)
    if is_one_unit:
        whole = trim(text=text, span=Span(0, len(text)))
        yield _passage(text, source, whole, atoms, reasons, limits)
        return
    announces = [why in (Why.LEAD_IN, Why.HEADING) for why in reasons]
    runs = cut(text=text, atoms=atoms, blocks=find_blocks(text=text), limits=limits, announces=announces)
    for run in runs:
        for stretch in _apart(run, reasons):
            chosen = [atoms[index] for index in stretch]
            span = Span(chosen[0].start, chosen[-1].end)
            yield _passage(text, source, span, chosen, [reasons[index] for index in stretch], limits)


def _apart(run: range, reasons: Sequence[Why]) -> Iterator[range]:
    """`run` in up to three stretches: what claims nothing in front, the body, what claims nothing behind."""
    start, stop = run.start, run.stop
    while start < stop and reasons[start] in _EDGE:
        start += 1
    while stop > start and reasons[stop - 1] in _EDGE:
        stop -= 1
    yield from (stretch for stretch in (range(run.start, start), range(start, stop), range(stop, run.stop)) if stretch)


def _passage(
    text: str, source: Source, span: Span, atoms: Sequence[Atom], reasons: Sequence[Why], limits: PassageLimits
) -> Passage:
    """One passage; it is asked unless every atom has a reason, of which the first of the commonest is told."""
    asked = [atom.label for atom, why in zip(atoms, reasons, strict=True) if why is Why.ASKED and atom.is_step]
    open_ = any(why is Why.ASKED for why in reasons)
    why = Why.ASKED if open_ else max(reasons, key=list(reasons).count)
    labels = tuple(dict.fromkeys(atom.label for atom in atoms if atom.label))
    return Passage("", labels, source, span.start, span.end, span.slice(text), why, marks=_marks(asked, limits))


def _marks(labels: Sequence[str], limits: PassageLimits) -> tuple[tuple[str, ...], ...]:
    """At most `most_steps` even groups of neighbours: single steps, unless the unit is a whole short trace.

    >>> _marks(["a", "b", "c"], PassageLimits(most_steps=2))
    (('a',), ('b', 'c'))
    """
    count = min(len(labels), limits.most_steps)
    edges = [len(labels) * number // count for number in range(count + 1)] if count else []
    return tuple(tuple(labels[start:stop]) for start, stop in pairwise(edges))


def _tool_records(graph: Graph) -> Iterator[Passage]:
    for segment in step_level(graph=graph):
        if segment.source is Source.TOOL_CALL:
            yield Passage(
                "",
                (segment.id,),
                segment.source,
                segment.start,
                segment.end,
                segment.content,
                Why.TOOL_RECORD,
                source_index=segment.source_index,
            )


def _one_form(passages: Sequence[Passage]) -> list[Passage]:
    """The first passage that claims something is the unit; what else the trace holds is shown on its form."""
    unit = next((p for p in passages if p.asked), passages[0] if passages else None)
    if unit is None:
        return []
    others = [replace(p, why=Why.ONE_UNIT) if p.why in _ALONE and p is not unit else p for p in passages]
    carried = tuple(p.id for p in passages if p is not unit)
    return [replace(p, carries=carried, why=unit.why) if p is unit else p for p in others]


def _answer_apart(passages: Sequence[Passage]) -> list[Passage]:
    """An answer of one passage is judged by the answer seat alone."""
    answers = [passage for passage in passages if passage.source is Source.ANSWER and passage.asked]
    thought = any(passage.source is Source.THINKING and passage.asked for passage in passages)
    if len(answers) != 1 or not thought:
        return list(passages)
    return [replace(p, why=Why.ANSWER_SEAT) if p is answers[0] else p for p in passages]
