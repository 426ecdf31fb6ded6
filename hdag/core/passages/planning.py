"""From a fine graph to the plan of its audit: passages, what of them is asked, plan seats."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hdag.core.levels import Tier
from hdag.core.passages.asking import Proofs, claims_nothing, find_proofs, find_reasons
from hdag.core.passages.atoms import Atom, find_atoms, step_level
from hdag.core.passages.blocks import find_blocks
from hdag.core.passages.branches import find_abandoned
from hdag.core.passages.cutting import cut, is_held
from hdag.core.passages.endings import breaks_off
from hdag.core.passages.records import find_tool_records
from hdag.core.passages.seats import ANSWER, find_closing, plan_seats
from hdag.core.passages.values import Passage, PassageLimits, PassagePlan, Why
from hdag.core.spans import Span, trim
from hdag.core.values import Graph, Segment, Source, Trace

DEFAULT_LIMITS = PassageLimits()
# At the ends of a passage these stand apart: what a person reads begins and ends with a claim.
EDGES = frozenset(
    (Why.HEADING, Why.SEPARATOR, Why.PROMPT, Why.RESTATED_PROBLEM, Why.REPEAT, Why.TOOL_RECORD, Why.BREAKS_OFF)
)
# Reasons that hold only of what would be judged alone.
ALONE = frozenset((Why.ASKED, Why.FRAGMENT, Why.LEAD_IN, Why.QUESTION))
# What an end of a passage does not keep either, when nothing of it follows.
OPEN_ENDS = EDGES | {Why.LEAD_IN, Why.QUESTION}
SETTLED = frozenset((Why.PROVED, Why.PROVED_BEFORE))
SURE = 0.7  # confidence of a premise from which a branch is used after all


@dataclass(frozen=True, slots=True)
class _Reading:
    """One text of the trace, read: its atoms and why each is asked of nobody."""

    text: str
    source: Source
    atoms: Sequence[Atom]
    reasons: Sequence[Why]

    def passage(self, stretch: range, limits: PassageLimits, span: Span) -> Passage:
        """The atoms of `stretch` as one passage, asked unless each has a reason (the commonest is told)."""
        atoms, reasons = self.atoms[stretch.start : stretch.stop], self.reasons[stretch.start : stretch.stop]
        why = Why.ASKED if Why.ASKED in reasons else max(reasons, key=list(reasons).count)
        # An input step that claims nothing keeps its seat, but not beside nothing but what is proved.
        if not SETTLED.isdisjoint(reasons) and not any(map(_is_open_claim, atoms, reasons)):
            why = Why.PROVED
        labels = tuple(dict.fromkeys(atom.label for atom in atoms if atom.label))
        named = [atom.label for atom, reason in zip(atoms, reasons, strict=True) if atom.is_step and reason in ALONE]
        return Passage(
            "", labels, self.source, span.start, span.end, span.slice(self.text), why, marks=_marks(named, limits)
        )


def plan_passages(
    *, trace: Trace, graph: Graph, limits: PassageLimits = DEFAULT_LIMITS, verified: Collection[str] = ()
) -> PassagePlan:
    """The passages of `trace` by its fine `graph`, numbered P1, P2, ... in reading order, and its plan seats.

    verified: labels of the segments that the computer proved. Sizes in characters (see PassageLimits). Deterministic,
    and linear in text and segments. A trace whose thinking and answer together are shorter than `one_unit_below` is one
    passage, without plan seats. In longer ones the passage that concludes is A1, and the answer seat judges it.

    >>> from hdag.core.levels import Level
    >>> from hdag.core.values import Segment
    >>> goal = Segment("G1", Level.GOAL, "x?", Source.PROBLEM, 0, 2)
    >>> step = Segment("ST1", Level.STEP, "From x + 1 = 3 we get x = 2.", Source.THINKING, 0, 28)
    >>> plan = plan_passages(trace=Trace("x?", "From x + 1 = 3 we get x = 2."), graph=Graph((goal, step), ()))
    >>> [(passage.id, passage.segments, passage.asked) for passage in plan.passages], plan.is_one_unit
    ([('P1', ('ST1',), True)], True)
    """
    size = len(trace.thinking.strip()) + len(trace.answer.strip())
    # A short trace is cheaper read whole than in pieces, each of which would show most of the others.
    is_one_unit = 0 < size < limits.one_unit_below
    proofs = find_proofs(graph=graph, verified=verified)
    drafts: list[Passage] = []
    for source in (Source.THINKING, Source.TOOL_CALL, Source.ANSWER):
        if source is Source.TOOL_CALL:
            drafts += _tool_records(graph)
        elif trace.source_text(source).strip():
            reading = _read(trace, graph, source, proofs)
            drafts += _whole(reading, limits) if is_one_unit else _cut(graph, reading, limits)
    passages = [draft._replace(id=f"P{number}") for number, draft in enumerate(drafts, 1)]
    if is_one_unit:
        return PassagePlan(_with_tiers(_one_form(passages), graph), (), is_one_unit)
    passages = _close(passages)
    return PassagePlan(_with_tiers(passages, graph), plan_seats(trace=trace, passages=passages), is_one_unit)


def _read(trace: Trace, graph: Graph, source: Source, proofs: Proofs) -> _Reading:
    text = trace.source_text(source)
    atoms = find_atoms(graph=graph, text=text, source=source)
    reasons = find_reasons(
        atoms=atoms,
        problem=trace.problem,
        proofs=proofs,
        records=find_tool_records(text=text),
        alone={number for number, atom in enumerate(atoms) if _is_paragraph(text, atom)},
    )
    if source is Source.ANSWER or not trace.answer.strip():
        reasons = _with_end(atoms, reasons)
    return _Reading(text, source, atoms, reasons)


def _with_end(atoms: Sequence[Atom], reasons: list[Why]) -> list[Why]:
    """The reasons; the last words of the trace lose their seat where they break off, and others still have one."""
    *_, last = [-1, *(at for at, why in enumerate(reasons) if why not in (Why.SEPARATOR, Why.PROMPT))]
    asked = {at for at, why in enumerate(reasons) if why is Why.ASKED} - {last}
    # An input step is judged as it was handed in; the last sentence of a long one need not be.
    beside = {atoms[at].step for at in asked}
    if not asked or (atoms[last].step is not None and atoms[last].step not in beside):
        return reasons
    if reasons[last] not in ALONE or not breaks_off(text=atoms[last].text):
        return reasons
    first = last
    while reasons[first - 1] is Why.LEAD_IN:  # "The price is then:", and the formula is not finished
        first -= 1
    return [*reasons[:first], *[Why.BREAKS_OFF] * (last + 1 - first), *reasons[last + 1 :]]


def _is_paragraph(text: str, atom: Atom) -> bool:
    """Whether nothing else stands on the lines of an atom."""
    before, after = (
        text[max(0, atom.start - 20) : atom.start].rstrip(" \t"),
        text[atom.end : atom.end + 20].lstrip(" \t"),
    )
    return (not before or before.endswith("\n")) and (not after or after.startswith(("\n", "\r")))


def _whole(reading: _Reading, limits: PassageLimits) -> list[Passage]:
    """All of a text as one passage, fragments and lead-ins with it; apart from it only where it breaks off."""
    atoms, count = reading.atoms, len(reading.atoms)
    stop = reading.reasons.index(Why.BREAKS_OFF) if Why.BREAKS_OFF in reading.reasons else count
    end = atoms[stop].start if stop < count else len(reading.text)
    stretches = [(range(stop), Span(0, end)), (range(stop, count), Span(end, len(reading.text)))]
    return [
        reading.passage(stretch, limits, trim(text=reading.text, span=span)) for stretch, span in stretches if stretch
    ]


def _cut(graph: Graph, reading: _Reading, limits: PassageLimits) -> list[Passage]:
    """The cheapest cut, with ends that claim nothing set apart, and abandoned branches asked once."""
    atoms = reading.atoms
    turns = [here.end for here, after in pairwise(atoms) if here.step is not None and here.step != after.step]
    blocks = find_blocks(text=reading.text, turns=turns)
    is_edge = [why in EDGES for why in reading.reasons]
    runs = cut(text=reading.text, atoms=reading.atoms, blocks=blocks, limits=limits, is_edge=is_edge)
    stretches = [stretch for run in runs for stretch in _apart(run, reading, blocks)]
    passages = [
        reading.passage(stretch, limits, Span(reading.atoms[stretch[0]].start, reading.atoms[stretch[-1]].end))
        for stretch in stretches
    ]
    return _abandon(graph, reading, stretches, passages)


def _apart(run: range, reading: _Reading, blocks: Sequence[Span]) -> Iterator[range]:
    """`run` in up to three stretches: what claims nothing in front, the body, what claims nothing behind."""
    atoms, reasons = reading.atoms, reading.reasons
    start, stop = run.start, run.stop
    while start < stop and reasons[start] in EDGES:
        start += 1
    while stop > start and reasons[stop - 1] in OPEN_ENDS:
        stop -= 1
    # Not inside a block: the last sentence of a list item stays with it, whatever it says.
    while run.start < start and start < run.stop and is_held(blocks=blocks, here=atoms[start - 1], after=atoms[start]):
        start -= 1
    while run.start < stop < run.stop and is_held(blocks=blocks, here=atoms[stop - 1], after=atoms[stop]):
        stop += 1
    stretches = (range(run.start, start), range(start, stop), range(stop, run.stop))
    yield from (stretch for stretch in stretches if stretch)


def _abandon(graph: Graph, reading: _Reading, stretches: Sequence[range], passages: Sequence[Passage]) -> list[Passage]:
    """Passages wholly inside a branch that is given up are not asked, if nothing behind the branch rests on them.

    The branch is asked once, at the passage that gives it up: `draft.carries` holds positions until ids exist.
    """
    branches = find_abandoned(atoms=reading.atoms)
    if not branches:
        return list(passages)
    position = {atom.label: index for index, atom in enumerate(reading.atoms)}
    last_use = _last_uses(graph, position)
    marked = list(passages)
    for branch in branches:
        for index, stretch in enumerate(stretches):
            inside = branch.start <= stretch.start and stretch.stop < branch.stop
            # A branch may be given up and still have named a symbol: then what it says matters after all.
            used = max((last_use.get(reading.atoms[at].label, -1) for at in stretch), default=-1) >= branch.stop
            if inside and not used and passages[index].asked:
                marked[index] = passages[index]._replace(why=Why.ABANDONED_BRANCH)
    return marked


def _last_uses(graph: Graph, position: dict[str, int]) -> dict[str, int]:
    """For each label the position of the last atom that surely rests on it."""
    uses: dict[str, int] = {}
    for edge in graph.edges:
        if edge.relation == "depends_on" and edge.confidence >= SURE and edge.source in position:
            uses[edge.target] = max(uses.get(edge.target, -1), position[edge.source])
    return uses


def _is_open_claim(atom: Atom, reason: Why) -> bool:
    return reason is Why.ASKED and not claims_nothing(text=atom.text)


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
            yield _record(segment)


def _record(call: Segment) -> Passage:
    span = (call.start, call.end, call.content)
    return Passage("", (call.id,), call.source, *span, Why.TOOL_RECORD, source_index=call.source_index)


def _one_form(passages: Sequence[Passage]) -> list[Passage]:
    """The first passage that claims something is the unit; what else the trace holds is shown on its form."""
    unit = next((p for p in passages if p.why in ALONE), passages[0])
    if unit.why in ALONE:
        unit = unit._replace(why=Why.ASKED, carries=tuple(p.id for p in passages if p.id != unit.id))
    others = {p.id: p._replace(why=Why.ONE_UNIT) if p.why in ALONE else p for p in passages}
    return list({**others, unit.id: unit}.values())


def _close(passages: Sequence[Passage]) -> list[Passage]:
    """The passage that concludes becomes A1, and abandoned branches are carried by the passage that gives them up."""
    closing = find_closing(passages=passages)
    closed: list[Passage] = []
    branch: tuple[str, ...] = ()
    for passage in passages:
        if passage is closing:
            passage = passage._replace(id=ANSWER, why=Why.ASKED)
        if passage.why is Why.ABANDONED_BRANCH:
            branch = (*branch, passage.id)
        elif passage.asked and branch:
            passage, branch = passage._replace(carries=branch), ()
        closed.append(passage)
    return closed


def _with_tiers(passages: Sequence[Passage], graph: Graph) -> tuple[Passage, ...]:
    """Each passage with the tier that its steps suggest: people where one of them does, else a language model."""
    primary = {segment.id: segment.primary for segment in graph.segments}
    return tuple(
        passage._replace(tier=_tier(passage, [primary[label] for label in passage.segments])) for passage in passages
    )


def _tier(passage: Passage, suggested: Collection[Tier]) -> Tier:
    if passage.why in (Why.PROVED, Why.PROVED_BEFORE):
        return Tier.COMPUTER
    return Tier.HUMAN if Tier.HUMAN in suggested else Tier.LLM
