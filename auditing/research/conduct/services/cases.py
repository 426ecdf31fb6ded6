"""A case about a reviewer: an admin decides on the signs, the person may appeal, another admin rules. No sign decides.

1. `decide`: what may follow from the evidence is one table (core/consequences.py); it takes effect at once.
2. `appeal`: the person says why it is wrong, once.
3. `rule`: somebody else lets it stand or lifts it; what was taken is given back, and bars end.
Each step has its leaf, which names the case and nobody.

Reads Conduct; writes ConductCase, Seat, Qualification, Transfer, Leaf, AuditEvent, Notice.
"""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import Role, User
from auditing.core.conduct import APPEALABLE, RULINGS, TIMED, ConductStep
from auditing.core.events import EventKind
from auditing.core.ledger.leaves import ConductDecision, Digest
from auditing.core.policy import Policy
from auditing.models import Account, Auditor, ConductCase, Notice, PolicyVersion, Transfer
from auditing.research.conduct.core import Evidence, open_decisions
from auditing.research.conduct.selectors.cases import WORDS, opened, record_of_case
from auditing.research.conduct.selectors.signs import Conduct, conduct_of
from auditing.research.practice.services import ask_again, ask_no_more
from auditing.selectors.points.statement import balances_of, worst_loss
from auditing.selectors.policy.versions import latest_policy, load_policy
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger
from auditing.services.points.transfers import Movement, accounts_of, post, system_account
from auditing.services.seating import assignment
from hdag.store import content

LONGEST_PLEA = 2_000  # characters


class ConductRefusedError(Exception):
    """This cannot be decided, appealed against or ruled on."""


def decide(*, auditor: Auditor, decision: ConductStep, why: str, actor: User, now: datetime) -> ConductCase:
    """Record what an admin decided about a reviewer, let it take effect, and tell that person with the reason.

    Raises ConductRefusedError: the own votes, evidence that does not carry it, votes that were decided on before, no
    reason for what a person may appeal against.
    """
    if auditor.user is None or auditor.user_id == actor.pk:
        raise ConductRefusedError("Nobody decides about their own votes.")
    if decision in APPEALABLE and not why.strip():
        raise ConductRefusedError("Say why: the reviewer reads it, and can only answer to a reason.")
    conduct = conduct_of(auditor=auditor, is_deciding=True)
    if decision not in open_decisions(evidence=Evidence() if conduct is None else conduct.evidence):
        raise ConductRefusedError("The votes do not show enough for that.")
    with transaction.atomic():
        # Two admins who decide at once take turns; the constraint refuses the second on the same votes.
        Auditor.objects.select_for_update(no_key=True).get(pk=auditor.pk)
        case = _open(auditor, decision, why, actor, now, conduct)
        _take_effect(case)
        _log(case, decision, is_first=True)
        record_event(
            audit=None, actor=actor, kind=EventKind.CONDUCT_DECIDED, auditor=str(auditor.pk), word=decision, why=why
        )
        _tell(case, decision, auditor.user, _told(case))
    if decision in TIMED:
        # After the commit, seat by seat: a settlement locks rounds before auditors, and must not wait in a circle.
        assignment.pass_on(auditor=auditor, because=str(decision), only_ordinary=decision is ConductStep.GOLD_ONLY)
    return case


def appeal(*, case: ConductCase, by: User, text: str, now: datetime) -> None:
    """The person whom a case is about says why it is wrong; every other admin is told. Raises ConductRefusedError."""
    if case.auditor.user_id != by.pk or ConductStep(case.decision) not in APPEALABLE:
        raise ConductRefusedError("You can appeal against decisions about your own votes.")
    if not text.strip():
        raise ConductRefusedError("Say why it is wrong: nobody can rule on nothing.")
    with transaction.atomic():
        plea = content.store_one(text.strip()[:LONGEST_PLEA])
        # One of two that arrive at once changes the row; the other counts none.
        if not ConductCase.objects.filter(pk=case.pk, appealed_at__isnull=True).update(plea=plea, appealed_at=now):
            raise ConductRefusedError("You have appealed already.")
        _log(case, ConductStep.APPEALED)
        record_event(audit=None, actor=by, kind=EventKind.CONDUCT_APPEALED, case=str(case.pk))
        judges = User.objects.filter(is_active=True, grants__role=Role.ADMIN).exclude(pk__in=(case.by_id, by.pk))
        text = "A reviewer appeals against a decision about their votes."
        key = f"conduct-appeal:{case.pk}"
        tell_people(people=judges, kind=Notice.Kind.DECISION, key=key, text=text, link="/conduct#appeals")


