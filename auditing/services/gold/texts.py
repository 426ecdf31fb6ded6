"""Texts of traces as gold is made from them: what may be read of one, and the shape of what people are asked about.

Gold that was longer, or stood nearer to the beginning of its text, than what is really asked would be known by that
alone. Reads Audit, Round, Trace.
"""

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from auditing.checker.planting import Origin
from auditing.core.stages import AuditStage
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Round
from auditing.selectors.gold.decoys import audience, lends_gold, ordinary_audits
from hdag.core.masking.masking import mask
from hdag.core.units import UnitKind
from hdag.core.values import Source, Trace
from hdag.models import Segment
from hdag.models import Trace as StoredTrace
from hdag.selectors import hidden_names, load_trace
from hdag.store.content import ContentDamagedError, ContentGoneError

JUDGED = ("", UnitKind.PASSAGE, UnitKind.ANSWER)  # units whose text stands in the trace
FORMULAS = ("$", "\\(", "\\[")
_NUMBER, _RELATION = re.compile(r"\d+"), re.compile(r"[=<>≤≥≈≠]")
_LETTER = re.compile(r"(?<![A-Za-z\\'])[B-HJ-Zb-z](?![A-Za-z])")  # by itself, as a variable is; no a, A, I
LATELY = 200  # rounds, of which one gives the kind of the question, and one the shape
LISTED = 400  # recorded audits that one decoy is drawn from, and
TRIES = 36  # of them whose texts are read: those most like what people were asked about
MOST_OF_ONE = 3  # decoys of one text: more, and whoever knows it would meet it everywhere
_OF_GOLD = Q(trace__decoys__origin__in=[origin for origin in Origin if origin is not Origin.REPEATED])


@dataclass(frozen=True, slots=True)
class Shape:
    """How a passage looks to whoever does not read it. position: of its start in its text, 0 to 1.

    around, paragraphs, commands, passages, boxes, letters: of that text, on which hangs what stands beside it.
    """

    characters: int
    lines: int
    formulas: int  # marks of formulas
    position: float
    around: int = 0  # characters
    paragraphs: int = 0
    numbers: int = 0  # in the passage, and
    relations: int = 0  # its signs of equality and order: prose has few of either
    commands: int = 0  # of TeX in the text: boxed answers, fractions
    passages: int = 1  # that its text is cut into
    problem: int = 0  # characters of what stands pinned beside it
    boxes: int = 0  # answers of the text that are drawn in a box, which is seen from afar, and
    letters: int = 0  # its variables

    def distance(self, other: "Shape") -> float:
        """How far apart two are, 0 for alike; half a text away counts as .5, twice as many characters as .69.

        >>> round(Shape(99, 1, 0, 0.5).distance(Shape(199, 1, 0, 0.0)), 2)
        1.19
        """
        counts = zip(self._counts(), other._counts(), strict=True)
        return sum(abs(math.log((1 + a) / (1 + b))) for a, b in counts) + abs(self.position - other.position)

    def _counts(self) -> tuple[int, ...]:
        passage = (self.characters, self.lines, self.formulas, self.numbers, self.relations)
        text = (self.around, self.paragraphs, self.commands, self.passages, self.boxes, self.letters)
        return *passage, *text, self.problem


def shape_of(*, text: str, start: int, end: int, passages: int = 1, problem: str = "") -> Shape:
    """The shape of text[start:end] in its text, in code points; passages: that the text is cut into."""
    passage = text[start:end]
    return Shape(
        characters=len(passage),
        lines=passage.count("\n"),
        formulas=sum(passage.count(mark) for mark in FORMULAS),
        position=start / max(1, len(text)),
        around=len(text),
        paragraphs=text.count("\n\n"),
        numbers=len(_NUMBER.findall(passage)),
        relations=len(_RELATION.findall(passage)),
        commands=text.count("\\"),
        passages=passages,
        problem=len(problem),
        boxes=text.count("\\boxed"),
        letters=len(_LETTER.findall(text)),
    )


def nearest_first(*, shapes: Sequence[Shape], asked: Shape | None) -> list[int]:
    """The numbers of the shapes, the one nearest to what is really asked first; as they came where nothing was asked.

    >>> nearest_first(shapes=[Shape(900, 0, 0, 0.5), Shape(90, 0, 0, 0.5)], asked=Shape(120, 0, 0, 0.2))
    [1, 0]
    """
    numbers = range(len(shapes))
    return list(numbers) if asked is None else sorted(numbers, key=lambda number: shapes[number].distance(asked))


def real_kind(*, campaign: Campaign, rng: random.Random) -> str:
    """The kind of unit that people were lately asked about, by the draw: of a whole, or "" for any passage."""
    kinds = list(_lately(campaign).values_list("segment__unit", flat=True)[:LATELY])
    kind = rng.choice(kinds) if kinds else ""
    return kind if kind in (UnitKind.GOAL, UnitKind.STRATEGY, UnitKind.ANSWER) else ""


