"""The policy lab's pages: preview, publish, roll back, replay; bad values refused by form and database alike."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.db import DataError, IntegrityError, transaction
from django.test import Client

from auditing.core.policy import DEFAULT, PAPER, to_json
from auditing.core.values import Tier
from auditing.models import AuditEvent, PolicyVersion
from auditing.research.policy_lab.selectors import lab
from auditing.research.policy_lab.selectors.lab import examine
from auditing.research.policy_lab.selectors.replay import replay
from auditing.research.policy_lab.views import policies
from auditing.research.policy_lab.views.forms import PolicyForm
from auditing.selectors.policy.versions import load_policy
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db
BAD = [
    ("human.tau", "0"),
    ("human.tau", "1.1"),
    ("human.k", "0"),
    ("beta", "1.1"),
    ("gamma", "0"),
    ("slash_min", ".9"),
    ("reward", "-1"),
    ("penalty", "-3"),
    ("llm.turnout", "0"),
    ("honeypot_multiplier", "0"),
    ("theta_pass", "1.5"),
    ("base_rate", "1"),
    ("theta_fail", "0"),
    ("human.error", "1"),
    ("llm.prior_wrong", "0"),
    ("cost_review", "20"),
    ("no_show_penalty", "7"),
    ("suspend_below", ".9"),
    ("disclosure_share", "0"),
    ("adjudicator_error", ".2"),
    ("max_redraws", "-1"),
    ("consensus", "dictator"),
    ("beta", "NaN"),
    ("reward", "1.5"),
    ("epsilon_target", "0"),
    ("family_correlation", "2"),
    ("human.price", "-1"),
    ("cost_review", "12"),
    ("name", " "),
]


@pytest.fixture
def admin(idle_hens: World) -> Client:
    client = Client()
    client.force_login(idle_hens.campaign.owner, backend="django.contrib.auth.backends.ModelBackend")
    return client


def filled(policy: Any = DEFAULT, **changed: str) -> dict[str, Any]:
    """What a browser would send for a policy."""
    form = PolicyForm(base=policy)
    sent = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in sent.items() if value is not False and value is not None} | changed


def test_the_form_unchanged_is_the_same_policy() -> None:
    for policy in (DEFAULT, PAPER):
        form = PolicyForm(filled(policy), base=policy)
        assert form.is_valid(), form.errors
        assert form.policy == policy


def test_the_form_shows_at_once_where_the_stored_traces_would_go(idle_hens: World, admin: Client) -> None:
    idle_hens.submit()
    idle_hens.walk()
    sent = filled(
        **{"routes.0.level": "step", "routes.0.kind": "*", "routes.0.primary": "human", "routes.0.why": "all"}
    )
    body = admin.post("/policies/preview", sent).content.decode()
    assert "newest traces would fill" in body
    assert '<th scope="row">all; the tier language model' in body


@pytest.mark.parametrize(("field", "value"), BAD)
def test_the_form_refuses_a_bad_value_at_its_field(field: str, value: str) -> None:
    form = PolicyForm(filled(**{field: value}), base=DEFAULT)
    assert not form.is_valid()
    assert field in form.errors


@pytest.mark.parametrize(("field", "value"), BAD)
def test_the_database_refuses_the_same_bad_value(field: str, value: str) -> None:
    body = to_json(policy=DEFAULT)
    owner, _, name = field.rpartition(".")
    place = body[owner] if owner else body
    place[name] = int(value) if isinstance(place[name], int) and value.lstrip("-").isdecimal() else value
    with pytest.raises((IntegrityError, DataError), match="a_policy_is_usable"), transaction.atomic():
        PolicyVersion.objects.create(number=99, name="bad", body=body, digest=b"x" * 32)


def test_a_parameter_that_is_missing_is_refused_by_the_database() -> None:
    body = to_json(policy=DEFAULT)
    del body["human"]["k"]
    with pytest.raises(IntegrityError), transaction.atomic():
        PolicyVersion.objects.create(number=99, name="bad", body=body, digest=b"x" * 32)


@pytest.mark.parametrize("value", ["NaN", "sNaN", "Infinity", "1e400"])
@pytest.mark.parametrize("field", ["honeypot_share", "disclosure_share", "cost_miss"])
def test_what_is_no_number_is_refused_at_its_slider(admin: Client, idle_hens: World, field: str, value: str) -> None:
    answer = admin.post("/policies/new", filled(preview="1", **{field: value}))
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("theta_pass", "0.9_5"),
        ("theta_pass", "٠.٩"),
        ("cost_miss", "1_0"),
        ("cost_miss", "1e1"),
        ("reward", "1_0"),
        ("reward", "१०"),
        ("reward", "--5"),
        ("human.k", "٣"),
        ("routes.0.k", "٣"),
        ("routes.0.weight", "1_0"),
        ("domains", "medicine: human.k = ٣"),
        ("domains", "medicine: cost_miss = 1_0"),
    ],
)
def test_a_number_in_other_than_plain_digits_is_refused_at_its_field(field: str, value: str) -> None:
    form = PolicyForm(filled(**{field: value}), base=DEFAULT)
    assert not form.is_valid()
    assert field in form.errors


def test_a_bad_override_is_named_with_its_domain_and_not_at_the_field_of_everybody() -> None:
    form = PolicyForm(filled(domains="medicine: theta_pass = 1.5"), base=DEFAULT)
    assert not form.is_valid()
    assert form.errors == {"domains": ["medicine.theta_pass must be at least 0.5 and less than 1, not 1.5."]}


@pytest.mark.parametrize("weight", ["1000000000", "0.000000000001"])
def test_a_weight_that_cannot_be_summed_with_the_others_is_refused(admin: Client, weight: str) -> None:
    sent = filled(**{"llm.weight": weight})
    page = admin.post("/policies/preview", sent).content.decode()
    assert "Differs too much from the other tiers" in page
    assert admin.post("/policies/new", sent | {"publish": "1"}).status_code == 400
    assert admin.post("/policies/figure.csv", sent | {"figure": "failure"}).status_code == 400


def test_a_decimal_may_begin_with_its_point() -> None:
    form = PolicyForm(filled(theta_pass=".95"), base=DEFAULT)
    assert form.is_valid(), form.errors
    assert form.policy.theta_pass == Decimal("0.95")


def test_the_wait_for_an_adjudicator_is_not_called_the_time_to_decide(admin: Client, idle_hens: World) -> None:
    page = admin.get("/policies/new").content.decode()
    assert "seconds to find an adjudicator" in page
    assert "seconds to adjudicate" not in page


def test_several_bad_values_are_named_at_once() -> None:
    form = PolicyForm(filled(**{"human.tau": "0", "beta": "7", "gamma": "x"}), base=DEFAULT)
    assert not form.is_valid()
    assert {"human.tau", "beta", "gamma"} <= set(form.errors)


def test_the_preview_shows_the_papers_violated_dial_and_its_mend(admin: Client) -> None:
    page = admin.post("/policies/preview?preset=paper%20example", filled(PAPER)).content.decode()
    assert "violated" in page
    assert "p_min at least 0.333, or delta at most 0.120" in page
    assert page.count("<figure") == 7


def test_a_page_says_which_rules_are_the_papers_and_writes_parameters_in_words(admin: Client, idle_hens: World) -> None:
    corrected = admin.get(f"/policies/{idle_hens.campaign.policy.number}").content.decode()
    paper = admin.post("/policies/preview?preset=paper%20example", filled(PAPER)).content.decode()
    assert (corrected.count("paper mode"), paper.count("paper mode")) == (0, 6)
    assert "all segments together: the product of their probabilities" in corrected
    assert "14400 (4 hours)" in corrected


def test_a_preview_asks_the_database_twelve_times(admin: Client, django_assert_num_queries: Any) -> None:
    """Session, person with roles and second factor, version, what is open, gold, seven of the preview."""
    admin.post("/policies/preview", filled())
    with django_assert_num_queries(12):
        admin.post("/policies/preview", filled(beta="0.61"))


def test_while_somebody_types_the_preview_simulates_little_says_so_and_computes_equal_values_once(
    admin: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.POLICY_LAB_TRIALS = 600
    monkeypatch.setattr(policies, "PREVIEW_TRIALS", 6)
    lab._examined.cache_clear()
    page = admin.post("/policies/preview", filled()).content.decode()
    assert "at most 6 simulated traces a point" in page
    admin.post("/policies/preview", filled(name="Another name"))
    assert lab._examined.cache_info()[:2] == (1, 1)  # (hits, misses)
    settings.POLICY_LAB_TRIALS = 5
    assert "simulated traces a point" not in admin.post("/policies/new", filled(preview="1")).content.decode()


def test_publishing_makes_the_next_version_and_an_event_with_the_diff(admin: Client, idle_hens: World) -> None:
    first = idle_hens.campaign.policy
    answer = admin.post(
        f"/policies/new?from={first.number}", filled(load_policy(version=first), reward="7", publish="1")
    )
    assert answer.status_code == 302, answer.content.decode()[:2000]
    version = PolicyVersion.objects.get(number=first.number + 1)
    assert load_policy(version=version).reward == 7
    event = AuditEvent.objects.filter(kind="policy.published").latest("id")
    assert event.body["diff"]["reward"] == [load_policy(version=first).reward, 7]
    back = admin.post(f"/policies/{first.number}/roll-back")
    assert back.status_code == 302
    newest = PolicyVersion.objects.latest("number")
    assert (newest.number, newest.follows, newest.body) == (version.number + 1, version, first.body)


def test_a_version_cannot_be_edited(idle_hens: World) -> None:
    with pytest.raises(IntegrityError, match="final"), transaction.atomic():
        PolicyVersion.objects.update(name="other")


def test_every_page_and_figure_of_a_version_opens(admin: Client, idle_hens: World) -> None:
    number = idle_hens.campaign.policy.number
    for url in ("", "/new", f"/{number}", f"/{number}?against={number}", f"/{number}/replay", "/new?preset=strict"):
        assert admin.get(f"/policies{url}").status_code == 200, url
    for name in ("failure", "accuracy", "profit", "reputation"):
        rows = admin.get(f"/policies/{number}/{name}.csv").content.decode().splitlines()
        assert len(rows) > 40
    sent = admin.post("/policies/figure.csv", filled() | {"figure": "failure"}).content.decode()
    assert sent.startswith("β,exact,Chernoff,Hoeffding")


def test_a_replay_under_the_same_policy_changes_nothing_and_under_a_stricter_one_something(idle_hens: World) -> None:
    audit = idle_hens.submit()
    idle_hens.everybody_votes(audit)
    policy = load_policy(version=audit.policy)
    same = replay(policy=policy, campaign=idle_hens.campaign)
    assert (len(same.audits), same.changed_segments, same.changed_audits) == (1, 0, ())
    strict = replay(policy=replace(policy, theta_pass=Decimal("0.999999")))
    assert strict.changed_segments > 0
    assert all("would go to" in one.why for one in strict.audits[0].changed)


def test_the_lab_shows_the_rule_that_binds(admin: Client, settings: Any) -> None:
    settings.POLICY_LAB_TRIALS = 600  # fewer do not tell one accuracy from another
    text = " ".join(admin.get("/policies/1").content.decode().split())
    for words in ("A right trace is not passed", "assumed", "Best window of β", "Forecast and what happened"):
        assert words in text
    rows = admin.get("/policies/1/binding-accuracy.csv").content.decode().splitlines()
    assert rows[0].startswith("share of right votes,right traces passed,wrong traces passed")
    first, last = (float(row.split(",")[1]) for row in (rows[1], rows[-1]))
    assert first < last


def test_reputation_at_first_moves_the_curves() -> None:
    counts = {Tier.HUMAN: 2}
    low, high = (
        examine(policy=replace(DEFAULT, initial_reputation=Decimal(start)), counts=counts, wrong=1).chart(
            name="reputation"
        )
        for start in ("0.2", "0.9")
    )
    assert low.rows[0] != high.rows[0]


def test_the_cheapest_policy_is_recommended_or_said_not_to_be_had(admin: Client) -> None:
    wish = {"segments": 4, "not_passed": "0.05", "passed": "0.05"}
    cheap = " ".join(admin.get("/policies/1", wish | {"accuracy": "0.95"}).content.decode().split())
    assert "Cheapest:" in cheap
    none = " ".join(admin.get("/policies/1", wish | {"accuracy": "0.52"}).content.decode().split())
    assert "Not to be had with up to 84 seats a trace." in none
    assert "Cheapest:" not in " ".join(admin.get("/policies/1", {"accuracy": "2"}).content.decode().split())
