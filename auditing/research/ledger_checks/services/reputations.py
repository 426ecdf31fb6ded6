"""I8: every step of every reputation from the first one on, and each step against its leaf.

Reads ReputationStep, Leaf; writes nothing.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from uuid import UUID

from auditing.core.ledger.leaves.fields import decimal_text
from auditing.core.points.reputation import next_reputation, published, replay
from auditing.core.policy import Policy
from auditing.models import PolicyVersion, ReputationStep
from auditing.research.ledger_checks.services.survey import ROWS, Survey, read_leaves
from auditing.selectors.policy.versions import load_policy
from auditing.services.points.reputation import PLACES, exact_decimal

Link = tuple[int, bool, Fraction]  # row, correct, gamma


def replayed(survey: Survey) -> Iterator[str]:
    """A stranger checks each step from its stated prior; that one step continues the last is checked here."""
    policies: dict[tuple[UUID, str], Policy] = {}
    logged = Counter(_leaf_key(leaf) for _, leaf in read_leaves("reputation.update"))
    before: tuple[UUID | None, str, Fraction, int] = (None, "", Fraction(0), 0)
    start = Fraction(0)
    chain: list[Link] = []
    overturned = {(leaf["audit"], leaf["segment"]) for _, leaf in read_leaves("gold.overturn")}
    rows = ReputationStep.objects.order_by("auditor", "column", "votes").select_related(
        "seat__round__audit__policy", "seat__round__audit__trace"
    )
    for step in rows.iterator(ROWS):
        audit = step.seat.round.audit
        policy = _policy(policies, audit.policy, audit.trace.domain)
        # The next auditor, or the other column: the chain begins anew.
        if (step.auditor_id, step.column) != before[:2]:
            before = (step.auditor_id, step.column, Fraction(policy.initial_reputation), 0)
            start, chain = before[2], []
        if step.takes_back_id is not None:
            chain = [link for link in chain if link[0] != step.takes_back_id]
            yield from _check_taken_back(step, before[2:], replay(start=start, steps=[link[1:] for link in chain]))
            if (str(audit.pk), str(step.seat.round.segment_id)) not in overturned:
                yield f"step {step.votes} of auditor {step.auditor_id} was taken back, and no leaf overturns its gold"
            before = (step.auditor_id, step.column, Fraction(step.value), step.votes)
            continue
        chain.append((step.pk, step.correct, Fraction(policy.gamma)))
        yield from _check(step, before[2], before[3], policy)
        before = (step.auditor_id, step.column, Fraction(step.value), step.votes)
        key = _step_key(step)
        if not logged[key]:
            yield f"step {step.votes} of auditor {step.auditor_id} ({step.column}) has no leaf that says the same"
        logged[key] -= 1
    lost = sum((+logged).values())  # + drops what is zero or less
    if lost:
        yield f"the ledger states {lost} steps of reputation that no table has"


def _check(step: ReputationStep, start: Fraction, votes: int, policy: Policy) -> Iterator[str]:
    who, gamma = f"auditor {step.auditor_id} ({step.column})", Fraction(policy.gamma)
    if step.votes != votes + 1:
        yield f"{who}: step {step.votes} follows step {votes}"
    if not 0 <= step.value <= 1:
        yield f"{who}: {step.value} lies outside 0 to 1"
    # The leaf states the step from the published (rounded) value, the row goes on from the exact one.
    prior = published(reputation=start)
    after = next_reputation(reputation=prior, correct=step.correct, gamma=gamma)
    value = next_reputation(reputation=start, correct=step.correct, gamma=gamma)
    wanted = (exact_decimal(prior), exact_decimal(after), exact_decimal(value).quantize(PLACES))
    if (step.prior, step.after, step.value) != wanted:
        yield f"{who}: step {step.votes} does not follow from the one before it"


def _check_taken_back(step: ReputationStep, before: tuple[Fraction, int], value: Fraction) -> Iterator[str]:
    """The chain goes on from where it stands without the step that was taken out."""
    wanted = (before[1] + 1, exact_decimal(published(reputation=before[0])), exact_decimal(value).quantize(PLACES))
    if (step.votes, step.prior, step.value) != wanted:
        yield f"auditor {step.auditor_id} ({step.column}): what step {step.votes} takes back does not add up"


def _policy(policies: dict[tuple[UUID, str], Policy], version: PolicyVersion, domain: str) -> Policy:
    key = (version.pk, domain)
    if key not in policies:
        policies[key] = load_policy(version=version, domain=domain)
    return policies[key]


def _leaf_key(leaf: dict[str, Any]) -> tuple[Any, ...]:
    fields = ("audit", "segment", "round", "auditor", "column", "prior", "correct", "after")
    return tuple(leaf[name] for name in fields)


def _step_key(step: ReputationStep) -> tuple[Any, ...]:
    seat = step.seat
    return (
        str(seat.round.audit_id),
        str(seat.round.segment_id),
        seat.round.number,
        bytes(seat.pseudonym).hex(),
        step.column,
        decimal_text(step.prior),
        step.correct,
        decimal_text(step.after),
    )
