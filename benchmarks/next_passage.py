"""From Enter to the next passage ready in a browser, with and without programs that claim and seal meanwhile.

python -m benchmarks.next_passage [votes] [clients]   (20 and 8 unless said otherwise)

A reviewer votes by keyboard in chromium on `manage.py serve`; the page's own clock runs from the key that seals the
vote to the moment in which the form of another seat takes what is typed. Of that, the time in which an answer of the
server was awaited is told apart: the rest is the browser's, which here shares two cores with server and programs.
"""

import http.client
import multiprocessing
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

from benchmarks.faults.world import World, started_world
from benchmarks.rates import Product, prepare
from benchmarks.walks import FLAGS, PATIENCE
from tests.tools.chromium import find_program

PASSWORD = "correct horse battery"
HIM = "voter0@example.org"
LET_IN = f"""
import json
from accounts.models import User
person = User.objects.get(email="{HIM}")
person.set_password("{PASSWORD}")
person.save()
print(json.dumps(True))
"""
# In every page, because the next passage may come by a navigation: when Enter was pressed last, and on which seat; and
# when the form of another seat took what is typed.
WATCH = """
const now = () => performance.timeOrigin + performance.now();
const look = () => {
    const form = document.querySelector("#vote[data-ready=yes]");
    if (form && form.dataset.draftUrl !== sessionStorage.before) window.readyAt = now();
    else requestAnimationFrame(look);
};
addEventListener("keydown", event => {
    if (event.key !== "Enter") return;
    sessionStorage.before = document.getElementById("vote").dataset.draftUrl;
    sessionStorage.pressed = now();
    window.readyAt = 0;
    look();
}, true);
look();
"""
# [all of it, of that the union of the spans between a request that was sent and its last byte], in milliseconds
TOOK = """() => new Promise(done => {
    const spans = (from, to) => performance.getEntriesByType("resource")
        .map(entry => [Math.max(from, entry.requestStart), Math.min(to, entry.responseEnd)])
        .filter(([start, end]) => start < end)
        .sort((one, other) => one[0] - other[0]);
    const look = () => {
        if (!window.readyAt) return requestAnimationFrame(look);
        const from = sessionStorage.pressed - performance.timeOrigin, to = window.readyAt - performance.timeOrigin;
        let waited = 0, reached = from;
        for (const [start, end] of spans(from, to)) {
            waited += Math.max(0, end - Math.max(start, reached));
            reached = Math.max(reached, end);
        }
        done([to - from, waited]);
    };
    look();
})"""


def main() -> None:
    """Start the system and the browser; vote alone, then beside the programs."""
    words = sys.argv[1:]
    votes, clients = (int(word) for word in [*words, *("20", "8")[len(words) :]])
    with tempfile.TemporaryDirectory() as scratch, started_world(Path(scratch)) as world:
        tokens = prepare(world)[1:]  # the first is the browser's person
        world.python(LET_IN)
        with _desk(world) as page:
            _next(page)  # scripts and fonts are there from now on
            _say("alone", [_next(page) for _ in range(votes)])
            with _busy(tokens, urlsplit(world.running.url).port or 0, clients):
                _say(f"beside {clients} programs", [_next(page) for _ in range(votes)])


def _next(page: Page) -> tuple[float, float]:
    """Milliseconds from the key that seals a vote to the next form that is ready; of those, awaiting the server."""
    page.locator("#vote[data-ready=yes]").wait_for(state="attached")
    before = page.locator("#vote").get_attribute("data-draft-url")
    for key in ("1", "a", "9", "Enter", "Enter"):
        page.keyboard.press(key)
    page.locator(f"#vote[data-ready=yes]:not([data-draft-url='{before}'])").wait_for(state="attached")
    took, waited = page.evaluate(TOOK)
    return float(took), float(waited)


@contextmanager
def _desk(world: World) -> Iterator[Page]:
    """The reviewer's desk in a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_program(), args=FLAGS)
        page = browser.new_page(base_url=world.running.url, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        page.add_init_script(WATCH)
        page.goto("/accounts/login/")
        page.get_by_label("Email").fill(HIM)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.locator("[data-signed-in]").wait_for(state="attached")
        page.goto("/desk")
        yield page
        browser.close()


@contextmanager
def _busy(tokens: list[str], port: int, clients: int) -> Iterator[None]:
    """Programs in a process of their own, which claim and seal until the block ends."""
    processes = multiprocessing.get_context("spawn")  # the browser's threads are not for a copy of this process
    ended = processes.Event()
    load = processes.Process(target=_claim_and_seal, args=(tokens, port, clients, ended))
    load.start()
    try:
        yield
    finally:
        ended.set()
        load.join()


def _claim_and_seal(tokens: list[str], port: int, clients: int, ended: Event) -> None:
    target = Product(tokens, clients)

    def work(number: int) -> None:
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while not ended.is_set() and target.cycle(web, number) is not None:
            pass

    threads = [Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _say(where: str, votes: list[tuple[float, float]]) -> None:
    times, waits = zip(*votes, strict=True)
    print(
        f"{where}: median {statistics.median(times):.0f} ms of {len(times)} votes (asked: 200), "
        f"{min(times):.0f} to {max(times):.0f}; of each {statistics.median(waits):.0f} ms awaiting the server; "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
