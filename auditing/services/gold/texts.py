"""Texts of traces as gold is made from them: what may be read of one, and the shape of what people are asked about.

Reads Audit, Round, Decoy, Trace.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from auditing.checker.planting import Origin, Shape, lean, shape_of
from auditing.core.stages import AuditStage
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Decoy, Round
from auditing.selectors.gold.decoys import audience, lends_gold, ordinary_audits
from hdag.core.masking.masking import mask
from hdag.core.units import UnitKind
from hdag.core.values import Source, Trace
from hdag.models import Segment
from hdag.models import Trace as StoredTrace
from hdag.selectors import hidden_names, load_trace
from hdag.store.content import ContentDamagedError, ContentGoneError

JUDGED = ("", UnitKind.PASSAGE, UnitKind.ANSWER)  # units whose text stands in the trace
REMEMBERED = 100  # decoys that are made up for where they differ from what was asked
LATELY = 200  # rounds, of which one gives the kind of the question, and one the shape
LISTED = 400  # recorded audits that one decoy is drawn from, and
TRIES = 36  # of them whose texts are read: those most like what people were asked about
MOST_OF_ONE = 3  # decoys of one text: more, and whoever knows it would meet it everywhere
_OF_GOLD = Q(trace__decoys__origin__in=[origin for origin in Origin if origin is not Origin.REPEATED])


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


def leaning(*, campaign: Campaign) -> tuple[float, ...]:
    """By how much the next gold of a campaign shall differ from what is asked, to make up for the last decoys."""
    decoys = Decoy.objects.filter(trace__audits__campaign=campaign).exclude(apart=[]).order_by("-created", "pk")
    return lean(apart=decoys.values_list("apart", flat=True)[:REMEMBERED])


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
            abs(math.log((1 + characters) / max(1, 1 + shape.around + shape.problem)))
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
