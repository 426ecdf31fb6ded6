"""All lateral edges: premises of steps and operations, from the problem and from tools; checks and corrections."""

import re
from collections.abc import Iterator, Sequence

from hdag.core.relations import Relation, Strength
from hdag.core.values import Edge, Source, Trace
from hdag.decomposers.rules.derivation import Derivation, PremiseLink
from hdag.decomposers.rules.discourse import Move
from hdag.decomposers.rules.drafts import Draft
from hdag.decomposers.rules.evidence import COMMON_VALUES, read_evidence, values_in
from hdag.decomposers.rules.statements import Statements, are_statements

# What a step that opens with a discourse move does to the step it speaks about; none of these is a premise.
SIDEWAYS = {
    Move.CHECK: (Relation.VALIDATES, "checks it again"),
    Move.RETRACT: (Relation.CONTRADICTS, "takes it back"),
    Move.ALTERNATIVE: (Relation.REFINES, "another way to it"),
    Move.EXAMPLE: (Relation.EXEMPLIFIES, "is an example of it"),
    Move.REFINE: (Relation.REFINES, "says it more exactly"),
}
TELLING = re.compile(r"(?<=[^.!?]\s)[A-Z][A-Za-z-]{3,40}|\b[a-z]{11,40}\b")
READ = 20_000  # characters of a tool's output that are looked at
STRONG, MEDIUM = 0.7, 0.45  # confidence from which an edge is strong, and medium


def link(*, trace: Trace, drafts: list[Draft]) -> list[Edge]:
    """Every edge but decomposes_to. Premises point from later to earlier steps only, so they cannot run in a circle.

    What the input states counts as stated; only the other steps are inferred, as a derivation or as plain statements.
    """
    # 1. premises of steps: stated by the input format, else inferred
    steps = [draft for draft in drafts if _is_step(draft)]
    texts = [draft.text(trace) for draft in steps]
    links = _declared(trace, steps)
    declared = {premise.step for premise in links}
    statements = are_statements(texts=texts) and bool(trace.steps)
    inferred = _statements(texts) if statements else _derivation(trace, steps, texts)
    # A step that states "no premises" (an empty list) has said so: nothing is inferred for it.
    with_parents = _with_parents(trace)
    stated = {index for index, draft in enumerate(steps) if draft.step in with_parents}
    without = stated | declared
    links += [premise for premise in inferred if premise.step not in without]
    # 2. edges from them, then the relations that are no premises
    edges = [_premise(steps, premise) for premise in links]
    edges += _sideways(steps, links)
    # 3. what rests on the problem, on tools, and one operation on another; plain statements have no problem to solve
    if not statements:
        edges += _to_problem(trace, drafts, steps, texts, links)
    edges += _tool_calls(trace, drafts, steps, texts)
    edges += _operations(trace, steps, links)
    return edges


def _is_step(draft: Draft) -> bool:
    """Steps outside tool calls, and operations that stand in no step (a one-line sum)."""
    return draft.stands_as_step and draft.source is not Source.TOOL_CALL


def _with_parents(trace: Trace) -> set[int]:
    return {step.index for step in trace.steps if step.parents is not None}


def _declared(trace: Trace, steps: Sequence[Draft]) -> list[PremiseLink]:
    """The premises that the input format states (DAG-MATH)."""
    position = {draft.step: index for index, draft in enumerate(steps) if draft.step is not None}
    return [
        PremiseLink(position[parent], position[step.index], 1.0, "declared")
        for step in trace.steps
        if step.index in position
        for parent in step.parents or ()
        # A stated premise that is no earlier step cannot be one.
        if parent in position and position[parent] < position[step.index]
    ]


def _statements(texts: Sequence[str]) -> Iterator[PremiseLink]:
    return Statements(texts=texts).links()


def _derivation(trace: Trace, steps: Sequence[Draft], texts: Sequence[str]) -> Iterator[PremiseLink]:
    evidences = [read_evidence(text=text) for text in texts]
    labelled = [
        # An unnumbered input step answers to its place in the input: "by step 3" means steps[2].
        evidence._replace(label=draft.step + 1) if evidence.label is None and draft.step is not None else evidence
        for evidence, draft in zip(evidences, steps, strict=True)
    ]
    return Derivation(steps=labelled, givens=frozenset(values_in(text=trace.problem))).links()


def _premise(steps: Sequence[Draft], inferred: PremiseLink) -> Edge:
    strength = _strength(inferred.confidence)
    return Edge(
        steps[inferred.step].id,
        steps[inferred.premise].id,
        Relation.DEPENDS_ON,
        strength,
        round(inferred.confidence, 3),
        EXPLANATIONS.get(inferred.reason, inferred.reason),
    )


def _strength(confidence: float) -> Strength:
    if confidence >= STRONG:
        return Strength.STRONG
    return Strength.MEDIUM if confidence >= MEDIUM else Strength.WEAK


def _sideways(steps: Sequence[Draft], links: Sequence[PremiseLink]) -> Iterator[Edge]:
    """validates, contradicts, exemplifies, refines: to the likeliest premise, without one to the step before."""
    best: dict[int, PremiseLink] = {}
    for link in links:
        # The later of two equals: what was said last is what one turns to.
        if link.step not in best or link.confidence >= best[link.step].confidence:
            best[link.step] = link
    for index, draft in enumerate(steps):
        relation, why = SIDEWAYS.get(draft.move, (None, ""))
        if relation is not None and index:
            target = best[index].premise if index in best else index - 1
            yield Edge(draft.id, steps[target].id, relation, Strength.MEDIUM, 0.6, why)


