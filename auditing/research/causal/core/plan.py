"""Which segments an audit changes, and how: chosen or automatic segments, a fixed, random or adaptive type.

Source: Ariadne, section 2.1 and 5.1 (the first substantive thought); every segment on the way to the answer is ours.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from auditing.research.causal.core.interventions import InterventionKind, first_substantive, kinds_for


class Pick(StrEnum):
    """Which segments are changed."""

    EVERY = "every"  # each step before the answer
    BEARING = "bearing"  # each step that the answer rests on
    FIRST = "first"  # the paper's automatic choice: the first one longer than 10 characters
    CHOSEN = "chosen"  # by label


class Mode(StrEnum):
    """How the type of an intervention is found."""

    ADAPTIVE = "adaptive"  # the first type that fits the text: number, comparison, cause, negation
    RANDOM = "random"  # a type that fits the text, drawn from the seed
    EACH = "each"  # every type, one trial each
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Design:
    """What a causal audit does with each trace. `together` changes all picked segments in one trial."""

    pick: Pick = Pick.EVERY
    chosen: tuple[str, ...] = ()
    mode: Mode = Mode.ADAPTIVE
    kind: InterventionKind | None = None  # for FIXED
    together: bool = False
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Planned:
    """One trial to carry out: which segments, and the type for each of them."""

    segments: tuple[str, ...]
    kinds: tuple[InterventionKind, ...]

    @property
    def label(self) -> str:
        """The segments in one word, such as ST2+ST5."""
        return "+".join(self.segments)


def plan_trials(
    *, texts: Mapping[str, str], sink: str, bearing: Collection[str], design: Design, trace: str, any_kind: bool = False
) -> tuple[Planned, ...]:
    """The trials of one trace; `texts` are its steps in reading order, `any_kind` when a model can do every type.

    A type that no rule can carry out on a text is left out, unless `any_kind`. With several segments in one trial,
    those that the type does not fit are left as they are.

    >>> texts = {"ST1": "2 + 3 = 5", "ST2": "So the answer is 5."}
    >>> plan_trials(texts=texts, sink="ST2", bearing={"ST1", "ST2"}, design=Design(), trace="t")[0].label
    'ST1'
    """
    picked = _pick(texts, sink, bearing, design)
    # The seed of a segment holds trace and label, so that adding a segment does not change the draw of the others.
    options = {key: _kinds(texts[key], design, f"{design.seed} {trace} {key}", any_kind) for key in picked}
    if not design.together:
        return tuple(Planned((key,), (wanted,)) for key in picked for wanted in options[key])
    wanted_types = InterventionKind if design.mode is Mode.EACH else (None,)
    trials = []
    for wanted in wanted_types:
        # The first type that fits each segment, under this wanted type (None: any); segments it does not fit stay out.
        chosen = {}
        for key, fitting in options.items():
            matching = [option for option in fitting if wanted in (option, None)]
            if matching:
                chosen[key] = matching[0]
        if chosen:
            trials.append(Planned(tuple(chosen), tuple(chosen.values())))
    return tuple(trials)


def _pick(texts: Mapping[str, str], sink: str, bearing: Collection[str], design: Design) -> Sequence[str]:
    # Changing the answer itself says nothing about whether it rests on the reasoning.
    before = [key for key in texts if key != sink]
    if design.pick is Pick.CHOSEN:
        return [key for key in before if key in design.chosen]
    if design.pick is Pick.BEARING:
        return [key for key in before if key in bearing]
    if design.pick is Pick.FIRST:
        index = first_substantive(texts=[texts[key] for key in before])
        return [] if index is None else [before[index]]
    return before


def _kinds(text: str, design: Design, seed: str, any_kind: bool) -> tuple[InterventionKind, ...]:
    fitting = kinds_for(text=text)
    allowed = tuple(InterventionKind) if any_kind else fitting
    if design.mode is Mode.FIXED:
        return (design.kind,) if design.kind in allowed else ()
    if design.mode is Mode.EACH:
        return allowed
    if design.mode is Mode.RANDOM:
        # A hash rather than a generator: the same type in every process and for every order of segments.
        drawn = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
        return (allowed[drawn % len(allowed)],) if allowed else ()
    # A model as critic can flip the logic of a text in which no rule finds anything.
    return fitting[:1] or ((InterventionKind.LOGIC_FLIP,) if any_kind else ())
