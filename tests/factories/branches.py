"""One world that branches: it differs only in what one reviewer has sealed, and everything of a branch is undone."""

import logging
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import mail
from django.db import transaction
from django.test import override_settings

from accounts.models import Profile, Role, User
from auditing.core.values import Choice
from auditing.core.voting.seal import open_sealed
from auditing.models import Commitment, Round, Seat
from auditing.research.exports import services
from auditing.research.exports.formats import DATASETS
from auditing.research.exports.selectors.scope import Filters
from auditing.research.models import ExportJob
from auditing.research.news import services as digests
from auditing.selectors.clock import database_now
from auditing.services.voting.closing import close_window
from auditing.services.voting.reveal import Opened, accept_opening
from hdag.core.values import Trace
from tests.factories.worlds import make_user, make_world
from tests.tools.peeking import Peek, UndoError

Vote = tuple[Choice, int]
VOTES: dict[str, Vote | None] = {
    "nothing": None,
    "fail": (Choice.FAIL, 6000),
    "pass": (Choice.PASS, 9500),
    "abstain": (Choice.ABSTAIN, 9000),
}
MODEL = "Acme-Solver-9B"
SECRET = (
    "As an AI made by OpenAI I solve it.\n\nEach week the hens lay 12 * 5 = 60 eggs, says Acme-Solver-9B of Foo Lab."
    "\n\nAsk provider@example.org or https://foo.example/x.\n\nIn 3 weeks they lay 60 * 3 = 180 eggs."
)
TRACE = Trace(
    problem="Foo Lab asks: how many eggs?",
    thinking=SECRET,
    answer="180",
    domain="maths of Foo Lab",
    title="Eggs of Foo Lab",
    model_name=MODEL,
)
SIGNED = re.compile(r"(/mail/stop/[\w-]+):[\w-]+:[\w-]+")  # the link that stops mails: signed anew in every mail
TELLING = ("provider@example.org", "Foo Lab", MODEL, "OpenAI", "foo.example", "As an AI")


class Branches:
    """A peer, one who has voted on everything and waits, one whose vote differs, and a person with every role."""

    def __init__(self) -> None:
        self.ledger, self.peeks = settings.LEDGER_DIR, list[Peek]()
        self.sealed = ""
        self.world = make_world(reviewers=4)
        Profile.objects.create(user=self.world.provider, organisation="Foo Lab")
        self.world.submit(trace=TRACE)
        self.world.settle_machines()
        self.everybody: User = make_user("everybody@example.org", *Role.values)
        User.objects.filter(pk=self.everybody.pk).update(is_demo=True)  # spared the second factor at /admin/
        self.waiter: User = self.world.reviewers[2]
        while self.world.vote(self.waiter):
            pass  # the desk of who has nothing left says who comes next, and when
        beside, self.seat = self._two_open_seats()
        self.peer, self.voter = (seat.auditor.user for seat in (beside, self.seat))
        for dataset in DATASETS:
            services.ask(owner=self.everybody, dataset=dataset, format="jsonl", filters=Filters(), with_text=True)

    def _two_open_seats(self) -> tuple[Seat, Seat]:
        """Of one round, of two people who have yet to vote: who they are is the draw's doing."""
        seats = Seat.objects.select_related("round__audit", "round__segment__block", "auditor__user")
        rounds = Round.objects.filter(tier="human", stage="committing").order_by("pk")
        waiting = [list(seats.filter(round=one, stage__in=("offered", "held")).order_by("place")) for one in rounds]
        first, second = next(pair for pair in waiting if len(pair) > 1)[:2]
        return first, second

    @contextmanager
    def branch(self, vote: Vote | None, home: Path, then: Callable[[], Any] = lambda: None) -> Iterator[None]:
        """The world after this vote was sealed, and after sequencer, exports and digests have done their work."""
        shutil.copytree(self.ledger, home / "ledger")
        (home / "exports").mkdir()
        here = override_settings(LEDGER_DIR=home / "ledger", EXPORT_DIR=home / "exports")
        self.sealed = str(vote)
        with here, suppress(UndoError), transaction.atomic():
            if vote is not None:
                self.world.seal(self.seat, self.seat.auditor, *vote)
            then()
            self.world.sequence()
            for job in ExportJob.objects.order_by("dataset"):
                services.run(job=job, now=database_now())
            mail.outbox.clear()
            digests.send_digests(now=database_now())
            yield
            raise UndoError

    def close_and_open_one(self) -> None:
        """The window of the round ends, and the revealer has come as far as the one vote."""
        round = Round.objects.select_related("audit__policy", "audit__trace").get(pk=self.seat.round_id)
        close_window(round=round, now=database_now())
        self.world.sequence()
        sealed = Commitment.objects.get(seat=self.seat)
        inside = open_sealed(
            private_key=self.world.reveal_key,
            sealed=bytes(sealed.sealed or b""),
            seat_id=self.seat.pk,
            commitment=bytes(sealed.digest),
        )
        opened = Opened(opening=inside.opening, rnonce=inside.rnonce, text=inside.rationale)
        accept_opening(seat=self.seat, opened=opened)

    def seen_by(self, user: User, **narrowed: Any) -> dict[str, str]:
        """Every answer to one person, and the mail of all."""
        mails = {f"MAIL {number}": SIGNED.sub(r"\1", whole(one)) for number, one in enumerate(mail.outbox)}
        self.peeks.append(Peek(user, **narrowed))
        return self.peeks[-1].everywhere() | mails


def whole(one: mail.EmailMessage) -> str:
    """A mail with its headers and every form of its body."""
    return (
        f"{one.subject}\n{one.to}\n{sorted(one.extra_headers.items())}\n{one.body}\n{getattr(one, 'alternatives', '')}"
    )


@contextmanager
def logged() -> Iterator[list[str]]:
    """Every line that any logger writes meanwhile, errors with their text."""
    lines: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            error = record.exc_info[1] if record.exc_info else ""
            lines.append(f"{record.name} {record.levelname} {record.getMessage()} {error}")

    keeper, root = Keeper(logging.DEBUG), logging.getLogger()
    root.addHandler(keeper)
    try:
        yield lines
    finally:
        root.removeHandler(keeper)
