"""Audits under a version from before the floor of windows: people have an hour, and silence costs them nothing."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from auditing.core.ledger import bundle
from auditing.core.policy import FAST, Policy, digest, to_json
from auditing.core.policy.windows import LEAST_WINDOW
from auditing.models import Account, Audit, Leaf, PolicyVersion, Posting, Round, Seat, Transfer
from auditing.research.ledger_checks.services.points import unclosed
from auditing.research.treasury.returned_fines import give_back_due
from auditing.selectors.clock import database_now
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.points.reputations import no_shows_of
from auditing.selectors.points.statement import balances_of
from auditing.services.ledger import leaves
from auditing.services.points import books, settlement
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from tests.factories.worlds import TRACE, World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
# Two of three are enough, so that the third one's silence draws nobody else.
HASTY = replace(FAST, human=replace(FAST.human, k=3, commit_seconds=1, reveal_seconds=1), max_redraws=0)


def publish(policy: Policy) -> PolicyVersion:
    """As it could be published before the floor."""
    mark, body = bytes.fromhex(digest(policy=policy)), to_json(policy=policy)
    leaves.publish_policy(number=7, digest=mark, params=body)
    return PolicyVersion.objects.create(number=7, name="old", body=body, digest=mark)


def with_a_silent_reviewer(world: World, policy: Policy) -> tuple[Audit, Any]:
    """An audit in which the last reviewer came for nothing, and everybody else voted."""
    world.campaign.policy = publish(policy)
    world.campaign.save()
    audit, [*others, silent] = world.submit(), world.reviewers
    for _ in range(30):
        world.settle_machines()
        for user in others:
            while world.vote(user) is not None:
                pass
        open_rounds = Round.objects.filter(stage__in=("committing", "revealing"), tier="human")
        if not open_rounds.update(due_at=database_now() - timedelta(seconds=1)):
            break
    audit.refresh_from_db()
    assert (audit.stage, audit.failure) == ("recorded", "")
    auditor = auditor_of(user=silent)
    assert Seat.objects.filter(auditor=auditor, stage="silent").exists()
    return audit, auditor


def amounts(auditor: Any, kind: str) -> list[int]:
    rows = Posting.objects.filter(transfer__kind=kind, account__auditor=auditor, account__name__in=("held", "points"))
    return sorted(rows.values_list("amount", flat=True))


def test_people_have_an_hour_whatever_an_older_version_says(idle_hens: World) -> None:
    idle_hens.campaign.policy = publish(HASTY)
    idle_hens.campaign.save()
    idle_hens.submit()
    idle_hens.settle_machines()
    [*rounds] = Round.objects.filter(tier="human", stage="committing")
    assert rounds
    assert all(round.due_at > round.stage_since + timedelta(seconds=LEAST_WINDOW - 5) for round in rounds)
    # The ledger states the policy's time to open votes, which its verifiers compare.
    opened = [json.loads(bytes(leaf.body)) for leaf in Leaf.objects.filter(kind="round.open")]
    assert {leaf["reveal_by"] - leaf["commit_by"] for leaf in opened if leaf["tier"] == "human"} == {1}


def test_the_fine_of_silence_is_given_back_when_it_becomes_final(idle_hens: World) -> None:
    audit, silent = with_a_silent_reviewer(idle_hens, HASTY)
    fines = amounts(silent, "no_show")
    assert fines
    assert set(fines) == {-HASTY.no_show_penalty}
    assert give_back_due() == 0  # what is held may still be reversed
    assert settlement.release(audit=audit, now=audit.appeals_until + timedelta(seconds=1))
    assert (give_back_due(), give_back_due()) == (len(fines), 0)
    assert amounts(silent, "returned") == [-fine for fine in fines]
    balances = balances_of(auditors=[silent])[silent.pk]
    assert (balances.points, balances.held) == (0, 0)
    assert (list(books.find_faults()), list(unclosed())) == ([], [])
    assert no_shows_of(auditor=silent) == []
    silent.refresh_from_db()
    assert silent.suspended_until is None
    report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
    assert report.ok, report.text()


def test_where_there_was_time_a_fine_stays(idle_hens: World) -> None:
    audit, silent = with_a_silent_reviewer(
        idle_hens, replace(HASTY, human=replace(HASTY.human, commit_seconds=3600, reveal_seconds=3600))
    )
    assert settlement.release(audit=audit, now=audit.appeals_until + timedelta(seconds=1))
    assert give_back_due() == 0
    assert not Transfer.objects.filter(kind="returned").exists()
    points = Account.objects.get(auditor=silent, name="points").postings.all()
    assert sum(line.amount for line in points) == sum(amounts(silent, "no_show")) < 0
    assert len(no_shows_of(auditor=silent)) == len(amounts(silent, "no_show"))


def test_the_page_of_such_an_audit_says_so(idle_hens: World) -> None:
    admin = signed_in(idle_hens.campaign.owner)
    said = "began under a policy that gave people less than an hour"
    assert said not in admin.get(f"/audits/{idle_hens.submit().pk}").content.decode()
    idle_hens.campaign.policy = publish(HASTY)
    idle_hens.campaign.save()
    hasty = idle_hens.submit(trace=replace(TRACE, answer="181 eggs"))
    page = " ".join(admin.get(f"/audits/{hasty.pk}").content.decode().split())
    assert said in page
