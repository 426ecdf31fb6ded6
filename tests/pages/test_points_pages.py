"""Pages and API of points: the treasury with its grants, a provider's credit, an auditor's own stake."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from auditing.core.policy import FAST
from auditing.models import Audit, Seat, Transfer, Withdrawal
from auditing.research.treasury.services import grant
from auditing.selectors.points.credit import credit_of
from auditing.selectors.points.stakes import stakes_of
from auditing.services.points import stakes
from auditing.services.points.transfers import Movement, accounts_of, post, system_account
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import ANSWER, PROBLEM, THINKING, World, make_user, make_world

pytestmark = pytest.mark.django_db
JSONL = '{"problem": "1 + 1?", "answer": "2"}\n{"problem": "2 + 2?", "answer": "4"}\n'


@pytest.fixture(scope="module")
def _dear_hens(built_once: object) -> World:
    return make_world(policy=replace(FAST, trace_price=50, ticket_stake=50))


@pytest.fixture
def dear_hens(_dear_hens: World) -> World:
    """A campaign in which a trace costs 50 points."""
    return _dear_hens.afresh()


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def admin() -> User:
    return User.objects.get(email="admin@example.org")


def give(world: World, points: int) -> None:
    grant(to=world.provider, points=points, reason="For the pilot.", by=admin(), key=uuid4())


def form(world: World) -> dict[str, str]:
    return {
        "campaign": str(world.campaign.pk),
        "domain": "school maths",
        "problem": PROBLEM,
        "thinking": THINKING,
        "answer": ANSWER,
    }


def test_an_admin_grants_points_on_the_page_of_the_treasury_and_a_form_sent_twice_grants_once(dear_hens: World) -> None:
    client, sent = (
        signed_in(admin()),
        {"to": str(dear_hens.provider.pk), "points": "120", "reason": "x", "key": uuid4()},
    )
    assert client.post("/treasury", sent).status_code == 302
    again = client.post("/treasury", sent)
    assert (again.status_code, "was sent before" in again.content.decode()) == (400, True)
    assert credit_of(provider=dear_hens.provider) == 120
    page = client.get("/treasury").content.decode()
    assert "+120" in page
    assert "does not close" not in page


@pytest.mark.parametrize("role", ["provider", "reviewer", "researcher"])
def test_nobody_but_an_admin_sees_the_treasury(dear_hens: World, role: str) -> None:
    assert signed_in(make_user(f"{role}@points.example", role)).get("/treasury").status_code == 403


def test_the_treasury_shows_what_a_campaign_took_in_and_warns_of_an_empty_pool(dear_hens: World) -> None:
    give(dear_hens, 50)
    dear_hens.submit()
    client = signed_in(admin())
    page = client.get("/treasury").content.decode()
    assert "Hens" in page
    assert "paid out more than it took in" not in page
    own = accounts_of(auditors=[auditor_of(user=dear_hens.reviewers[0])], name="points")
    pool = system_account(name="pool")
    post(movements=[Movement(key="x", kind="reward", points=51, source=pool, target=next(iter(own.values())))])
    assert "paid out more than it took in" in client.get("/treasury").content.decode()


def test_the_form_says_price_and_credit_and_refuses_a_trace_beyond_it(dear_hens: World) -> None:
    give(dear_hens, 20)
    client = signed_in(dear_hens.provider)
    page = " ".join(client.get("/submit").content.decode().split())
    assert "A trace in <bdi>Hens</bdi> costs 50 points. Your credit is 20" in page
    refused = client.post("/submit", form(dear_hens))
    assert refused.status_code == 400
    assert "A trace costs 50 points here, and your credit is 20." in refused.content.decode()
    assert not Audit.objects.exists()


def test_a_file_shows_what_it_costs_and_is_refused_whole(dear_hens: World) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    give(dear_hens, 60)
    client = signed_in(dear_hens.provider)

    def send(step: str) -> str:
        file = SimpleUploadedFile("x.jsonl", JSONL.encode())
        answer = client.post(
            "/submit/file", {"campaign": str(dear_hens.campaign.pk), "file": file, **({step: "1"} if step else {})}
        )
        return " ".join(answer.content.decode().split())

    assert "Together they cost 100 points" in send("preview")
    assert "your credit is 60. That covers 1 of these traces; none was stored." in send("")
    assert not Audit.objects.exists()


def test_the_api_answers_402_with_price_and_credit(dear_hens: World) -> None:
    give(dear_hens, 20)
    client = signed_in(dear_hens.provider)
    answer = client.post("/api/v1/traces", {"problem": PROBLEM, "answer": ANSWER}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (402, "PriceNotCovered")
    assert "costs 50 points here, and your credit is 20" in answer.json()["detail"]
    prices = [{"campaign": str(dear_hens.campaign.pk), "price": 50}]
    assert client.get("/api/v1/credit").json() == {"credit": 20, "prices": prices}


def test_a_provider_reads_every_movement_of_the_own_credit_and_of_nobody_elses(dear_hens: World) -> None:
    give(dear_hens, 70)
    dear_hens.submit()
    page = signed_in(dear_hens.provider).get("/credit").content.decode()
    assert all(word in page for word in ("+70", "−50", "For the pilot.", "Eggs"))
    other = signed_in(make_user("other@points.example", "provider")).get("/credit").content.decode()
    assert "+70" not in other


@pytest.fixture
def saver(dear_hens: World) -> Client:
    """A reviewer with 80 released points."""
    own = accounts_of(auditors=[auditor_of(user=dear_hens.reviewers[0])], name="points")
    pool = system_account(name="pool")
    post(movements=[Movement(key="earned", kind="reward", points=80, source=pool, target=next(iter(own.values())))])
    return signed_in(dear_hens.reviewers[0])


def test_a_vote_that_costs_points_leaves_the_stake_alone_as_the_page_says(dear_hens: World) -> None:
    auditor = auditor_of(user=dear_hens.reviewers[0])
    own = accounts_of(auditors=[auditor], name="points")[auditor.pk]
    pool = system_account(name="pool")
    before = stakes_of(auditors=[auditor])[auditor.pk].total
    post(movements=[Movement(key="silence", kind="no_show", points=8, source=own, target=pool)])
    page = " ".join(signed_in(dear_hens.reviewers[0]).get("/record/stake").content.decode().split())
    assert "A vote that costs points takes released ones, which may fall below zero" in page
    assert '<dd class="num">-8</dd>' in page
    assert stakes_of(auditors=[auditor])[auditor.pk].total == before


def test_what_silence_cost_leads_to_no_page_of_a_vote_that_is_not_there(dear_hens: World) -> None:
    give(dear_hens, 50)
    audit = dear_hens.submit()
    dear_hens.settle_machines()
    seat = Seat.objects.filter(round__audit=audit, auditor__user__isnull=False).first()
    own, pool = accounts_of(auditors=[seat.auditor], name="points")[seat.auditor_id], system_account(name="pool")
    post(movements=[Movement(key="s", kind="no_show", points=8, source=own, target=pool, audit=audit, seat=seat)])
    page = signed_in(seat.auditor.user).get("/record").content.decode()
    assert f"{seat.round.segment.label}, never sealed" in page
    assert f"/record/votes/{seat.pk}" not in page


def test_points_are_put_at_stake_and_taken_back_after_notice_on_the_own_page(saver: Client) -> None:
    put = {"points": "50", "key": str(uuid4())}
    for _ in range(2):  # a double click
        saver.post("/record/stake/put", put)
    answer = saver.post("/record/stake/notice", {"points": "20"}, follow=True).content.decode()
    assert "Notice of 20 points" in answer
    assert "30 can be withdrawn" in " ".join(answer.split())
    stakes.pay_due(now=Withdrawal.objects.get().due_at)
    assert "paid" in saver.get("/record/stake").content.decode()
    assert [row.kind for row in Transfer.objects.exclude(kind="reward").order_by("created")] == [
        "staking",
        "withdrawal",
    ]


def test_a_notice_is_taken_back_on_the_page_but_not_by_somebody_else(saver: Client, dear_hens: World) -> None:
    saver.post("/record/stake/put", {"points": "50"})
    saver.post("/record/stake/notice", {"points": "20"})
    address = f"/record/stake/notices/{Withdrawal.objects.get().pk}"
    assert signed_in(dear_hens.reviewers[1]).post(address).status_code == 404
    assert saver.post(address).status_code == 302
    assert Withdrawal.objects.get().taken_back_at is not None


@pytest.mark.parametrize("points", ["", "0", "81", "-5", "1" * 30])
def test_points_that_make_no_sense_move_nothing(saver: Client, points: str) -> None:
    for address in ("put", "notice"):
        assert saver.post(f"/record/stake/{address}", {"points": points}).status_code == 302
    assert not Transfer.objects.exclude(kind="reward").exists()
    assert not Withdrawal.objects.exists()


def test_the_own_stake_by_program(saver: Client) -> None:
    put = saver.post("/api/v1/stake", {"points": 50}, content_type="application/json")
    assert (put.status_code, put.json()["withdrawable"], put.json()["points"]) == (201, 50, 30)
    notice = saver.post("/api/v1/stake/notices", {"points": 20}, content_type="application/json")
    assert notice.status_code == 201
    refused = saver.post("/api/v1/stake/notices", {"points": 31}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "StakeRefused")
    taken_back = saver.delete(f"/api/v1/stake/notices/{notice.json()['id']}")
    assert taken_back.json()["taken_back_at"]
    stake = saver.get("/api/v1/stake").json()
    assert (stake["own"], stake["under_notice"], stake["tickets"], len(stake["notices"])) == (50, 0, 1, 1)
