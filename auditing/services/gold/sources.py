"""Where decoys come from: passages of recorded audits, as they are or with an error planted, and imported gold.

A passage of a recorded audit can be gold when its audit passed it and the computer proved its computations (origin
`computed`, or `perturbed` with an error), or when an adjudicator's verdict on it stood to the end of the appeal window
(`adjudicated`). Reads Audit, SegmentOutcome, Segment, GoldSegment, Decoy.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from auditing.checker.examination import decide_all
from auditing.checker.planting import (
    GoldSpan,
    Grade,
    Origin,
    Proofs,
    in_words,
    is_all_computed,
    perturb,
    proved_equations,
    rewritten,
)
from auditing.core.policy import Policy
from auditing.core.values import Choice, Outcome
from auditing.models import Audit, Campaign, Decoy, GoldSegment, SegmentOutcome
from auditing.selectors.gold.misled import Words, on_gold, on_segment, words_of_models
from auditing.services.gold.drafts import Draft, is_asked
from auditing.services.gold.texts import (
    JUDGED,
    MOST_OF_ONE,
    Shape,
    nearest_first,
    passages_of,
    real_kind,
    real_shape,
    shape_of,
    usable_texts,
)
from auditing.services.gold.wholes import confirmed_wholes
from hdag.core.values import Source, Trace
from hdag.selectors import load_graph
from hdag.store import content

CANDIDATES = 36  # passages of one source, of which the one nearest in shape to a real one becomes gold
MOST_OF_A_SET = 200  # segments of sets looked at for one decoy: most say what no model was asked about


def find_draft(
    *, campaign: Campaign, policy: Policy, truth: Choice, rng: random.Random, misleading: bool | None = None
) -> Draft | None:
    """A decoy of that truth for a campaign, by the draw of `rng`; None where nothing fits.

    misleading: only gold that models fail on, or only other gold; None: either.
    """
    asked = real_shape(campaign=campaign, rng=rng)
    for source in _sources(campaign, policy, truth, rng):
        drafts = (draft for draft in source if misleading in (None, draft.misleads_models))
        # Within one source, so that gold of all sources is met: each has texts of its own kind.
        candidates = list(islice(drafts, CANDIDATES))
        for number in nearest_first(shapes=[_shape(draft) for draft in candidates], asked=asked):
            if is_asked(draft=candidates[number], policy=policy):
                return candidates[number]
    return None


def _sources(campaign: Campaign, policy: Policy, truth: Choice, rng: random.Random) -> Iterator[Iterator[Draft]]:
    words, seats = words_of_models(), policy.human.k
    # A question of the kind that people are asked lately; a passage, where no editor has confirmed one of it.
    kind = real_kind(campaign=campaign, rng=rng)
    if kind:
        yield confirmed_wholes(campaign=campaign, seats=seats, kind=kind, truth=truth, words=words)
    # A text that several people meet as gold is known by itself: one that lent nothing yet comes before all others.
    for lent in range(MOST_OF_ONE):
        usable = usable_texts(campaign=campaign, seats=seats, rng=rng, lent=lent)
        passages = [_adjudicated(usable, truth, words), _computed(usable, truth, words, rng)]
        if lent == 0:
            passages.append(_imported(campaign, truth, words))
        rng.shuffle(passages)
        yield from passages


def _shape(draft: Draft) -> Shape:
    # The premises of imported gold stand before it, as passages of their own.
    start = draft.span.at if draft.origin is Origin.IMPORTED else draft.span.start
    passages = 1 if draft.original is None else passages_of(trace=draft.original.pk)
    text = draft.trace.source_text(draft.span.source)
    return shape_of(text=text, start=start, end=draft.span.end, passages=passages, problem=draft.trace.problem)


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


def _adjudicated(usable: Sequence[tuple[Audit, Trace]], truth: Choice, words: Words) -> Iterator[Draft]:
    """Verdicts that nobody overturned: their points are released, and no later audit says otherwise."""
    for audit, trace in usable:
        if audit.released_at is None or Audit.objects.filter(follows=audit).exists():
            continue
        rows = SegmentOutcome.objects.filter(
            audit=audit, round__adjudicates=True, outcome=truth, segment__unit__in=JUDGED
        )
        for row in rows.filter(segment__source__in=(Source.THINKING, Source.ANSWER)).select_related("segment"):
            why = "An adjudicator decided this passage, and nobody overturned it."
            yield Draft(
                trace=trace,
                span=_span(row),
                truth=truth,
                origin=Origin.ADJUDICATED,
                explanation=why,
                original=audit.trace,
                words=on_segment(words=words, segment=row.segment_id),
            )


def _computed(
    usable: Sequence[tuple[Audit, Trace]], truth: Choice, words: Words, rng: random.Random
) -> Iterator[Draft]:
    """Passages that passed their audit, with their computations proved: as they are, or with an error."""
    for audit, trace in usable:
        graph = load_graph(audit.fine_job).graph
        proofs = Proofs(graph, decide_all(trace=trace, graph=graph))
        rows = SegmentOutcome.objects.filter(audit=audit, outcome=Outcome.PASS, segment__unit__in=JUDGED)
        judged = list(rows.select_related("segment").order_by("segment__position"))
        judged = [row for row in judged if row.segment.source in (Source.THINKING, Source.ANSWER)]
        rng.shuffle(judged)
        for row in judged:
            draft = _draft(trace, _span(row), proofs, truth, rng)
            if draft is not None:
                # Of a text with an error in it no model has said anything.
                heard = on_segment(words=words, segment=row.segment_id) if draft.change is None else ()
                yield replace(draft, original=audit.trace, words=heard)


def _draft(trace: Trace, span: GoldSpan, proofs: Proofs, truth: Choice, rng: random.Random) -> Draft | None:
    """One passage as gold of that truth; None where the computer proved too little of it."""
    text = trace.source_text(span.source)[span.start : span.end]
    if truth is Choice.PASS:
        if not is_all_computed(stretch=span.stretch, text=text, problem=trace.problem, proofs=proofs):
            return None
        why = "Every computation in this passage is proved."
        return Draft(trace=trace, span=span, truth=truth, origin=Origin.COMPUTED, explanation=why)
    equations = proved_equations(stretch=span.stretch, proofs=proofs)
    planted = perturb(text=text, equations=equations, problem=trace.problem, rng=rng)
    if planted is None:
        return None
    error = replace(planted, start=span.start + planted.start, end=span.start + planted.end)
    shift = len(error.new) - (error.end - error.start)
    return Draft(
        trace=rewritten(trace=trace, source=span.source, error=error),
        span=GoldSpan(span.source, span.start, span.end + shift, error.start),
        truth=truth,
        origin=Origin.PERTURBED,
        explanation=in_words(error=error),
        change=error.change,
        grade=error.change.grade,
    )


def _span(row: SegmentOutcome) -> GoldSpan:
    return GoldSpan(Source(row.segment.source), row.segment.start, row.segment.end, row.segment.start)
