"""The tree of a trace: goal over strategies over tactics over steps over operations, as deep as the trace needs.

One sentence is a step; up to three steps stand right under the goal; more of them are cut into phases (strategies) at
headings and where a paragraph checks, corrects or tries another way; paragraphs and announced lists become tactics.

    G1 "How much in a week?"
      S1 solution plan    ST1 "A day brings 40 * 2 = 80 dollars." (O1 "40 * 2 = 80")   ST2 "A week has 7 days."   ...
      S2 verification     ST4 "Let me double-check: 560 / 7 = 80." (O3 "560 / 7 = 80")  ST5 "That is the day's sum."
      ST6 "560 dollars" (the answer, one sentence)
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from hdag.core.errors import DecompositionRefusedError
from hdag.core.levels import Level
from hdag.core.spans import Span, gaps, trim
from hdag.core.values import Source, Trace
from hdag.decomposers.rules.discourse import Move, find_move
from hdag.decomposers.rules.domains import TEMPLATES, Template, find_domain, step_kind
from hdag.decomposers.rules.drafts import Draft
from hdag.decomposers.rules.equations import find_equations
from hdag.decomposers.rules.units import TAG, Unit, split_units

SHALLOW = 3  # so few steps need no strategy above them
TACTIC_UNITS, PLAN_UNITS = 3, 4  # a paragraph of so many sentences is a tactic; a plan has at most so many
MAX_UNITS = 12_000  # sentences of one text
LONG_UNIT = 20_000  # characters; what is longer is no sentence, and its equations are not looked for
LONG_STEP = 1_500  # characters; a longer input step of several units becomes a tactic over them
PHASE_OPENERS = frozenset((Move.CHECK, Move.ALTERNATIVE, Move.RETRACT))


def outline(*, trace: Trace) -> Draft:
    """The goal with everything below it; every non-blank character of the trace lies in some draft."""
    name = find_domain(named=trace.domain, problem=trace.problem, thinking=trace.thinking or trace.answer)
    template = TEMPLATES[name]
    parts = [*_thinking(trace, template), *_tool_calls(trace), *_answer(trace, template)]
    goal = _goal(trace, parts)
    goal.parts = parts
    # Drafts whose kind no rule has named take the default of their level in the domain.
    for draft in goal.walk():
        draft.kind = draft.kind or template.kinds[draft.level]
    return goal


def _goal(trace: Trace, parts: Sequence[Draft]) -> Draft:
    for source in (Source.PROBLEM, Source.THINKING, Source.ANSWER):
        text = trace.source_text(source)
        if text.strip():
            return Draft(Level.GOAL, source, trim(text=text, span=Span(0, len(text))))
    # Only tool calls: the first of them stands for the goal.
    return Draft(Level.GOAL, parts[0].source, parts[0].span, parts[0].source_index)


def _thinking(trace: Trace, template: Template) -> list[Draft]:
    text = trace.thinking
    # The thinking is the given steps and whatever text lies between them, in order.
    covered = [Span(step.start, step.end) for step in trace.steps]
    stretches: list[tuple[Span, int | None]] = [
        (span, None) for span in gaps(within=Span(0, len(text)), covered=covered)
    ]
    stretches += [(Span(step.start, step.end), step.index) for step in trace.steps]
    drafts: list[Draft] = []
    near = template.near(text)
    for span, step in sorted(stretches, key=lambda stretch: stretch[0]):
        # between most given steps stands a line break alone
        if step is None and not span.slice(text).strip():
            continue
        drafts += _drafts(text, span, step, Source.THINKING, near)
    return _phases(text, drafts) if trace.steps else drafts


def _answer(trace: Trace, template: Template) -> list[Draft]:
    return _drafts(trace.answer, Span(0, len(trace.answer)), None, Source.ANSWER, template)


def _tool_calls(trace: Trace) -> Iterator[Draft]:
    for index, call in enumerate(trace.tool_calls):
        span = trim(text=call.text, span=Span(0, len(call.text)))
        yield Draft(Level.STEP, Source.TOOL_CALL, span, index, kind="tool call", stands_as_step=True)


def _drafts(text: str, span: Span, step: int | None, source: Source, template: Template) -> list[Draft]:
    """Free text as a tree; an input step as one step, a long one as a tactic over its units."""
    # The input's own steps are kept: whoever wrote them meant one inference each, but not across `</think>`.
    if step is not None and len(span) <= LONG_STEP and not TAG.search(text, span.start, span.end):
        return [_step(text, Unit(trim(text=text, span=span), 0), step, source, template)]
    units = split_units(text=text, within=span)
    if len(units) > MAX_UNITS:
        raise DecompositionRefusedError(limit="sentences", actual=len(units), allowed=MAX_UNITS)
    if step is None:
        return _tree(text, units, source, template)
    parts = [_step(text, unit, step, source, template) for unit in units]
    if len(parts) == 1:
        return parts
    return [Draft(Level.TACTIC, source, trim(text=text, span=span), step=step, kind="input step", parts=parts)]


def _step(text: str, unit: Unit, step: int | None, source: Source, template: Template) -> Draft:
    """A step with its operations; a unit that is nothing but an equation has none of its own."""
    content = unit.span.slice(text)
    equations = [] if unit.is_code or len(unit.span) > LONG_UNIT else find_equations(text=text, within=unit.span)
    # "So 40 * 2 = 80." has words beside its equation; "40 * 2 = 80." is nothing else, and is checked as it stands.
    is_equation = len(equations) == 1 and not any(mark.isalnum() for mark in _without(content, unit.span, equations[0]))
    if is_equation:
        equations = []
    operations = [Draft(Level.OPERATION, source, span, step=step) for span in equations]
    move = find_move(text=content, within=text)
    label = "code" if unit.is_code else str(move) or step_kind(template=template, text=content)
    return Draft(Level.STEP, source, unit.span, 0, label, step, operations, "", move, True, is_equation=is_equation)


def _without(content: str, whole: Span, hole: Span) -> str:
    return content[: hole.start - whole.start] + content[hole.end - whole.start :]


def _tree(text: str, units: Sequence[Unit], source: Source, template: Template) -> list[Draft]:
    """Free text as deep as it needs: one equation an operation, few units steps, more of them phases."""
    drafts = [_step(text, unit, None, source, template) for unit in units]
    if len(units) == 1 and drafts[0].is_equation:
        drafts[0].level, drafts[0].kind = Level.OPERATION, ""
        return drafts
    if len(units) <= SHALLOW:
        return drafts
    return [draft for phase in _cut_phases(units, drafts) for draft in _phase(text, phase, source)]


def _cut_phases(units: Sequence[Unit], drafts: Sequence[Draft]) -> Iterator[list[tuple[Unit, Draft]]]:
    """Phases begin at a heading after text, and where a paragraph opens with a check, a correction, another way."""
    phase: list[tuple[Unit, Draft]] = []
    for unit, draft in zip(units, drafts, strict=True):
        if phase and unit.paragraph != phase[-1][0].paragraph and _opens_phase(unit, draft, phase):
            yield phase
            phase = []
        phase.append((unit, draft))
    if phase:
        yield phase


def _opens_phase(unit: Unit, draft: Draft, phase: Sequence[tuple[Unit, Draft]]) -> bool:
    # "Everything is consistent." / "Therefore ...": the conclusion after a check is no part of the check
    ends_check = phase[0][1].move is Move.CHECK and draft.move is Move.CONCLUDE
    return draft.move in PHASE_OPENERS or ends_check or (unit.is_heading and not phase[-1][0].is_heading)


def _phase(text: str, phase: Sequence[tuple[Unit, Draft]], source: Source) -> list[Draft]:
    """A strategy whose own text is its heading and plan; a phase of one step is that step."""
    head = _count_planning(phase)
    if phase[0][1].move is Move.CHECK:
        for _, draft in phase:
            draft.rechecks = True
    # Heading and plan lie inside the strategy's span and in none of its parts: they are its own text.
    body = _paragraphs(text, phase[head:], source)
    if len(phase) == 1 or (len(body) == 1 and not head):
        return body
    span = Span(phase[0][1].span.start, phase[-1][1].span.end)
    label = str(phase[0][1].move) if phase[0][1].move in PHASE_OPENERS else ""
    return [Draft(Level.STRATEGY, source, span, kind=label, parts=body)]


def _count_planning(phase: Sequence[tuple[Unit, Draft]]) -> int:
    """How many units at the front are heading and plan: headings, planning sentences, a first paragraph that plans."""
    head = 0
    while head < len(phase) and (phase[head][0].is_heading or phase[head][1].move is Move.PLAN):
        head += 1
    # A whole first paragraph that plans is plan too ("First I find x. Then I subtract."), unless it computes already.
    first = phase[head : head + 1]
    opening = [draft for unit, draft in phase if first and unit.paragraph == first[0][0].paragraph]
    if any(draft.move is Move.PLAN for draft in opening) and not any(draft.parts for draft in opening):
        head += len(opening) if len(opening) <= PLAN_UNITS else 0
    # A phase keeps at least one unit as its body.
    return min(head, len(phase) - 1)


def _paragraphs(text: str, body: Sequence[tuple[Unit, Draft]], source: Source) -> list[Draft]:
    """Paragraphs of several steps become tactics when there is more than one of them."""
    groups = [list(group) for _, group in groupby(body, key=lambda pair: pair[0].paragraph)]
    # With fewer than two long paragraphs, tactics by paragraph would only repeat the strategy.
    if sum(len(group) >= TACTIC_UNITS for group in groups) < 2:
        return _tactics(text, body, source)
    tactics: list[Draft] = []
    for group in groups:
        if len(group) < TACTIC_UNITS:
            tactics += _tactics(text, group, source)
            continue
        # A planning or announcing sentence is the tactic's own text.
        head = 1 if group[0][1].move is Move.PLAN or _announces(text, group[0][1]) else 0
        span = Span(group[0][1].span.start, group[-1][1].span.end)
        tactics.append(Draft(Level.TACTIC, source, span, parts=[draft for _, draft in group[head:]]))
    return tactics


def _tactics(text: str, phase: Sequence[tuple[Unit, Draft]], source: Source) -> list[Draft]:
    """A unit that ends in a colon and what it announces become a tactic; other units stay steps."""
    tactics: list[Draft] = []
    start = 0
    while start < len(phase):
        stop = start + 1
        if _announces(text, phase[start][1]):
            stop = _announced(phase, start)
        drafts = [draft for _, draft in phase[start:stop]]
        # The announcing line and two items at least; its own line stays the tactic's text.
        if len(drafts) > 2:
            span = Span(drafts[0].span.start, drafts[-1].span.end)
            tactics.append(Draft(Level.TACTIC, source, span, parts=drafts[1:]))
        else:
            tactics += drafts
        start = stop
    return tactics


def _announces(text: str, draft: Draft) -> bool:
    return not draft.parts and text[draft.span.start : draft.span.end].rstrip("*_ ").endswith(":")


def _announced(phase: Sequence[tuple[Unit, Draft]], start: int) -> int:
    """The end of the run of list items (or the one paragraph) that unit `start` announces."""
    stop = start + 1
    while stop < len(phase) and (phase[stop][0].is_item or phase[stop][0].paragraph == phase[start][0].paragraph):
        stop += 1
    return stop


def _phases(text: str, drafts: list[Draft]) -> list[Draft]:
    """Input steps under strategies, where checks or other ways split them; few or uniform steps need none."""
    # A check, a correction or another way at step i cuts before i; without any there is only [0, n].
    cuts = [0, *(index for index, draft in enumerate(drafts) if index and draft.move in PHASE_OPENERS), len(drafts)]
    if len(drafts) <= SHALLOW or len(cuts) == 2:
        return drafts
    return list(_grouped(drafts, cuts))


def _grouped(drafts: Sequence[Draft], cuts: Iterable[int]) -> Iterator[Draft]:
    for start, stop in pairwise(cuts):
        group = drafts[start:stop]
        if len(group) == 1 or any(draft.level is Level.STRATEGY for draft in group):
            yield from group
        else:
            span = Span(group[0].span.start, group[-1].span.end)
            label = str(group[0].move) if group[0].move in PHASE_OPENERS else ""
            for draft in group:
                draft.rechecks = group[0].move is Move.CHECK
            yield Draft(Level.STRATEGY, group[0].source, span, kind=label, parts=list(group))
