"""Gold about wholes: readings of a problem, plans, and answers. Drafts, until an editor has confirmed them.

A draft is made of a recorded audit in which people passed the whole: as it is (held for right), or with a given of the
problem changed that the trace reads as it was, or a word by which the problem asks something else than the plan
answers, or another answer than it came to (held for wrong). No computer is certain of any of them, so that each waits
for a second editor like gold written by hand (reviews.py).

Reads Audit, SegmentOutcome, GoldSegment, Decoy; writes GoldSegment, Block, Notice, AuditEvent.
"""

import random
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.db import transaction

from accounts.models import User
from auditing.checker.planting import (
    Change,
    Origin,
    Perturbed,
    Whole,
    error_in_whole,
    find_wholes,
    in_words,
    shows_error,
    with_error,
)
from auditing.core.events import EventKind
from auditing.core.gold import next_truth
from auditing.core.policy import Grain
from auditing.core.values import Choice, Outcome, Tier
from auditing.models import Audit, Campaign, Decoy, GoldSegment, SegmentOutcome
from auditing.selectors.gold.decoys import audience, lends_gold
from auditing.selectors.gold.misled import Words, on_gold
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event
from auditing.services.gold.drafts import Draft
from auditing.services.gold.reviews import tell_editors
from auditing.services.gold.texts import readable_text, usable_texts
from hdag.core.passages import PlanKind
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.store import content

WHY_RIGHT = "People passed it in an audit, and an editor who did not know that said the same."


def draft_everywhere(*, by: User, most: int, rng: random.Random) -> int:
    """Store up to `most` drafts from each open campaign; returns how many."""
    rows = Campaign.objects.filter(state=Campaign.State.OPEN, policy__isnull=False).order_by("pk")
    return sum(draft_wholes(campaign=campaign, by=by, most=most, rng=rng) for campaign in rows.select_related("policy"))


def draft_wholes(*, campaign: Campaign, by: User, most: int, rng: random.Random) -> int:
    """Store up to `most` drafts from a campaign's recorded audits, each whole of a trace once; returns how many.

    Half of them are held for right, as far as texts yield both.
    """
    policy = load_policy(version=campaign.policy, domain=campaign.domain)
    if policy.grain is not Grain.PASSAGE:
        return 0
    made = 0
    with transaction.atomic():
        for audit, trace in usable_texts(campaign=campaign, seats=policy.human.k, rng=rng):
            for kind in rng.sample(tuple(PlanKind), len(PlanKind)):
                if made < most and _passed(audit, kind):
                    made += _draft_one(audit, trace, kind, by, rng)
        if made:
            record_event(audit=None, actor=by, kind=EventKind.GOLD_ADDED, count=made, provenance="drafts about wholes")
            tell_editors(author=by, key=f"gold-drafts:{rng.getrandbits(64):x}")
    return made


def confirmed_wholes(*, campaign: Campaign, seats: int, kind: str, truth: Choice, words: Words) -> Iterator[Draft]:
    """Drafts of that kind and truth that a second editor confirmed, each once a campaign; oldest first."""
    rows = GoldSegment.objects.filter(unit=kind, truth=truth, is_active=True, original__audits__campaign=campaign)
    planted = Decoy.objects.filter(gold__isnull=False, trace__audits__campaign=campaign).values("gold")
    fresh = rows.exclude(pk__in=planted).select_related("block", "original__provider").order_by("created", "pk")
    for row in fresh.distinct():
        assert row.original is not None
        if audience(campaign=campaign, original=row.original) >= seats and lends_gold(provider=row.original.provider):
            draft = _planted(row, words)
            if draft is not None:
                yield draft


def _passed(audit: Audit, kind: PlanKind) -> bool:
    """Whether people passed that whole, and nothing was drafted about it yet."""
    if GoldSegment.objects.filter(original=audit.trace, unit=kind).exists():
        return False
    passed = SegmentOutcome.objects.filter(audit=audit, segment__unit=kind, outcome=Outcome.PASS)
    return passed.filter(round__tier=Tier.HUMAN).exists()


def _draft_one(audit: Audit, trace: Trace, kind: PlanKind, by: User, rng: random.Random) -> bool:
    drafted = list(GoldSegment.objects.filter(unit=kind).values_list("truth", flat=True))
    truth = next_truth(right=drafted.count(Choice.PASS), wrong=drafted.count(Choice.FAIL), rng=rng)
    before = _whole_of(trace, kind)
    if before is None:
        return False
    error = error_in_whole(trace=trace, kind=kind, whole=before, rng=rng) if truth is Choice.FAIL else None
    if truth is Choice.FAIL and error is None:
        return False
    changed = with_error(trace=trace, kind=kind, whole=before, error=error)
    whole = _whole_of(changed, kind)
    if whole is None or (error is not None and not shows_error(whole=whole, kind=kind, error=error)):
        return False
    _store(audit, changed, kind, whole, error, by)
    return True


def _whole_of(trace: Trace, kind: PlanKind) -> Whole | None:
    return find_wholes(trace=trace, decompose=lambda text: RulesDecomposer().decompose(text)).get(kind)


def _store(audit: Audit, changed: Trace, kind: PlanKind, whole: Whole, error: Perturbed | None, by: User) -> None:
    texts: dict[str, Any] = {
        "problem": changed.problem,
        "premises": [],
        "implications": [],
        "text": whole.text,
        "explanation": WHY_RIGHT if error is None else in_words(error=error),
        "place": "",
        "model_votes": [],
        "reasoning": changed.thinking,
        "error": None if error is None else asdict(error),
    }
    GoldSegment.objects.create(
        name=f"{kind} of {audit.trace_id}",
        domain=audit.trace.domain,
        purpose=GoldSegment.Purpose.HONEYPOT,
        truth=Choice.PASS if error is None else Choice.FAIL,
        block=content.store_json(texts),
        author=by,
        is_active=False,
        original=audit.trace,
        unit=kind,
    )


def _planted(row: GoldSegment, words: Words) -> Draft | None:
    """The decoy of a confirmed draft; None where its text may not be read any more."""
    assert row.original is not None
    trace, texts, kind = readable_text(row=row.original), content.read_json(row.block), PlanKind(row.unit)
    before = None if trace is None else _whole_of(trace, kind)
    if trace is None or before is None:
        return None
    error = (
        None if texts["error"] is None else Perturbed(**{**texts["error"], "change": Change(texts["error"]["change"])})
    )
    changed = with_error(trace=trace, kind=kind, whole=before, error=error)
    whole = _whole_of(changed, kind)
    if whole is None:
        return None
    return Draft(
        trace=changed,
        span=whole.span,
        truth=Choice(row.truth),
        origin=Origin.DRAFTED,
        explanation=texts["explanation"],
        original=row.original,
        gold=row,
        change=None if error is None else error.change,
        grade=None if error is None else error.change.grade,
        words=on_gold(words=words, gold=row.pk),
    )
