"""Where decoys come from: passages of recorded audits (recorded.py), confirmed wholes (wholes.py), imported gold.

Reads GoldSegment, Decoy.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, product

from auditing.checker.planting import GoldSpan, Grade, Origin, Shape, nearest_first, shape_of
from auditing.core.policy import Policy
from auditing.core.values import Choice
from auditing.models import Campaign, Decoy, GoldSegment
from auditing.selectors.gold.misled import Words, on_gold, words_of_models
from auditing.services.gold.drafts import Draft, is_asked
from auditing.services.gold.recorded import FEW, Recorded
from auditing.services.gold.texts import MOST_OF_ONE, leaning, real_kind, real_shapes, usable_texts
from auditing.services.gold.wholes import confirmed_wholes
from hdag.core.values import Source, Trace
from hdag.store import content

SHAPES = 4  # passages that people were asked lately, one of which a decoy shall be like
CANDIDATES = 36  # of imported gold or drafts, of which the one nearest in shape to a real one becomes a decoy
MOST_OF_A_SET = 200  # segments of sets looked at for one decoy: most say what no model was asked about


def find_draft(
    *, campaign: Campaign, policy: Policy, truth: Choice, rng: random.Random, misleading: bool | None = None
) -> Draft | None:
    """A decoy of that truth for a campaign, by the draw of `rng`; None where nothing fits.

    misleading: only gold that models fail on, or only other gold; None: either.
    """
    asked = real_shapes(campaign=campaign, rng=rng, most=SHAPES)
    for source in _sources(campaign, policy, truth, asked, rng):
        for draft in source:
            if misleading in (None, draft.misleads_models) and is_asked(draft=draft, policy=policy):
                # Of what was drawn first, so that what no text is near to is made up for as well.
                apart = draft.shape.apart(asked[0]) if asked and draft.shape is not None else ()
                return replace(draft, apart=apart)
    return None


def _sources(
    campaign: Campaign, policy: Policy, truth: Choice, asked: Sequence[Shape], rng: random.Random
) -> Iterator[Iterable[Draft]]:
    words, seats = words_of_models(), policy.human.k
    # A question of the kind that people are asked lately; a passage, where no editor has confirmed one of it.
    kind = real_kind(campaign=campaign, rng=rng)
    if kind:
        wholes = confirmed_wholes(campaign=campaign, seats=seats, kind=kind, truth=truth, words=words)
        yield _nearest(wholes, asked)
    imported = _nearest(_imported(campaign, truth, words), asked)
    recorded = _from_texts(campaign, seats, truth, words, asked, rng)
    # Gold of both is met: each has texts of its own kind.
    yield from rng.sample((imported, recorded), 2)


def _from_texts(
    campaign: Campaign, seats: int, truth: Choice, words: Words, asked: Sequence[Shape], rng: random.Random
) -> Iterator[Draft]:
    """Passages of recorded audits that look like one of those that are asked; of a small campaign, any at last."""

    # A text that several people meet as gold is known by itself: one that lent nothing yet comes before all others.
    # But a rare sort of text lends more often, lest gold be never of its sort.
    @cache
    def pool(lent: int) -> Recorded:
        usable = usable_texts(campaign=campaign, seats=seats, rng=rng, lent=lent, like=wanted)
        return Recorded(usable, truth, words, rng)

    levels, by = range(MOST_OF_ONE), leaning(campaign=campaign)
    wanted = [shape.moved(by) for shape in asked]
    for (shape, other), lent in product(zip(asked, wanted, strict=True), levels):
        yield from pool(lent).near(shape, other)
    if not asked or sum(pool(lent).texts for lent in levels) <= FEW:
        for lent in levels:
            yield from pool(lent).by_distance(asked[0] if asked else None)


def _nearest(drafts: Iterator[Draft], asked: Sequence[Shape]) -> Iterator[Draft]:
    """The first of a source, the nearest in shape to what is asked before the others."""
    candidates = list(islice(drafts, CANDIDATES))
    shapes = [_shape(draft) for draft in candidates]
    yield from (candidates[number] for number in nearest_first(shapes=shapes, asked=asked[0] if asked else None))


def _shape(draft: Draft) -> Shape:
    # The premises of imported gold stand before it, as passages of their own.
    start = draft.span.at if draft.origin is Origin.IMPORTED else draft.span.start
    text = draft.trace.source_text(draft.span.source)
    return shape_of(text=text, start=start, end=draft.span.end, problem=draft.trace.problem)


def _imported(campaign: Campaign, truth: Choice, words: Words) -> Iterator[Draft]:
    """Gold of the sets, each once a campaign, oldest first."""
    rows = GoldSegment.objects.filter(
        purpose=GoldSegment.Purpose.HONEYPOT, is_active=True, truth=truth, original__isnull=True
    )
    if campaign.domain:
        rows = rows.filter(domain=campaign.domain)
    planted = Decoy.objects.filter(gold__isnull=False, trace__audits__campaign=campaign).values("gold")
    for row in rows.exclude(pk__in=planted).select_related("block").order_by("created", "pk")[:MOST_OF_A_SET]:
        texts = content.read_json(row.block)
        before = "".join(f"{premise}\n\n" for premise in texts["premises"])
        start, end = len(before), len(before) + len(texts["text"])
        yield Draft(
            trace=Trace(problem=texts["problem"], thinking=before + texts["text"], domain=row.domain),
            # The premises are taken as given, so a unit that holds them as well has the truth of the text.
            span=GoldSpan(Source.THINKING, 0, end, start),
            truth=truth,
            origin=Origin.IMPORTED,
            explanation=texts["explanation"],
            gold=row,
            grade=Grade.DOMAIN if truth is Choice.FAIL else None,
            words=(*on_gold(words=words, gold=row.pk), *texts.get("model_votes", ())),
        )