def real_shapes(*, campaign: Campaign, rng: random.Random, most: int) -> list[Shape]:
    """Shapes of passages that people were lately asked about, by the draw; none before the first, or of erased ones."""
    listed = list(_lately(campaign).filter(segment__unit__in=JUDGED).values_list("pk", flat=True)[:LATELY])
    drawn = rng.sample(listed, min(most, len(listed)))
    rows = Round.objects.select_related("segment", "audit__trace__provider").in_bulk(drawn)
    shapes = (_shape_of(rows[key]) for key in drawn)
    return [shape for shape in shapes if shape is not None]


def _shape_of(row: Round) -> Shape | None:
    trace, segment = readable_text(row=row.audit.trace), row.segment
    if trace is None or segment.source not in (Source.THINKING, Source.ANSWER):
        return None
    text = trace.source_text(Source(segment.source))
    passages = passages_of(graphs=[segment.decomposition_id])[segment.decomposition_id]
    return shape_of(text=text, start=segment.start, end=segment.end, passages=passages, problem=trace.problem)


def passages_of(*, graphs: Sequence[UUID]) -> dict[UUID, int]:
    """How many passages of its text are judged in each graph; at least one."""
    units = Segment.objects.filter(decomposition__in=graphs, unit__in=JUDGED).order_by().values_list("decomposition")
    return dict.fromkeys(graphs, 1) | dict(units.annotate(n=Count("pk")))


def _lately(campaign: Campaign) -> QuerySet[Round]:
    """What people were asked about traces that somebody handed in, newest first."""
    rounds = Round.objects.filter(audit__campaign=campaign, audit__trace__decoy__isnull=True, tier=Tier.HUMAN)
    return rounds.filter(adjudicates=False).order_by("-stage_since", "pk")


def readable_text(*, row: StoredTrace) -> Trace | None:
    """The trace without its name and reference answer; None where its text is gone, or tells who wrote it."""
    try:
        trace = load_trace(row)
    except (ContentGoneError, ContentDamagedError):
        return None
    names = hidden_names(provider=row.provider, trace=trace)
    texts = (trace.problem, trace.thinking, trace.answer, *(call.text for call in trace.tool_calls))
    # Under another provider nobody would mask this one's name.
    if any(mask(text=text, names=names) != text for text in texts):
        return None
    return replace(trace, title="", id="", reference_answer="")


def usable_texts(
    *, campaign: Campaign, seats: int, rng: random.Random, lent: int | None = None, like: Sequence[Shape] = ()
) -> list[tuple[Audit, Trace]]:
    """Recorded audits of a campaign, drawn by `rng`, whose text may be used and is new to enough reviewers.

    seats: of one decoy. lent: only texts of which that many decoys were made. like: of many drawn ones, those whose
    texts are nearest to one of these shapes. Nobody is shown a decoy and its original.
    """
    audits = _audits(campaign) if lent is None else _audits(campaign).filter(decoys=lent)
    listed = list(audits.order_by("pk").values_list("pk", flat=True))
    drawn = rng.sample(listed, min(LISTED, len(listed)))
    if like:
        drawn = _nearest_texts(drawn, like)
    rows = Audit.objects.select_related("trace__provider", "decomposition__derived_from").in_bulk(drawn[:TRIES])
    chosen = []
    for audit in (rows[key] for key in drawn[:TRIES]):
        if audience(campaign=campaign, original=audit.trace) < seats or not lends_gold(provider=audit.trace.provider):
            continue
        trace = readable_text(row=audit.trace)
        if trace is not None:
            chosen.append((audit, trace))
    return chosen


def _nearest_texts(drawn: Sequence[UUID], like: Sequence[Shape]) -> list[UUID]:
    """Audits in the order of how near their texts are to any of the shapes, as far as lengths tell: none is read."""
    audits = list(Audit.objects.filter(pk__in=drawn).values_list("pk", "trace__characters", "decomposition"))
    passages = passages_of(graphs=[graph for *_, graph in audits])
    apart = {
        key: min(
            abs(math.log((1 + characters) / (1 + shape.around + shape.problem)))
            + abs(math.log(passages[graph] / shape.passages))
            for shape in like
        )
        for key, characters, graph in audits
    }
    return sorted(drawn, key=lambda key: apart.get(key, math.inf))


def _audits(campaign: Campaign) -> QuerySet[Any, Any]:
    """Recorded audits whose texts may be used: by rules, not erased, lent seldom; each with its number of `decoys`."""
    audits = ordinary_audits().filter(campaign=campaign, stage=AuditStage.RECORDED, trace__erased_at__isnull=True)
    used = audits.annotate(decoys=Count("trace__decoys", filter=_OF_GOLD, distinct=True))
    return used.filter(decoys__lt=MOST_OF_ONE)
