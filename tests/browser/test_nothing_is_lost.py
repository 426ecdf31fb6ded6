"""Whatever happens to network, session, tab, browser or server: no character lost, no vote twice.

Short instances; the long ones, with a server killed under the browser, are in benchmarks/faults/test_desk_storm.py.
"""

import contextlib
import unicodedata
from dataclasses import replace
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route, WebSocketRoute, expect
from playwright.sync_api import Error as PlaywrightError

from accounts.models import PersonSession
from auditing.models import Audit, Commitment, Draft, Seat, Vote
from hdag.store.content import read_json
from tests.browser.desk import (
    gone_on,
    log_in_again,
    lose_the_browsers_data,
    open_desk,
    press,
    ready,
    saved,
    seal,
    seat_on,
)
from tests.factories.worlds import TRACE, World
from tests.tools.patience import wait_for

HOSTILE = (
    "</textarea><script>alert(1)</script> {{ 7*7 }} %s \\u0000 '; DROP TABLE x;-- "
    "\u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 "
    "\U0001f9d1\u200d\U0001f52c\U0001f1eb\U0001f1f7 e\u0301 \ufb01 a\u0300\u0316 "
    "\u200b\u00a0| \t tab\nnext line\u2028separator"
)
EVERYTHING_STORED = """async () => {
    const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
    const latin = (bytes) => Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
    const done = (asked) => new Promise((tell) => { asked.onsuccess = () => tell(asked.result); });
    const keyOut = (key) => crypto.subtle.exportKey("raw", key).then(() => "key came out", () => "key stayed");
    for (const { name } of await indexedDB.databases()) {
        const base = await done(indexedDB.open(name));
        for (const store of base.objectStoreNames) {
            for (const row of await done(base.transaction(store).objectStore(store).getAll())) {
                found.push(row instanceof CryptoKey ? await keyOut(row) : JSON.stringify(row) + latin(row.body));
            }
        }
        base.close();
    }
    return found.join("\\n");
}"""
KEPT = """async ([src, reason]) => {
    const vault = await import(src);
    const [seat] = await vault.seats();
    const row = seat && await vault.kept(seat);
    const said = row && await vault.decrypt(await vault.keyOf(row.person), seat, row.body);
    return said?.reason === reason;
}"""
VAULT = "new URL('vault.js', document.querySelector('script[src*=\"js/keys\"]').src).href"


def commitments(world: World) -> int:
    return Commitment.objects.filter(seat__auditor__user=world.reviewers[0]).count()


def mirrored(page: Page) -> list[str]:
    """The seats of which this browser keeps a draft."""
    return page.evaluate("async src => (await import(src)).seats()", page.evaluate(VAULT))


def reason_of(world: World) -> str:
    world.settle_machines()
    return read_json(Vote.objects.get(choice="fail").rationale)["reason"]


def test_typing_on_without_a_network_while_the_session_ends_in_two_tabs_loses_nothing(
    desk: Page, context: BrowserContext, desk_world: World
) -> None:
    other = open_desk(context.new_page())
    desk.bring_to_front()
    context.set_offline(True)
    press(desk, "2", "c", "s")
    text = "".join(f"{number}. still here, still typing; " for number in range(4))
    desk.keyboard.type(text, delay=10)
    expect(desk.locator("#vote-status")).to_contain_text("no connection")
    expect(other.locator("#reason")).to_have_value(text)
    PersonSession.objects.all().delete()
    context.set_offline(False)
    other.evaluate("htmx.ajax('GET', '/me/news/badge', {target: '#bell', swap: 'outerHTML'})")  # is told to sign in
    assert other.locator("h1").count() == 1
    log_in_again(desk, desk_world.reviewers[0].email)
    saved(desk)
    desk.reload()
    expect(ready(desk).locator("#reason")).to_have_value(text)
    seat = seat_on(desk)
    seal(other)
    gone_on(other, seat)
    seal(desk)
    expect(desk.get_by_role("link", name="Go on to the next segment")).to_be_visible()
    assert max(Commitment.objects.filter(seat=seat).count() for seat in Seat.objects.all()) == 1
    assert reason_of(desk_world) == text