def rule(*, case: ConductCase, ruling: ConductStep, why: str, by: User, now: datetime) -> None:
    """Somebody else lets a decision stand or lifts it; lifted, nothing of it remains. Raises ConductRefusedError."""
    if ruling not in RULINGS:
        raise ConductRefusedError("An appeal is ruled on by one of two words.")
    if by.pk in (case.by_id, case.auditor.user_id):
        raise ConductRefusedError("Whoever decided, or is concerned, does not rule on the appeal.")
    if not why.strip():
        raise ConductRefusedError("Say why: the reviewer wrote a reason, and reads yours.")
    with transaction.atomic():
        waiting = ConductCase.objects.filter(pk=case.pk, appealed_at__isnull=False, ruling="")
        if not waiting.update(ruling=ruling, ruled_by=by, ruled_why=why[:300], ruled_at=now):
            raise ConductRefusedError("No appeal waits here.")
        if ruling is ConductStep.LIFTED:
            _give_back(case)
        _log(case, ruling)
        record_event(audit=None, actor=by, kind=EventKind.CONDUCT_RULED, case=str(case.pk), ruling=ruling, why=why)
        words = "it stands" if ruling is ConductStep.STANDS else "it is lifted, and no longer has any effect"
        _tell(case, ruling, case.auditor.person, f"Your appeal is decided: {words}. {why}")
        text = f"The appeal against what you decided about {case.auditor.person.pseudonym} is ruled on: {words}. {why}"
        key = f"conduct-ruled:{case.pk}"
        tell_people(people=[case.by], kind=Notice.Kind.DECISION, key=key, text=text, link="/conduct#appeals")


def _open(
    auditor: Auditor, decision: ConductStep, why: str, actor: User, now: datetime, conduct: Conduct | None
) -> ConductCase:
    version = latest_policy()
    policy = None if version is None else load_policy(version=version)
    ends = decision in TIMED and policy is not None
    try:
        with transaction.atomic():  # a savepoint: a refusal must not undo the caller's work
            return ConductCase.objects.create(
                auditor=auditor,
                decision=decision,
                why=why,
                evidence={} if conduct is None else _evidence(conduct),
                votes=0 if conduct is None else conduct.suspicion.votes,
                points=_price(auditor, policy) if decision is ConductStep.SLASHED and policy is not None else 0,
                until=now + timedelta(days=policy.no_show_days) if ends and policy is not None else None,
                by=actor,
            )
    except IntegrityError:
        raise ConductRefusedError("That was decided on these votes already; nobody answers for them twice.") from None


def _price(auditor: Auditor, policy: Policy) -> int:
    """What one wrong vote on gold costs under the policy, and never more than is there."""
    free = balances_of(auditors=[auditor])[auditor.pk].free_stake
    if free <= 0:
        raise ConductRefusedError("There are no points to take.")
    return min(worst_loss(policy=policy), free)


def _evidence(conduct: Conduct) -> dict[str, Any]:
    """The signs as they stand now. Shares as text: what the ledger's digest covers holds no floats."""
    return {
        "votes": conduct.suspicion.votes,
        "gold": conduct.suspicion.gold,
        "flagged_at": conduct.suspicion.flagged_at,
        "flagged_on_gold_at": conduct.on_gold.flagged_at,
        "in_ring": conduct.in_ring,
        "signs": {str(line.sign): f"{line.false_alarm:.6f}" for line in conduct.signs},
    }


def _take_effect(case: ConductCase) -> None:
    """What a decision changes beyond words. Draws to come read the row (selectors/conduct.py)."""
    step = ConductStep(case.decision)
    if step is ConductStep.RETRAIN and not ask_again(auditor=case.auditor, why=case.why, at=case.created):
        raise ConductRefusedError("No field of this reviewer has a calibration to pass again.")
    if step is ConductStep.SLASHED:
        _post(case, f"conduct:{case.pk}", -case.points)


def _give_back(case: ConductCase) -> None:
    if case.decision == ConductStep.RETRAIN:
        ask_no_more(auditor=case.auditor, why="Lifted on appeal: the earlier calibration counts.", at=case.created)
    if case.points:
        taken = Transfer.objects.get(key=f"conduct:{case.pk}")
        _post(case, f"conduct:{case.pk}:lifted", case.points, reverses=taken)


def _post(case: ConductCase, key: str, points: int, reverses: Transfer | None = None) -> None:
    """points: into the stake; negative ones go to the pool, where penalties go."""
    post(
        movements=[
            Movement(
                key=key,
                kind=Transfer.Kind.REVERSAL if reverses else Transfer.Kind.CONDUCT,
                points=points,
                source=system_account(name=Account.Name.POOL),
                target=accounts_of(auditors=[case.auditor], name=Account.Name.STAKE)[case.auditor_id],
                policy=PolicyVersion.objects.order_by("-number").first(),
                reverses=reverses,
            )
        ]
    )


def _log(case: ConductCase, step: ConductStep, *, is_first: bool = False) -> None:
    """The step's leaf: the case, the step, the digest of what it rests on; an end and a price on the first alone."""
    record = record_of_case(case=case)
    leaf = ConductDecision(
        case=Digest(bytes.fromhex(record["case"])),
        decision=step,
        evidence=Digest(sha256(opened(record=record)).digest()),
        until=int(case.until.timestamp()) if is_first and case.until else None,
        points=case.points if is_first and case.points else None,
    )
    ledger.write(audit=None, leaves=[leaf])


def _told(case: ConductCase) -> str:
    words = WORDS[ConductStep(case.decision)]
    if case.until is not None:
        words += f", until {case.until:%Y-%m-%d}"
    if case.points:
        words += f": {case.points}"
    can = " You can appeal on your record." if ConductStep(case.decision) in APPEALABLE else ""
    text = f"{words}: {case.why}" if case.why else words
    return f"{text}{'' if text.endswith(('.', '!', '?')) else '.'}{can}"


def _tell(case: ConductCase, step: ConductStep, person: User, text: str) -> None:
    # A key a step: news with the same key is told once.
    key = f"conduct:{case.pk}:{step}"
    tell_people(people=[person], kind=Notice.Kind.DECISION, key=key, text=text, link="/record#conduct")
