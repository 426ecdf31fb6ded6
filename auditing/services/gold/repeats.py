"""Blind repeats: a passage comes again, later and unmarked, to whoever judged it: does the same person say the same?

A repeat goes through the corridor like a decoy, but for two things: it has no truth, so that nothing is sealed or paid
as gold, and its only candidates are those who judged the passage before. Where they do not decide it, nobody else is
asked: it ends undecided, and no consumer reads it. How many are due stands in placing.py.

Reads Round, Audit; writes Decoy, Trace, Audit, User.
"""

import random
from dataclasses import replace
from datetime import datetime, timedelta

from auditing.checker.planting import GoldSpan, Origin, find_asked
from auditing.core.events import EventKind
from auditing.core.policy import Grain, Policy
from auditing.models import Audit, Campaign, Round
from auditing.selectors.gold.decoys import lends_gold
from auditing.selectors.gold.repeats import repeatable
from auditing.selectors.policy.versions import load_policy
from auditing.services.gold import placing
from auditing.services.gold.decoys import plant
from auditing.services.gold.drafts import Draft
from auditing.services.gold.texts import readable_text
from hdag.core.values import Source
from hdag.decomposers.rules import RulesDecomposer

TRIES = 12  # passages looked at for one repeat
WHY = "A passage that its reviewers judged before."


def repeat_due(*, seed: bytes, now: datetime) -> int:
    """Repeat what is due in every open campaign; returns how many. seed: 32 random bytes, kept in the events."""
    return placing.place_everywhere(place=lambda campaign: repeat(campaign=campaign, seed=seed, now=now))


def repeat(*, campaign: Campaign, seed: bytes, now: datetime) -> int:
    """Repeat what one campaign's policy asks for and its recorded audits yield; returns how many passages."""
    policy = load_policy(version=campaign.policy, domain=campaign.domain)
    # Who may not sit beside what was read before may not sit on it either.
    if not policy.neighbours:
        return 0
    sort = placing.Sort(
        event=EventKind.GOLD_REPEATED,
        is_repeat=True,
        share=policy.repeat_share,
        plant=lambda rng, _: _repeat_one(campaign, policy, rng, now),
    )
    return placing.place_due(campaign=campaign, policy=policy, sort=sort, seed=seed)


def _repeat_one(campaign: Campaign, policy: Policy, rng: random.Random, now: datetime) -> Audit | None:
    rounds = repeatable(campaign=campaign, before=now - timedelta(hours=policy.repeat_after_hours))
    listed = list(rounds.order_by("pk").values_list("pk", flat=True))
    drawn = rng.sample(listed, min(TRIES, len(listed)))
    rows = Round.objects.select_related("segment", "audit__trace__provider").in_bulk(drawn)
    for key in drawn:
        draft = _draft(rows[key])
        if draft is not None and _comes_again(draft, policy):
            return plant(draft=draft, campaign=campaign, rng=rng)
    return None


def _comes_again(draft: Draft, policy: Policy) -> bool:
    """Whether the rules would cut the very passage once more, and ask people about it: a rehearsal, as for decoys."""
    # No longer than a point, so that what is proved stays proved: in a decoy the whole of the gold would be asked.
    point = replace(draft.span, end=draft.span.start)
    asked = find_asked(
        trace=draft.trace,
        span=point,
        by_passages=policy.grain is Grain.PASSAGE,
        decompose=lambda trace: RulesDecomposer().decompose(trace),
    )
    return asked == (draft.span.start, draft.span.end)


def _draft(round: Round) -> Draft | None:
    """The text as it was; None where its provider lends no passages, or where it would tell who wrote it."""
    row, segment = round.audit.trace, round.segment
    trace = readable_text(row=row) if lends_gold(provider=row.provider) else None
    if trace is None or segment.source not in (Source.THINKING, Source.ANSWER):
        return None
    span = GoldSpan(Source(segment.source), segment.start, segment.end, segment.start)
    return Draft(trace=trace, span=span, truth=None, origin=Origin.REPEATED, explanation=WHY, original=row)