def test_the_other_tab_is_told_at_once_that_its_vote_was_sealed(desk: Page, context: BrowserContext) -> None:
    other = open_desk(context.new_page())
    other.locator("#reason").fill("Written before it was sealed")
    seat = seat_on(desk)
    press(desk, "1", "9", "Enter", "Enter")
    gone_on(desk, seat)
    expect(other.locator("#vote-error")).to_contain_text("You sealed this vote in another tab.")
    expect(other.get_by_role("link", name="Go on to the next segment")).to_be_visible()
    expect(other.locator("#reason")).to_have_value("Written before it was sealed")


def test_what_a_crashed_or_closed_tab_held_is_back_though_the_server_never_got_it(
    desk: Page, context: BrowserContext
) -> None:
    context.route("**/draft", lambda route: route.abort())
    press(desk, "2", "c", "s")
    desk.keyboard.type("Never sent, ")
    desk.wait_for_function(KEPT, arg=[desk.evaluate(VAULT), "Never sent, "])
    with contextlib.suppress(PlaywrightError):
        desk.goto("chrome://crash", timeout=1000)
    again = open_desk(context.new_page())
    assert again.locator("#reason").input_value() == "Never sent, "
    expect(again.locator("[name=error_type][value=calculation]")).to_be_checked()
    press(again, "s", "End")
    again.keyboard.type("neither was this.")
    again.wait_for_function(KEPT, arg=[again.evaluate(VAULT), "Never sent, neither was this."])
    again.close()
    assert open_desk(context.new_page()).locator("#reason").input_value() == "Never sent, neither was this."
    assert not Draft.objects.exists()


def test_nothing_readable_is_stored_and_what_is_left_of_a_vote_sealed_elsewhere_goes(
    desk: Page, context: BrowserContext, desk_world: World
) -> None:
    desk.locator("#reason").fill("Readable")
    saved(desk)
    stored = desk.evaluate(EVERYTHING_STORED)
    assert "key stayed" in stored
    assert "key came out" not in stored
    for text in (stored.encode("utf-8"), bytes(Draft.objects.get().body)):
        assert not [one for one in ("Readable", "R\0e\0a\0d", "UmVhZGFibGU", "reason") if one.encode() in text]
    assert mirrored(desk) == [str(Draft.objects.get().seat_id)]
    desk_world.vote(desk_world.reviewers[0])  # in another browser
    desk.locator("#reason").fill("Readable no more")
    expect(desk.locator("#vote-error")).to_contain_text("you sealed or passed it on elsewhere")
    expect(desk.locator("#reason")).to_have_value("Readable no more")
    seat = seat_on(desk)
    desk.get_by_role("link", name="Go on to the next segment").click()
    gone_on(desk, seat)
    expect(desk.locator("#reason")).to_have_value("")
    desk.wait_for_function("async src => (await (await import(src)).seats()).length === 0", arg=desk.evaluate(VAULT))


def test_any_text_arrives_as_it_was_written_and_a_text_too_long_says_by_how_much(desk: Page, desk_world: World) -> None:
    seat = seat_on(desk)
    press(desk, "2", "c")
    desk.locator("#reason").fill("\U0001f600x" * 10_000)
    expect(desk.locator("#next-step")).to_have_text("shorten the reason by 10000 characters")
    saved(desk)
    desk.reload()
    assert ready(desk).locator("#reason").input_value() == "\U0001f600x" * 10_000
    text = (HOSTILE + "\U0001f600" * 10_000)[:10_000]
    desk.locator("#reason").fill(text)
    seal(desk)
    gone_on(desk, seat)
    assert reason_of(desk_world) == unicodedata.normalize("NFC", text)


