"""Where decoys come from: passages of recorded audits, as they are or with an error planted, and imported gold.

A passage of a recorded audit can be gold when its audit passed it and the computer proved its computations (origin
`computed`, or `perturbed` with an error), or when an adjudicator's verdict on it stood to the end of the appeal window
(`adjudicated`). Reads Audit, SegmentOutcome, Segment, GoldSegment, Decoy.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import Count, Q, QuerySet

from auditing.checker.examination import decide_all
from auditing.checker.planting import (
    Change,
    GoldSpan,
    Grade,
    Origin,
    Proofs,
    find_asked,
    is_all_computed,
    perturb,
    proved_equations,
)
from auditing.core.policy import Grain, Policy
from auditing.core.stages import AuditStage
from auditing.core.values import Choice, Outcome
from auditing.models import Audit, Campaign, Decoy, GoldSegment, SegmentOutcome
from auditing.selectors.gold.decoys import audience, lends_gold, ordinary_audits
from auditing.selectors.gold.misled import Words, misleads, on_gold, on_segment, words_of_models
from auditing.services.gold.texts import JUDGED, Shape, most_alike, readable_text, real_shape, shape_of
from hdag.core.units import Stretch
from hdag.core.values import Source, StepSpan, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Trace as StoredTrace
from hdag.selectors import load_graph
from hdag.store import content

TRIES = 12  # audits looked at for one decoy
CANDIDATES = 6  # passages of one source, of which the one nearest in shape to a real one becomes gold
MOST_OF_A_SET = 200  # segments of sets looked at for one decoy: most say what no model was asked about
MOST_OF_ONE = 3  # decoys of one text: more, and whoever knows it would meet it everywhere
_OF_GOLD = Q(trace__decoys__origin__in=[origin for origin in Origin if origin is not Origin.REPEATED])
_IN_WORDS = {
    Change.FAR_OFF: "the result is far off",
    Change.OFF_BY_ONE: "the result is off by one in its last place",
    Change.SIGN: "a sign is turned",
    Change.COPIED_NUMBER: "a number is copied wrongly from the problem",
    Change.UNIT: "the unit is another one",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A decoy before it is planted: its text, the place of the gold in it, and what is known."""

    trace: Trace
    span: GoldSpan
    truth: Choice | None  # None: a passage that comes again, of which nothing is known
    origin: Origin
    explanation: str
    original: StoredTrace | None = None
    gold: GoldSegment | None = None
    change: Change | None = None
    grade: Grade | None = None
    words: Sequence[str] = ()  # what qualified models said of the very text

    @property
    def misleads_models(self) -> bool:
        """Whether most of them were wrong about it."""
        return self.truth is not None and misleads(words=self.words, truth=self.truth)


def find_draft(
    *, campaign: Campaign, policy: Policy, truth: Choice, rng: random.Random, misleading: bool | None = None
) -> Draft | None:
    """A decoy of that truth for a campaign, by the draw of `rng`; None where nothing fits.

    misleading: only gold that models fail on, or only other gold; None: either.
    """
    usable, words = _usable(campaign, policy.human.k, rng), words_of_models()
    sources = [
        _imported(campaign, truth, words),
        _adjudicated(usable, truth, words),
        _computed(usable, truth, words, rng),
    ]
    rng.shuffle(sources)
    asked = real_shape(campaign=campaign, rng=rng)
    for source in sources:
        drafts = (draft for draft in source if misleading in (None, draft.misleads_models))
        # Within one source, so that gold of all sources is met: each has texts of its own kind.
        alike = list(islice((draft for draft in drafts if _is_asked(draft, policy)), CANDIDATES))
        if alike:
            return alike[most_alike(shapes=[_shape(draft) for draft in alike], asked=asked)]
    return None


def _shape(draft: Draft) -> Shape:
    # The premises of imported gold stand before it, as passages of their own.
    start = draft.span.start if draft.gold is None else draft.span.at
    return shape_of(text=draft.trace.source_text(draft.span.source), start=start, end=draft.span.end)


def _usable(campaign: Campaign, seats: int, rng: random.Random) -> list[tuple[Audit, Trace]]:
    """Recorded audits of a campaign, drawn by `rng`, whose text may be used and is new to enough reviewers.

    Nobody is shown a decoy and its original. Under another provider nobody would mask the name of this one.
    """
    listed = list(_audits(campaign).order_by("pk").values_list("pk", flat=True))
    drawn = rng.sample(listed, min(TRIES, len(listed)))
    rows = Audit.objects.select_related("trace__provider", "decomposition__derived_from").in_bulk(drawn)
    chosen = []
    for audit in (rows[key] for key in drawn):
        if audience(campaign=campaign, original=audit.trace) < seats or not lends_gold(provider=audit.trace.provider):
            continue
        trace = readable_text(row=audit.trace)
        if trace is not None:
            chosen.append((audit, trace))
    return chosen


def _is_asked(draft: Draft, policy: Policy) -> bool:
    """Whether people would be asked about the gold, and where nothing was planted about nothing more than it."""
    asked = find_asked(
        trace=draft.trace,
        span=draft.span,
        by_passages=policy.grain is Grain.PASSAGE,
        decompose=lambda trace: RulesDecomposer().decompose(trace),
    )
    if asked is None:
        return False
    # A unit that is larger than what is known to be right may be wrong elsewhere; an error makes any unit wrong.
    return draft.truth is Choice.FAIL or (draft.span.start <= asked[0] and asked[1] <= draft.span.end)


def _imported(campaign: Campaign, truth: Choice, words: Words) -> Iterator[Draft]:
    """Gold of the sets, each once a campaign, oldest first."""
    rows = GoldSegment.objects.filter(purpose=GoldSegment.Purpose.HONEYPOT, is_active=True, truth=truth)
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
    shift = len(planted.new) - (planted.end - planted.start)
    start, end = span.start + planted.start, span.start + planted.end
    return Draft(
        trace=_rewritten(trace, span.source, Stretch(span.source, 0, start, end), planted.new),
        span=GoldSpan(span.source, span.start, span.end + shift, start),
        truth=truth,
        origin=Origin.PERTURBED,
        explanation=f"“{planted.old}” was changed to “{planted.new}”: {_IN_WORDS[planted.change]}.",
        change=planted.change,
        grade=planted.change.grade,
    )


def _rewritten(trace: Trace, source: Source, old: Stretch, new: str) -> Trace:
    """The trace with one stretch replaced, its input steps moved along."""
    text = trace.source_text(source)
    changed = text[: old.start] + new + text[old.end :]
    if source is Source.ANSWER:
        return replace(trace, answer=changed)
    shift = len(new) - (old.end - old.start)
    return replace(trace, thinking=changed, steps=tuple(_moved(step, old.end, shift) for step in trace.steps))


def _moved(step: StepSpan, after: int, shift: int) -> StepSpan:
    moves = {name: value + shift for name in ("start", "end") if (value := getattr(step, name)) >= after}
    return replace(step, **moves)


def _audits(campaign: Campaign) -> QuerySet[Audit]:
    """Recorded audits of a campaign whose texts may be used: by rules, not erased, not used too often."""
    audits = ordinary_audits().filter(campaign=campaign, stage=AuditStage.RECORDED, trace__erased_at__isnull=True)
    used = audits.annotate(decoys=Count("trace__decoys", filter=_OF_GOLD, distinct=True))
    return used.filter(decoys__lt=MOST_OF_ONE)


def _span(row: SegmentOutcome) -> GoldSpan:
    return GoldSpan(Source(row.segment.source), row.segment.start, row.segment.end, row.segment.start)
