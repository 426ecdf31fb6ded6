"""Decisions about reviewers: what evidence carries, what takes effect, who rules on appeals, the leaves."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.db import IntegrityError

from accounts.models import RoleGrant, User
from auditing.core.conduct import ConductStep
from auditing.models import (
    Account,
    Audit,
    Auditor,
    ConductCase,
    GoldSegment,
    Leaf,
    Notice,
    Posting,
    Qualification,
    Transfer,
)
from auditing.research.conduct.selectors.cases import cases_of, opened
from auditing.research.conduct.services import cases
from auditing.research.conduct.services.cases import ConductRefusedError
from auditing.research.practice.services import start_again
from auditing.selectors.clock import database_now
from auditing.selectors.policy.versions import latest_policy, load_policy
from auditing.selectors.seating.eligible import Eligible
from auditing.services.points import books
from auditing.services.points.transfers import Movement, accounts_of, post, stake_newcomers, system_account
from auditing.services.seating.auditors import auditor_of
from hdag.store import content
from tests.factories.worlds import TRACE, World, make_user
from tests.rooms.conduct.test_conduct import judged, page_of

pytestmark = pytest.mark.django_db
STEPS = ["retrain", "gold-only", "suspended", "slashed"]


@pytest.fixture
def boss() -> User:
    return make_user("boss@example.org", "admin")


@pytest.fixture
def second() -> User:
    return make_user("second@example.org", "admin")


def new_audit(world: World) -> Any:
    """Of a text that nobody has seen: copies of a text share one budget of disclosure."""
    thinking = TRACE.thinking.replace(".", " on the last farm.")
    return world.submit(replace(TRACE, problem=f"The last question. {TRACE.problem}", thinking=thinking))


def stamper_of(world: World) -> Auditor:
    return auditor_of(user=world.reviewers[0])


def decide(world: World, boss: User, step: str, auditor: Auditor | None = None) -> ConductCase:
    auditor = auditor or stamper_of(world)
    return cases.decide(auditor=auditor, decision=ConductStep(step), why="All passed.", actor=boss, now=database_now())


def leaves_of() -> list[dict[str, Any]]:
    rows = Leaf.objects.filter(kind="conduct.decision").order_by("id")
    return [json.loads(bytes(body)) for body in rows.values_list("body", flat=True)]


def stake_of(auditor: Auditor) -> int:
    rows = Posting.objects.filter(account__auditor=auditor, account__name=Account.Name.STAKE)
    return sum(rows.values_list("amount", flat=True))


def drawn_for(audits: Sequence[Any], auditor: Auditor) -> list[bool]:
    rounds = [audit.rounds.filter(tier="human", adjudicates=False).first() for audit in audits]
    assert all(rounds)
    return [auditor in Eligible(audit=round.audit).auditors(round=round) for round in rounds]


def sits_or_may(audit: Audit, auditor: Auditor) -> bool:
    """Whether an audit's rounds are open to somebody: who sits already is no longer eligible for the same round.

    Both happen: a round is drawn at once when the stakes of all three reviewers still suffice, and waits when not.
    """
    return drawn_for([audit], auditor) == [True] or audit.rounds.filter(seats__auditor=auditor).exists()


@pytest.mark.parametrize("step", STEPS)
def test_whoever_reads_is_only_warned_whatever_an_admin_wants(judged: World, boss: User, step: str) -> None:
    with pytest.raises(ConductRefusedError, match="not show enough"):
        decide(judged, boss, step, auditor_of(user=judged.reviewers[2]))
    assert not leaves_of()


def test_a_suspension_ends_by_itself(judged: World, boss: User) -> None:
    case, auditor = decide(judged, boss, "suspended"), stamper_of(judged)
    ConductCase.objects.filter(pk=case.pk).update(until=database_now() - timedelta(seconds=1))
    open_audit = new_audit(judged)
    judged.settle_machines()
    assert sits_or_may(open_audit, auditor)


def test_to_calibrate_again_is_asked_before_the_next_seat(judged: World, boss: User) -> None:
    auditor, domain = stamper_of(judged), "school maths"
    Qualification.objects.create(auditor=auditor, domain=domain, state="passed")
    with pytest.raises(ConductRefusedError, match="No field"):
        decide(judged, boss, "retrain")
    assert not ConductCase.objects.exists()
    make_questions(domain)
    decide(judged, boss, "retrain")
    standing = Qualification.objects.get(auditor=auditor, domain=domain)
    assert (standing.state, standing.attempt) == ("lapsed", 2)


def test_lifted_nothing_is_to_be_calibrated_again(judged: World, boss: User, second: User) -> None:
    auditor, domains = stamper_of(judged), ("school maths", "law")
    for domain in domains:
        Qualification.objects.create(auditor=auditor, domain=domain, state="passed")
        make_questions(domain)
    case = decide(judged, boss, "retrain")
    start_again(auditor=auditor, domain=domains[0])
    other = Qualification.objects.create(auditor=auditor, domain="medicine", state="lapsed", why="Right on 2 of 10.")
    appeal_and_rule(judged, case, second, "lifted")
    standing = Qualification.objects.filter(auditor=auditor).exclude(pk=other.pk)
    assert {(row.state, row.why[:6]) for row in standing} == {("passed", "Lifted")}
    other.refresh_from_db()
    assert other.state == "lapsed"


@pytest.mark.parametrize("step", ["warned", "suspended", "slashed"])
def test_whoever_is_judged_reads_why(judged: World, boss: User, second: User, step: str) -> None:
    client, auditor = page_of(boss), stamper_of(judged)
    refused = client.post(f"/conduct/{auditor.pk}", {"decision": step, "why": " "}, follow=True)
    assert "Say why" in refused.content.decode()
    assert not ConductCase.objects.exists()
    client.post(f"/conduct/{auditor.pk}", {"decision": "cleared", "why": ""})
    case = decide(judged, boss, "suspended")
    [notice] = Notice.objects.filter(user=judged.reviewers[0], key=f"conduct:{case.pk}:suspended")
    assert ": All passed. You can appeal" in notice.text
    cases.appeal(case=case, by=judged.reviewers[0], text="I did read.", now=database_now())
    page_of(second).post(f"/conduct/cases/{case.pk}/ruling", {"ruling": "stands", "why": ""})
    case.refresh_from_db()
    assert case.ruling == ""


def make_questions(domain: str) -> None:
    for number in range(5):
        block = content.store_one(json.dumps({"text": f"{number}"}))
        GoldSegment.objects.create(name=f"{domain} {number}", domain=domain, truth="pass", block=block)


def test_a_slash_takes_what_the_policy_says_and_lifted_gives_it_back(judged: World, boss: User, second: User) -> None:
    auditor, version = stamper_of(judged), latest_policy()
    assert version is not None
    policy = load_policy(version=version)
    stake_newcomers(policy=version, stake=1_000)
    before = stake_of(auditor)
    case = decide(judged, boss, "slashed")
    assert before - stake_of(auditor) == case.points == policy.honeypot_multiplier * policy.penalty
    appeal_and_rule(judged, case, second, "lifted")
    assert stake_of(auditor) == before
    assert not list(books.find_faults())


def test_where_there_is_nothing_nothing_is_taken(judged: World, boss: User) -> None:
    auditor = stamper_of(judged)
    target = accounts_of(auditors=[auditor], name="stake")[auditor.pk]
    pool = system_account(name="pool")
    post(movements=[Movement(key="gone", kind=Transfer.Kind.STAKE, points=-10_000, source=pool, target=target)])
    with pytest.raises(ConductRefusedError, match="no points"):
        decide(judged, boss, "slashed")


def appeal_and_rule(judged: World, case: ConductCase, by: User, ruling: str) -> None:
    person = case.auditor.person
    cases.appeal(case=case, by=person, text="I did read.", now=database_now())
    cases.rule(case=case, ruling=ConductStep(ruling), why="He did.", by=by, now=database_now())


def test_lifted_the_person_is_drawn_again(judged: World, boss: User, second: User) -> None:
    case = decide(judged, boss, "suspended")
    appeal_and_rule(judged, case, second, "lifted")
    open_audit = new_audit(judged)
    judged.settle_machines()
    assert sits_or_may(open_audit, stamper_of(judged))
    [notice] = Notice.objects.filter(user=judged.reviewers[0], key=f"conduct:{case.pk}:lifted")
    assert "no longer has any effect" in notice.text


def test_whoever_decided_does_not_rule_and_the_database_says_so_too(judged: World, boss: User) -> None:
    case = decide(judged, boss, "suspended")
    cases.appeal(case=case, by=judged.reviewers[0], text="I did read.", now=database_now())
    with pytest.raises(ConductRefusedError, match="does not rule"):
        cases.rule(case=case, ruling=ConductStep.STANDS, why="", by=boss, now=database_now())
    with pytest.raises(IntegrityError, match="somebody_else"):
        ConductCase.objects.filter(pk=case.pk).update(ruling="stands", ruled_by=boss, ruled_at=database_now())


def test_an_appeal_is_made_once_by_the_person_and_ruled_on_once(judged: World, boss: User, second: User) -> None:
    case = decide(judged, boss, "suspended")
    with pytest.raises(ConductRefusedError, match="No appeal waits"):
        cases.rule(case=case, ruling=ConductStep.LIFTED, why="He did.", by=second, now=database_now())
    with pytest.raises(ConductRefusedError, match="your own votes"):
        cases.appeal(case=case, by=judged.reviewers[1], text="He did read.", now=database_now())
    appeal_and_rule(judged, case, second, "stands")
    with pytest.raises(ConductRefusedError, match="already"):
        cases.appeal(case=case, by=judged.reviewers[0], text="Again.", now=database_now())
    with pytest.raises(ConductRefusedError, match="No appeal waits"):
        cases.rule(case=case, ruling=ConductStep.LIFTED, why="He did.", by=second, now=database_now())
    assert [leaf["decision"] for leaf in leaves_of()] == ["suspended", "appealed", "stands"]


def test_nobody_answers_twice_for_the_same_votes(judged: World, boss: User, second: User) -> None:
    appeal_and_rule(judged, decide(judged, boss, "suspended"), second, "lifted")
    with pytest.raises(ConductRefusedError, match="nobody answers"):
        decide(judged, second, "suspended")


def test_the_ledger_names_the_case_and_the_person_can_open_what_it_rests_on(judged: World, boss: User) -> None:
    case = decide(judged, boss, "suspended")
    [leaf] = leaves_of()
    assert str(case.auditor_id) not in json.dumps(leaf)
    record = page_of(judged.reviewers[0]).get(f"/conduct/cases/{case.pk}.json").json()
    assert leaf["case"] == record["case"] == cases_of(auditor=case.auditor)[0].name
    assert leaf["evidence"] == sha256(opened(record=record)).hexdigest()
    assert record["record"]["evidence"]["gold"] > 10
    assert page_of(judged.reviewers[1]).get(f"/conduct/cases/{case.pk}.json").status_code == 404


def test_the_person_appeals_on_the_record_and_another_admin_rules_on_the_page(
    judged: World, boss: User, second: User
) -> None:
    page_of(boss).post(f"/conduct/{stamper_of(judged).pk}", {"decision": "suspended", "why": "All passed."})
    person = page_of(judged.reviewers[0])
    shown = person.get("/record").content.decode()
    assert "you are given no seats" in shown
    case = ConductCase.objects.get()
    person.post(f"/conduct/cases/{case.pk}/appeal", {"text": "I read <b>all</b>."})
    assert "somebody else rules" in page_of(boss).get("/conduct").content.decode()
    page = page_of(second).get("/conduct").content.decode()
    assert "I read &lt;b&gt;all&lt;/b&gt;." in page
    assert "Lift it" in page
    page_of(second).post(f"/conduct/cases/{case.pk}/ruling", {"ruling": "lifted", "why": "He did."})
    told = " ".join(person.get("/record").content.decode().split())
    assert "It has no effect any more" in told
    assert f"you are given no seats, until {case.until:%-d %B %Y}. <strong>" in told
    [notice] = Notice.objects.filter(user=boss, key=f"conduct-ruled:{case.pk}")
    assert notice.text.endswith("it is lifted, and no longer has any effect. He did.")


def test_points_that_were_taken_are_told_in_one_sentence(judged: World, boss: User) -> None:
    version = latest_policy()
    assert version is not None
    stake_newcomers(policy=version, stake=1_000)
    case = decide(judged, boss, "slashed")
    told = " ".join(page_of(judged.reviewers[0]).get("/record").content.decode().split())
    assert f"points are taken from you: {case.points} points. <strong>" in told


def test_an_appeal_on_which_nobody_may_rule_says_that_it_waits_and_stands_on_the_home_of_admins(
    judged: World, boss: User, second: User
) -> None:
    case = decide(judged, boss, "suspended")
    cases.appeal(case=case, by=judged.reviewers[0], text="I did read.", now=database_now())
    person = page_of(judged.reviewers[0])
    assert "There is no such admin at present" not in person.get("/record").content.decode()
    assert "appeal against decisions about votes" in page_of(second).get("/home").content.decode()
    RoleGrant.objects.filter(role="admin").exclude(user=boss).delete()
    assert "There is no such admin at present" in person.get("/record").content.decode()
    assert "There is nobody else" in page_of(boss).get("/conduct").content.decode()


@pytest.mark.parametrize("who", [0, 1])
def test_strangers_cannot_appeal_or_rule(judged: World, boss: User, who: int) -> None:
    case = decide(judged, boss, "suspended")
    client = page_of(judged.reviewers[1])
    address = f"/conduct/cases/{case.pk}/{'appeal' if who else 'ruling'}"
    assert client.post(address, {"text": "x", "ruling": "lifted"}).status_code in (302, 403, 404)
    case.refresh_from_db()
    assert (case.appealed_at, case.ruling) == (None, "")


__all__ = ["judged"]
