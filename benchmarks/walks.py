"""The main jobs of each role, done in a real browser on a running demo: clicks, keys and seconds, as a table.

Run: make walks URL=http://127.0.0.1:8000, on an instance of your own whose demo is loaded: votes and traces stay there.
A click is a press of the mouse; keys are strokes that are no letters of a text; seconds are those of the machine, no
person reads or thinks in them.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Error, Locator, Page, sync_playwright

from tests.tools.chromium import find_program

PASSWORD = "trust-the-steps"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]
PATIENCE = 30_000  # milliseconds


@dataclass
class Hand:
    """One person's hand on the mouse and the keyboard, counted."""

    page: Page
    clicks: int = 0
    keys: int = 0

    def click(self, name: str, role: str = "link", within: str = "body") -> None:
        """Press what bears this name."""
        self._press(self.page.locator(within).get_by_role(role, name=name).first)  # type: ignore[arg-type]

    def first(self, selector: str) -> None:
        """Press the first of a list."""
        self._press(self.page.locator(selector).first)

    def write(self, label: str, text: str) -> None:
        """Click into a field and type."""
        box = self.page.get_by_label(label, exact=False).first
        self._press(box)
        box.press_sequentially(text)

    def choose(self, label: str, value: str) -> None:
        """Take one of a list: a click and a choice."""
        self.clicks += 2
        self.page.get_by_label(label).first.select_option(value)

    def press(self, *strokes: str) -> None:
        """Keys, one after the other."""
        for stroke in strokes:
            self.keys += 1
            self.page.keyboard.press(stroke)

    def sees(self, selector: str) -> None:
        """Wait for what the job is about."""
        self.page.locator(selector).first.wait_for(state="visible")

    def _press(self, what: Locator) -> None:
        self.clicks += 1
        what.click()


Job = tuple[str, Callable[[Hand], None]]


def opens(*steps: str, sees: str = "h1") -> Callable[[Hand], None]:
    """A job of presses alone: each step a name of a link, or a selector that begins with a dot or with "main"."""

    def job(hand: Hand) -> None:
        for step in steps:
            hand.first(step) if step.startswith((".", "main")) else hand.click(step)
        hand.sees(sees)

    return job


STATEMENT, NEWS = opens("Points"), opens("News")
CAMPAIGN = opens("Campaigns", "main tbody th a", sees="main progress")


def vote(hand: Hand) -> None:
    """From the home page to a sealed vote, by keyboard."""
    hand.press("Enter")
    hand.sees("#vote[data-ready=yes]")
    before = hand.page.locator("#vote").get_attribute("data-draft-url")
    hand.press("1", "a", "9", "Enter", "Enter")
    hand.page.locator(f"#vote[data-draft-url='{before}']").wait_for(state="detached")


def search_own(hand: Hand) -> None:
    """An own vote by its words."""
    hand.click("My record")
    hand.click("All my votes")
    hand.write("Words in text or reason", "the")
    hand.sees("#listing [role=status]")


def desk_keys(hand: Hand) -> None:
    """Which keys the desk has."""
    hand.click("Desk", within=".nav")
    hand.sees("#desk-title, h1")
    hand.press("?")
    hand.sees("#key-sheet")


def hand_in(hand: Hand) -> None:
    """A trace, from the home page to its page."""
    hand.click("Hand in traces")
    hand.write("Problem", "What is 12 times 5?")
    hand.write("Thinking", "12 * 5 is 60.")
    hand.write("Answer", "60")
    hand.first("main form[method=post] button.button-primary")
    hand.sees("#audit, h1")


def failing(hand: Hand) -> None:
    """Why the newest failing trace fails."""
    hand.first("main li a")
    hand.sees("#verdict")


def find_words(hand: Hand) -> None:
    """Words anywhere in a trace."""
    hand.click("Audits", within=".nav")
    hand.first("#listing tbody th a")
    hand.sees("#narrow-words")
    hand.press("/")
    hand.page.keyboard.type("is")
    hand.sees("#finds a")
    hand.press("Enter")


