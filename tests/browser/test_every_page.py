"""Every page that a link leads to, for a stranger and for a person with every role: nobody is shut out anywhere.

`make test` looks at one page of each kind (a text to read, a list, a form, figures, the desk), `make sweep` at all.
Colours and sizes are looked at in eight rows of each list and table, in `make fuzz` in all of them.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error, Page

from accounts.models import Role, User
from accounts.services import joining
from accounts.services.roles import grant_role
from auditing.models import Audit
from auditing.selectors.clock import database_now
from tests.browser.test_look import troubles_of
from tests.browser.test_magnified import squeezed
from tests.factories.worlds import World
from tests.pages.test_trace_page import WRONG
from tests.tools.sweeping import sweep_of

# Some seventy pages a test: half a minute on a quiet machine, more than ten minutes where twelve others compute.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(3600)]
NO_PAGE = re.compile(
    r"^/(static|api|admin|ipfs|accounts/logout|ledger/v1)|[.](json|csv|tlog-proof|py)$|/(bundle|file|stream)$"
)
ID, NUMBER = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}"), re.compile(r"\d+")
FEWEST = 35
OF_A_STRANGER = ("/accounts/signup/", "/ledger")
OF_EVERY_KIND = "/desk {audit} /submit /policies/1 /people/joining /research/agreement".split()
of_every_kind = sweep_of("test_a_page_of_every_kind_is_no_barrier")


@pytest.fixture
def everybody(live_hens: World) -> User:
    """One person with every role, who reviews; one audit is recorded, one waits for votes, one person asks to join."""
    person = live_hens.reviewers[0]
    for role in Role.values:
        grant_role(user=person, role=role, by=live_hens.campaign.owner)
    live_hens.everybody_votes(live_hens.submit())
    live_hens.submit(WRONG)
    live_hens.settle_machines()
    joining.ask_to_join(user=User.objects.create_user("eve@example.org"), wanted=["reviewer"], statement="Please.")
    joining.invite(email="ada@example.org", roles=["reviewer"], by=live_hens.campaign.owner, now=database_now())
    return User.objects.get(pk=person.pk)


def shape(address: str) -> str:
    """What kind of page an address is: ids and numbers do not count."""
    return NUMBER.sub("N", ID.sub("ID", address.split("?")[0].split("#")[0]))


def crawl(page: Page, first: list[str], look: Callable[[Page, str], list[str]] = troubles_of) -> set[str]:
    """Look at one page of each kind that links lead to from the `first`; returns the kinds."""
    waiting, seen, troubles = list(first), set(), list[str]()
    while waiting:
        address = waiting.pop(0)
        if shape(address) in seen or NO_PAGE.search(address.split("?")[0]):
            continue
        seen.add(shape(address))
        try:
            troubles += look(page, address)
        except Error as error:
            if "Download is starting" not in error.message:
                raise
            continue
        links = page.locator("a[href^='/']").evaluate_all("all => all.map(one => one.getAttribute('href'))")
        waiting += [link for link in links if not link.startswith("//")]
    assert troubles == []
    return seen


def troubles_in_any_size(page: Page, address: str) -> list[str]:
    """What keeps people out, and what is cut off in wide text or at twice the size: a page is loaded once for both."""
    return troubles_of(page, address) + squeezed(page, address)


def test_a_page_of_every_kind_is_no_barrier(page: Page, sign_in: Callable[[Any], None], everybody: User) -> None:
    recorded = Audit.objects.get(stage="recorded")
    troubles = [trouble for address in OF_A_STRANGER for trouble in troubles_of(page, address)]
    sign_in(everybody)
    for address in OF_EVERY_KIND:
        troubles += troubles_in_any_size(page, address.format(audit=f"/audits/{recorded.pk}"))
    assert troubles == []


@of_every_kind
def test_a_person_with_every_role_meets_no_barrier_on_any_page(
    page: Page, sign_in: Callable[[Any], None], everybody: User
) -> None:
    sign_in(everybody)
    recorded = Audit.objects.get(stage="recorded")
    first = ["/", "/desk", "/me", f"/audits/{recorded.pk}", f"/audits/{recorded.pk}/appeal", "/gold"]
    seen = crawl(page, first, troubles_in_any_size)
    assert len(seen) >= FEWEST, sorted(seen)
    assert {address.format(audit="/audits/ID").replace("1", "N") for address in OF_EVERY_KIND} <= seen
    assert {"/points", "/record"} <= seen


@of_every_kind
def test_a_stranger_meets_no_barrier_on_any_page(page: Page, everybody: User, live_hens: World) -> None:
    _, secret = joining.invite(
        email="bob@example.org", roles=["provider"], by=live_hens.campaign.owner, now=database_now()
    )
    joining.set_way(rule="approval", by=live_hens.campaign.owner)
    seen = crawl(page, ["/", "/accounts/signup/", f"/join/{secret}", "/join", "/no/such/page", "/verify"])
    assert {*OF_A_STRANGER, "/ledger/leaves/N", "/accounts/password/reset/"} <= seen