def test_a_browser_that_lost_its_key_says_so_and_goes_on(desk: Page, context: BrowserContext) -> None:
    desk.locator("#reason").fill("Under the old key")
    saved(desk)
    lose_the_browsers_data(desk)
    open_desk(desk)
    expect(desk.locator("#vote-status")).to_contain_text("only the key that wrote it can read it")
    desk.locator("#reason").fill("Under the new key")
    saved(desk)
    Draft.objects.update(version=50, body=b"of another browser, and newer")
    desk.reload()
    expect(desk.locator("#vote-status")).to_contain_text("another one has saved a newer draft")
    expect(desk.locator("#reason")).to_have_value("Under the new key")


def test_a_browser_that_keeps_nothing_says_so_and_still_seals(page: Page, desk_world: World, sign_in: Any) -> None:
    page.add_init_script("indexedDB.open = () => { throw new DOMException('switched off', 'SecurityError'); };")
    sign_in(desk_world.reviewers[0])
    open_desk(page)
    expect(page.locator("#vote-status")).to_contain_text("nothing is saved before you seal")
    seat = seat_on(page)
    press(page, "1", "9", "Enter", "Enter")
    gone_on(page, seat)
    assert commitments(desk_world) == 1


def test_on_an_address_that_is_not_secure_the_desk_says_what_to_do(
    page: Page, context: BrowserContext, desk_world: World, sign_in: Any, site: Any, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    sign_in(desk_world.reviewers[0])
    known = next(one for one in context.cookies() if one["name"] == settings.SESSION_COOKIE_NAME)
    address = f"http://desk.example:{site.port}"
    context.add_cookies([{"name": known["name"], "value": known["value"], "url": address}])
    page.goto(f"{address}/desk")
    expect(page.locator("#next-step")).to_contain_text("open this desk by its https address")
    press(page, "1", "Enter")
    expect(page.locator("#vote-error")).to_contain_text("https")


def test_signing_out_in_one_tab_takes_the_text_off_every_screen(desk: Page, context: BrowserContext) -> None:
    desk.locator("#reason").fill("Not for the next person")
    other = open_desk(context.new_page())
    expect(other.locator("#reason")).to_have_value("Not for the next person")
    other.locator("[data-menu] summary").click()
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("link", name="Sign in").first).to_be_visible()
    expect(desk.locator("#reason")).to_have_count(0)
    assert not Draft.objects.exists()


def test_signing_out_waits_for_a_draft_that_another_tab_is_sending(desk: Page, context: BrowserContext) -> None:
    other = open_desk(context.new_page())
    sending: list[Route] = []
    order: list[str] = []
    desk.route("**/draft", lambda route: sending.append(route))
    other.on("request", lambda request: order.append("forgotten") if request.url.endswith("/forget") else None)
    desk.locator("#reason").fill("Sent at the last moment")
    wait_for(lambda: desk.wait_for_timeout(20) or sending)
    other.locator("[data-menu] summary").click()
    other.get_by_role("button", name="Sign out").click()
    expect(desk.locator("#reason")).to_be_hidden()
    order.append("saved")
    with contextlib.suppress(PlaywrightError):  # a page that did not wait has broken it off
        sending[0].continue_()
    expect(other.get_by_role("link", name="Sign in").first).to_be_visible()
    assert order == ["saved", "forgotten"]
    assert not Draft.objects.exists()


def test_what_rang_while_the_socket_was_gone_is_made_good_when_it_is_back(
    page: Page, desk_world: World, sign_in: Any
) -> None:
    """The bell for a new segment rings while the server is restarted; nobody has to reload."""
    sockets: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    page.route_web_socket("**/ws/live", through)
    desk_world.everybody_votes(Audit.objects.get())
    sign_in(desk_world.reviewers[0])
    page.goto("/desk")
    expect(page.locator("[data-wait]")).to_be_visible()
    wait_for(lambda: page.wait_for_timeout(20) or sockets)
    sockets[0].close(code=1012)
    desk_world.submit(trace=replace(TRACE, thinking=TRACE.thinking.replace("hens", "geese"), title="Geese"))
    desk_world.settle_machines()
    expect(page.locator("[data-work]")).to_be_visible()
    wait_for(lambda: page.wait_for_timeout(20) or len(sockets) > 1)