def next_failing(hand: Hand) -> None:
    """The failing step in the whole text of a failing trace."""
    hand.click("Audits", within=".nav")
    hand.choose("Outcome", "fail")
    hand.sees("#listing .is-fail")
    hand.first("#listing tbody tr:has(.is-fail) th a")
    hand.sees(".sources mark")


def give_role(hand: Hand) -> None:
    """A role for somebody who is found by a part of the name."""
    hand.click("People", within=".nav")
    hand.write("E-mail address or pseudonym", "consumer@")
    hand.sees("#listing [role=status]:has-text('1 person')")
    hand.first("#listing tbody button[value=grant]")
    hand.sees(".notice")


def outcome_of(hand: Hand) -> None:
    """Whether a named trace holds."""
    hand.click("Audits", within=".nav")
    hand.write("Title, id or tag", "gravel")
    hand.sees("#listing [role=status]:has-text('1 audit')")
    hand.first("#listing tbody th a")
    hand.sees("#verdict")


def report(hand: Hand) -> None:
    """The report of the newest audit, to print."""
    hand.click("Audits", within=".nav")
    hand.choose("Stage", "recorded")
    hand.sees("#listing .is-pass, #listing .is-fail")
    hand.first("#listing tbody tr:has(.is-pass, .is-fail) th a")
    hand.click("Report", within="main")
    hand.sees("#provenance")


JOBS: dict[str, tuple[Job, ...]] = {
    "reviewer1": (
        ("seal a vote, by keyboard", vote),
        ("find an own vote by its words", search_own),
        ("read the points", STATEMENT),
        ("read the news", NEWS),
        ("look a key up at the desk", desk_keys),
    ),
    "provider": (
        ("hand in a trace", hand_in),
        ("why does the newest failing trace fail", failing),
        ("find words in a trace", find_words),
        ("see the failing step in the text", next_failing),
        ("how far is the campaign", CAMPAIGN),
    ),
    "admin": (
        ("open what needs me first", opens("main ul a")),
        ("give somebody a role", give_role),
        ("begin a campaign", opens("Campaigns", "New campaign", sees="main form")),
        ("read the policy in force", opens("Policies", "main a[href^='/policies/']")),
        ("how far is a campaign", CAMPAIGN),
    ),
    "adjudicator": (
        ("open the next case", opens("Adjudication", "main tbody a", sees="#vote")),
        ("look a key up at the desk", desk_keys),
        ("read the news", NEWS),
        ("read the points", STATEMENT),
        ("read the ledger's head", opens("Ledger")),
    ),
    "researcher": (
        ("read the agreement", opens("Research", "main a[href='/research/agreement']", sees="main .table:visible")),
        ("begin an export", opens("Research", "main a[href='/research/exports']", sees="form")),
        ("choose a study", opens("Research", "main a[href='/research/studies']", sees="form")),
        ("see the failing step in the text", next_failing),
        ("read a report", report),
    ),
    "consumer": (
        ("does this trace hold", outcome_of),
        ("read a report", report),
        ("see the failing step in the text", next_failing),
        ("read the ledger's head", opens("Ledger")),
        ("check a receipt", opens("Ledger", "Verify it yourself")),
    ),
}


def walk(page: Page, who: str) -> None:
    """Every job of one role, each from its home page."""
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(f"{who}@demo.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.locator("[data-signed-in]").wait_for(state="attached")
    for words, job in JOBS[who]:
        page.goto("/home")
        hand, start = Hand(page), time.perf_counter()
        try:
            job(hand)
            took = f"{time.perf_counter() - start:.1f}"
        except Error as error:
            took = "NOT DONE"
            print(f"{words}: {error}", file=sys.stderr)
        print(f"| {who.rstrip('1')} | {words} | {hand.clicks} | {hand.keys} | {took} |", flush=True)


def main(address: str) -> None:
    """Print the table."""
    print("| role | job | clicks | keys | seconds |\n|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_program(), args=FLAGS)
        for who in JOBS:
            context = browser.new_context(
                base_url=address, reduced_motion="reduce", viewport={"width": 1440, "height": 900}
            )
            context.set_default_timeout(PATIENCE)
            walk(context.new_page(), who)
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
