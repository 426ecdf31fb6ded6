"""Where decoys come from: passages of recorded audits, as they are or with an error planted, and imported gold.

A passage of a recorded audit can be gold when its audit passed it and the computer proved its computations (origin
`computed`, or `perturbed` with an error), or when an adjudicator's verdict on it stood to the end of the appeal window
(`adjudicated`). Reads Audit, SegmentOutcome, Segment, GoldSegment, Decoy.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from uuid import UUID

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

CANDIDATES = 36  # of imported gold or drafts, of which the one nearest in shape to a real one becomes a decoy
MOST_PROVED = 60  # passages of recorded audits that are looked at for one decoy, the nearest first
MOST_OF_A_SET = 200  # segments of sets looked at for one decoy: most say what no model was asked about


def find_draft(
    *, campaign: Campaign, policy: Policy, truth: Choice, rng: random.Random, misleading: bool | None = None
) -> Draft | None:
    """A decoy of that truth for a campaign, by the draw of `rng`; None where nothing fits.

    misleading: only gold that models fail on, or only other gold; None: either.
    """
    asked = real_shape(campaign=campaign, rng=rng)
    for source in _sources(campaign, policy, truth, asked, rng):
        for draft in source:
            if misleading in (None, draft.misleads_models) and is_asked(draft=draft, policy=policy):
                return draft
    return None


def _sources(
    campaign: Campaign, policy: Policy, truth: Choice, asked: Shape | None, rng: random.Random
) -> Iterator[Iterable[Draft]]:
    words, seats = words_of_models(), policy.human.k
    # A question of the kind that people are asked lately; a passage, where no editor has confirmed one of it.
    kind = real_kind(campaign=campaign, rng=rng)
    if kind:
        wholes = confirmed_wholes(campaign=campaign, seats=seats, kind=kind, truth=truth, words=words)
        yield _nearest(wholes, asked)
    # A text that several people meet as gold is known by itself: one that lent nothing yet comes before all others.
    for lent in range(MOST_OF_ONE):
        usable = usable_texts(campaign=campaign, seats=seats, rng=rng, lent=lent, like=asked)
        passages: list[Iterable[Draft]] = [_recorded(usable, truth, words, asked, rng)]
        if lent == 0:
            passages.append(_nearest(_imported(campaign, truth, words), asked))
        rng.shuffle(passages)
        yield from passages


def _nearest(drafts: Iterator[Draft], asked: Shape | None) -> Iterator[Draft]:
    """The first of a source, the nearest in shape to what is asked before the others."""
    candidates = list(islice(drafts, CANDIDATES))
    yield from (
        candidates[number] for number in nearest_first(shapes=[_shape(draft) for draft in candidates], asked=asked)
    )


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


def _recorded(
    usable: Sequence[tuple[Audit, Trace]], truth: Choice, words: Words, asked: Shape | None, rng: random.Random
) -> Iterator[Draft]:
    """Passages of recorded audits, those nearest in shape to what is asked first: by a verdict, or by computation."""
    texts, proofs = dict((audit.pk, (audit, trace)) for audit, trace in usable), dict[UUID, Proofs]()
    rows = _judged(list(texts))
    rng.shuffle(rows)  # of those that are alike any may come first
    counts = Counter(row.audit_id for row in rows)
    shapes = [
        shape_of(
            text=trace.source_text(span.source),
            start=span.start,
            end=span.end,
            passages=counts[row.audit_id],
            problem=trace.problem,
        )
        for row, span, (_, trace) in ((row, _span(row), texts[row.audit_id]) for row in rows)
    ]
    for row in (rows[number] for number in nearest_first(shapes=shapes, asked=asked)[:MOST_PROVED]):
        audit, trace = texts[row.audit_id]
        draft = _adjudicated(audit, trace, row, truth)
        if draft is None and row.outcome == Outcome.PASS:
            # Only now, and once a text: to check all of its computations takes longer than all else here.
            if audit.pk not in proofs:
                graph = load_graph(audit.fine_job).graph
                proofs[audit.pk] = Proofs(graph, decide_all(trace=trace, graph=graph))
            draft = _draft(trace, _span(row), proofs[audit.pk], truth, rng)
        if draft is not None:
            # Of a text with an error in it no model has said anything.
            heard = on_segment(words=words, segment=row.segment_id) if draft.change is None else ()
            yield replace(draft, original=audit.trace, words=heard)


def _judged(audits: Sequence[UUID]) -> list[SegmentOutcome]:
    rows = SegmentOutcome.objects.filter(
        audit__in=audits, segment__unit__in=JUDGED, segment__source__in=(Source.THINKING, Source.ANSWER)
    )
    return list(rows.select_related("segment", "round").order_by("audit", "segment__position"))


def _adjudicated(audit: Audit, trace: Trace, row: SegmentOutcome, truth: Choice) -> Draft | None:
    """A verdict that nobody overturned: its points are released, and no later audit says otherwise."""
    if row.outcome != truth or row.round is None or not row.round.adjudicates or audit.released_at is None:
        return None
    if Audit.objects.filter(follows=audit).exists():
        return None
    why = "An adjudicator decided this passage, and nobody overturned it."
    return Draft(trace=trace, span=_span(row), truth=truth, origin=Origin.ADJUDICATED, explanation=why)


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