def _to_problem(
    trace: Trace, drafts: Sequence[Draft], steps: Sequence[Draft], texts: Sequence[str], links: Sequence[PremiseLink]
) -> Iterator[Edge]:
    """Steps that use a value of the problem, and steps that rest on nothing else, rest on the problem."""
    # Without a problem the goal is the thinking itself, and nothing rests on it.
    goal = drafts[0]
    if goal.source is not Source.PROBLEM:
        return
    givens = set(values_in(text=trace.problem)) - COMMON_VALUES
    resting = {link.step for link in links}
    for index, (draft, text) in enumerate(zip(steps, texts, strict=True)):
        if not givens.isdisjoint(values_in(text=text)):
            yield Edge(draft.id, goal.id, Relation.DEPENDS_ON, Strength.MEDIUM, 0.8, "uses a value of the problem")
        elif index not in resting:
            yield Edge(draft.id, goal.id, Relation.DEPENDS_ON, Strength.WEAK, 0.5, "rests on the problem alone")


def _tool_calls(trace: Trace, drafts: Sequence[Draft], steps: Sequence[Draft], texts: Sequence[str]) -> Iterator[Edge]:
    """A call rests on the step that made it; a later step that uses a value of its output rests on the call."""
    calls = [draft for draft in drafts if draft.source is Source.TOOL_CALL]
    if not calls:
        return
    position = {draft.step: index for index, draft in enumerate(steps) if draft.step is not None}
    stated = set(values_in(text=trace.problem)) | set(_telling(trace.problem))
    made: dict[str, tuple[Draft, int]] = {}
    for draft in calls:
        call = trace.tool_calls[draft.source_index]
        # `after`: the step that made the call, or -1 where the log does not say (it may then serve every step).
        after = position.get(call.step, -1) if call.step is not None else -1
        if after >= 0:
            yield Edge(draft.id, steps[after].id, Relation.DEPENDS_ON, Strength.STRONG, 0.95, "made the call")
        # What the call itself asked for is nothing that it returned.
        for key in (*values_in(text=call.output), *(set(_telling(call.output)) - set(_telling(call.arguments)))):
            made.setdefault(key, (draft, after))
    for index, (step, text) in enumerate(zip(steps, texts, strict=True)):
        # A value or name counts as the tool's only where no earlier text stated it; a dict keeps the order.
        values, names = dict.fromkeys(values_in(text=text)), dict.fromkeys(_telling(text))
        fresh = [key for key in (*values, *names) if key not in stated and key in made and made[key][1] < index]
        stated.update(values, names)
        for key in dict.fromkeys(made[key][0].id for key in fresh):
            yield Edge(step.id, key, Relation.DEPENDS_ON, Strength.STRONG, 0.8, "uses what the tool returned")


def _telling(text: str) -> list[str]:
    """Names and rare long words, in lower case: what a step cannot know unless it was told."""
    return [word.lower() for word in TELLING.findall(text[:READ])]


def _operations(trace: Trace, steps: Sequence[Draft], links: Sequence[PremiseLink]) -> Iterator[Edge]:
    """An operation rests on the nearest earlier one, in its step or in a premise of its step, whose result it uses."""
    bases: dict[int, list[int]] = {}
    for link in links:
        bases.setdefault(link.step, []).append(link.premise)
    results: list[dict[str, Draft]] = []
    computed: dict[tuple[str, ...], Draft] = {}
    for index, step in enumerate(steps):
        # results of this step's operations so far, by value: what is nearest is asked first
        own: dict[str, Draft] = {}
        around = [results[base] for base in sorted(bases.get(index, ()), reverse=True)]
        for operation in step.parts:
            values = values_in(text=operation.text(trace))
            # The last number of an operation is its result: "40 * 2 = 80" uses 40 and 2 and makes 80.
            for key in _resting(values[:-1], [own, *around]):
                yield Edge(operation.id, key, Relation.DEPENDS_ON, Strength.STRONG, 0.9, "computes with its result")
            # The same numbers in the same order, in a stretch that goes over earlier work: a check, not a premise.
            first = computed.setdefault(values, operation)
            if step.rechecks and first is not operation:
                yield Edge(operation.id, first.id, Relation.VALIDATES, Strength.STRONG, 0.9, "computes it again")
            own.update(dict.fromkeys(values[-1:], operation))
        results.append(own)


def _resting(values: Sequence[str], nearest: Sequence[dict[str, Draft]]) -> dict[str, None]:
    """Ids of the operations that produced `values`, the nearest place first."""
    makers: dict[str, None] = {}
    for value in dict.fromkeys(values):
        maker = next((results[value] for results in nearest if value in results), None)
        if maker is not None and value not in COMMON_VALUES:
            makers[maker.id] = None
    return makers


EXPLANATIONS = {
    "previous": "follows the step before",
    "result used": "uses a result from there",
    "value introduced": "uses a value first stated there",
    "value nearest": "uses a value last stated there",
    "given stated": "uses a given that is stated there",
    "referred to": "refers to it by number",
    "symbol nearest": "uses a symbol from there",
    "rare words": "shares telling words",
    "unspent at the end": "the last step gathers what nothing has used",
    "unspent, gathered": "gathers what nothing has used",
    "only it covers these words": "nothing else says these words",
    "covers what the best leaves": "says what the best match leaves open",
    "its own words recur": "its words recur here",
    "best match": "shares most telling words",
    "second match": "shares most telling words but one",
    "third match": "shares telling words",
    "unspent": "nothing has used it yet",
    "declared": "declared by the trace",
}
