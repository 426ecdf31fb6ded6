"""Who is willing to sit, kept while one task has several audits in hand. Reads nothing itself."""

from collections.abc import Callable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from auditing.models import Audit, Auditor

T = TypeVar("T")


class Crowd:
    """Who is willing, for the audits that one task takes up: the same people for all plain traces of a provider.

    Plain is a trace that is no decoy, has none, and was recorded nowhere: then nothing but campaign, provider, domain
    and policy decides. A crowd lives as long as its task: whoever lost a role meanwhile is passed on like anybody who
    loses it between the draw and the claim.
    """

    def __init__(self) -> None:
        """Nobody is known yet."""
        self._known: dict[tuple[Any, ...], list[Auditor]] = {}
        self._asked: dict[Callable[[], Any], Any] = {}

    def once(self, ask: Callable[[], T]) -> T:
        """What `ask` says of everybody, asked at first need."""
        if ask not in self._asked:
            self._asked[ask] = ask()
        return cast("T", self._asked[ask])

    def willing(self, *, audit: Audit, key: tuple[Any, ...], ask: Callable[[], list[Auditor]]) -> list[Auditor]:
        """What `ask` says, asked for once where audits of plain traces are alike; key: what else it depends on."""
        alike = (audit.campaign_id, audit.trace.provider_id, audit.trace.domain, audit.policy_id, *key)
        if alike not in self._known:
            self._known[alike] = ask()
        return self._known[alike]


_crowds: WeakKeyDictionary[Audit, Crowd] = WeakKeyDictionary()


def share_crowd(*, audit: Audit, crowd: Crowd) -> None:
    """Whoever asks about this audit's people, while its task has it in hand, asks this crowd."""
    _crowds[audit] = crowd


def crowd_of(*, audit: Audit) -> Crowd:
    """The crowd that its task shares, or one of its own."""
    return _crowds.get(audit) or Crowd()
