"""Gold by reviewer: more tickets in the draws of decoys for whoever met too little of it, newcomers and after drift."""

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from auditing.core.conduct import ConductStep
from auditing.core.ledger import bundle
from auditing.core.values import Choice
from auditing.models import Audit, Auditor, ConductCase, Qualification
from auditing.selectors.clock import database_now
from auditing.selectors.gold.rates import gold_rates, rates_of_campaign
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.seating.rosters import eligible_lines
from auditing.selectors.voting.bindings import pseudonym
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from tests.factories.worlds import World, make_user, make_world
from tests.rooms.gold.test_decoys import MUCH_GOLD, decoy_audits, sweep
from tests.rooms.gold.test_gold import FIELD, load
from tests.tools.built import lying_under

pytestmark = pytest.mark.django_db
NEWCOMERS = replace(MUCH_GOLD, gold_emphasis=4, newcomer_gold=1)


def birds(count: int) -> list[str]:
    """Lines of gold that is put into decoys, half of it right."""
    return [
        json.dumps(
            {
                "name": f"bird{number}",
                "domain": FIELD,
                "text": f"If every owl{number} has wings and a bat has wings, then a bat is an owl{number}.",
                "truth": ("pass", "fail")[number % 2],
                "purpose": "honeypot",
            }
        )
        for number in range(count)
    ]


def tickets_of(audit: Audit, auditor: Auditor) -> int:
    name = pseudonym(audit=audit, auditor=auditor)
    return next(line.weight for line in eligible_lines(audit=audit) if line.auditor == name)


@pytest.fixture(scope="module")
def built_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    with lying_under(django_db_blocker, tmp_path_factory.mktemp("ledger")) as directory:
        yield directory


@pytest.fixture(scope="module")
def mixed(built_once: Path) -> World:
    """Four who have judged gold, one who comes new, and a decoy that is planted after that."""
    world = make_world(reviewers=4, policy=NEWCOMERS)
    load(*birds(20))
    world.everybody_votes(world.submit())
    sweep(world)
    vote_all(world)
    for _ in range(2):
        world.everybody_votes(world.submit(copy=True))
    # Who has seen nothing may sit on any decoy.
    world.reviewers.append(make_user("new@example.org", "reviewer"))
    before = len(decoy_audits())
    assert len(sweep(world)) > before
    return world


def vote_all(world: World) -> None:
    for _ in range(40):
        world.settle_machines()
        if not world.vote_on_all_seats(dict.fromkeys(world.reviewers, Choice.PASS)):
            return


def test_a_newcomer_has_several_tickets_in_the_draw_of_a_decoy_and_one_in_any_other(mixed: World) -> None:
    newcomer = auditor_of(user=mixed.reviewers[-1])
    newest = decoy_audits()[-1]
    # Nobody is owed anything before the first seat, so that what is left is the emphasis alone.
    assert tickets_of(newest, newcomer) == 4
    ordinary = Audit.objects.filter(trace__decoy__isnull=True)
    assert {line.weight for audit in ordinary for line in eligible_lines(audit=audit)} == {1}


def test_whoever_has_judged_gold_has_as_many_tickets_as_seats_that_are_owed(mixed: World) -> None:
    veterans = [auditor_of(user=user) for user in mixed.reviewers[:-1]]
    rates = gold_rates(campaign=mixed.campaign, policy=NEWCOMERS, auditors=veterans)
    judged = [rate for rate in rates if not rate.is_new]
    assert judged
    for rate in judged:
        assert rate.tickets == 1 + max(0, int(Decimal("0.4") * rate.seats - rate.gold))


def test_after_a_calibration_that_lapsed_a_reviewer_counts_as_new(mixed: World) -> None:
    auditor = next(rate.auditor for rate in rates_of_campaign(campaign=mixed.campaign) if not rate.is_new)
    Qualification.objects.create(auditor=auditor, domain=FIELD, attempt=2, state="passed")
    [rate] = gold_rates(campaign=mixed.campaign, policy=NEWCOMERS, auditors=[auditor])
    assert (rate.is_new, rate.tickets % 4) == (True, 0)


def test_told_to_calibrate_again_a_reviewer_counts_as_new_unless_that_is_lifted(mixed: World) -> None:
    auditor = next(rate.auditor for rate in rates_of_campaign(campaign=mixed.campaign) if not rate.is_new)
    admin, other = make_user("boss@example.org", "admin"), make_user("other@example.org", "admin")
    told = {"auditor": auditor, "decision": ConductStep.RETRAIN, "evidence": {}, "votes": 20, "by": admin}
    case = ConductCase.objects.create(**told)
    assert gold_rates(campaign=mixed.campaign, policy=NEWCOMERS, auditors=[auditor])[0].is_new
    now = database_now()
    lifted = {"ruling": ConductStep.LIFTED, "ruled_by": other, "ruled_at": now, "appealed_at": now}
    ConductCase.objects.filter(pk=case.pk).update(**lifted)
    assert not gold_rates(campaign=mixed.campaign, policy=NEWCOMERS, auditors=[auditor])[0].is_new


def test_a_draw_with_tickets_is_repeated_by_the_verifier(mixed: World) -> None:
    vote_all(mixed)
    weighted = [
        audit
        for audit in decoy_audits()
        if audit.stage == "recorded" and {line.weight for line in eligible_lines(audit=audit)} > {1}
    ]
    assert weighted
    for audit in weighted:
        report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
        assert all(holds for holds, _, _ in report.lines), [line for line in report.lines if not line[0]]


def test_the_page_of_gold_shows_what_each_reviewer_met(mixed: World) -> None:
    client = Client()
    client.force_login(make_user("boss@example.org", "admin"), backend="django.contrib.auth.backends.ModelBackend")
    assert f"/gold/campaigns/{mixed.campaign.pk}" in client.get("/gold").content.decode()
    page = client.get(f"/gold/campaigns/{mixed.campaign.pk}").content.decode()
    rates = rates_of_campaign(campaign=mixed.campaign)
    assert rates
    for rate in rates:
        assert rate.auditor.person.pseudonym in page
