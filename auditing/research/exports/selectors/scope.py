"""What an export may hold: whose rows, which filters, and the pseudonyms under which auditors leave."""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.parameters import DAY, read_text
from auditing.checker.planting import Origin
from auditing.core.stages import RoundStage
from auditing.core.values import Outcome, Tier
from auditing.models import Audit, Round
from auditing.research.models import ImportedVoteSet
from auditing.research.reports.selectors.audits import readable
from auditing.selectors.gold.decoys import NOT_DECOYS
from auditing.selectors.gold.truths import on_gold
from auditing.selectors.voting.bindings import pseudonym_key

_POLICY_NUMBER = re.compile(r"[1-9]\d{0,8}", re.ASCII)
ANY, ONLY, WITHOUT = "any", "only", "without"
# What is no property of any row of a data set, and so narrows nothing in it.
OF_ROUNDS = ("tier", "outcome", "agreement")
UNREAD = dict.fromkeys(("edges", "steps", "soundness", "postings", "ledger"), OF_ROUNDS) | {"segments": ("agreement",)}


class FilterRefusedError(ValueError):
    """This filter cannot be read."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What an export is narrowed to; empty texts narrow nothing. Dates are UTC days of handing in, both inclusive."""

    campaign: str = ""
    domain: str = ""
    policy: str = ""
    since: str = ""
    until: str = ""
    tier: str = ""
    outcome: str = ""
    agreement: str = ""  # unanimous, split
    gold: str = ANY
    simulated: str = ANY
    imported: str = WITHOUT

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "Filters":
        """From a form, a command or a stored job. Raises FilterRefusedError naming the field and what it may be."""
        texts = {column.name: read_text(values, column.name, most=120) for column in fields(cls)}
        filters = cls(**{name: value for name, value in texts.items() if value})
        filters._check()
        return filters

    @classmethod
    def read_all(cls, values: Mapping[str, Any]) -> "Filters":
        """From an address that holds nothing else. Raises FilterRefusedError for a name that is no filter, too."""
        names = [column.name for column in fields(cls)]
        if unknown := values.keys() - set(names):
            raise FilterRefusedError(f"{min(unknown)[:60]!r} is no filter; there are: {', '.join(names)}")
        return cls.read(values)

    def as_json(self) -> dict[str, str]:
        """The fields that are set."""
        return {name: value for name, value in asdict(self).items() if value}

    def sentence(self, *, dataset: str) -> str:
        """In words, for the data card: what narrowed it, and what was asked for and cannot narrow it."""
        unread = UNREAD.get(dataset, ())
        told = [(name in unread, f"{name}: {value}") for name, value in self.as_json().items()]
        narrowed, others = (
            "; ".join(words for is_unread, words in told if is_unread is which) for which in (False, True)
        )
        return f"Narrowed to: {narrowed}." + (f" Not narrowed by {others}, which no row of it has." if others else "")

    def _check(self) -> None:
        allowed = {
            "tier": tuple(Tier),
            "outcome": tuple(Outcome),
            "agreement": ("unanimous", "split"),
            "gold": (ANY, ONLY, WITHOUT),
            "simulated": (ANY, ONLY, WITHOUT),
            "imported": (ANY, ONLY, WITHOUT),
        }
        # A filter that is misspelt would select everything, and be cited as if it had selected: it is refused by name.
        for name, values in allowed.items():
            value = getattr(self, name)
            if value and value not in [str(allowed_value) for allowed_value in values]:
                raise FilterRefusedError(f"{name}: {value!r} is none of: {', '.join(map(str, values))}")
        for name, value in (("since", self.since), ("until", self.until)):
            if value and (refusal := DAY.refusal(value)):
                raise FilterRefusedError(f"{name}: {refusal}")
            _check_readable(name, value, date.fromisoformat)
        if self.since and self.until and date.fromisoformat(self.since) > date.fromisoformat(self.until):
            raise FilterRefusedError(f"since: {self.since} is after until, which is {self.until}: no day is between")
        _check_readable("campaign", self.campaign, UUID)
        if self.policy and not _POLICY_NUMBER.fullmatch(self.policy):
            raise FilterRefusedError(f"policy: {self.policy!r} is no number of a policy; the first one is 1")


@dataclass(frozen=True, slots=True)
class Scope:
    """One export: who asks, narrowed to what, with or without text, under which pseudonyms."""

    user: User
    filters: Filters
    salt: str  # the id of the bundle: a pseudonym is stable within it and says nothing outside it
    with_text: bool = False
    pseudonyms: dict[Any, str] = field(default_factory=dict)

    def audits(self, *, repeats: bool = False) -> QuerySet[Audit]:
        """The audits that the person may read, narrowed; text of other audits never leaves.

        repeats: also those in which reviewers judged a passage for the second time; nobody's outcome is among them.
        """
        filters, audits = self.filters, readable(user=self.user)
        if not repeats:
            audits = audits.exclude(trace__decoy__origin=Origin.REPEATED)
        if filters.imported == ONLY:
            return audits.none()
        if filters.campaign:
            audits = audits.filter(campaign=UUID(filters.campaign))
        if filters.domain:
            audits = audits.filter(trace__domain=filters.domain)
        if filters.policy:
            audits = audits.filter(policy__number=int(filters.policy))
        if filters.simulated != ANY:
            audits = audits.filter(is_simulated=filters.simulated == ONLY)
        return audits.filter(_between("created", filters))

    def wholes(self) -> QuerySet[Audit]:
        """These audits for rows that tell of no single segment, where gold is the whole trace of a decoy."""
        audits = self.audits()
        if self.filters.gold == ANY:
            return audits
        return audits.filter(NOT_DECOYS) if self.filters.gold == WITHOUT else audits.exclude(NOT_DECOYS)

    def rounds(self, *, repeats: bool = False) -> QuerySet[Round]:
        """Tallied rounds of these audits: no vote leaves before its round is counted."""
        audits = self.audits(repeats=repeats)
        filters, rounds = self.filters, Round.objects.filter(audit__in=audits, stage=RoundStage.TALLIED)
        if filters.tier:
            rounds = rounds.filter(tier=filters.tier)
        if filters.outcome:
            rounds = rounds.filter(outcome=filters.outcome)
        if filters.gold != ANY:
            is_gold = on_gold(segment="segment__")
            rounds = rounds.exclude(is_gold) if filters.gold == WITHOUT else rounds.filter(is_gold)
        if filters.agreement:
            # Unanimous: nobody passed, or nobody failed; abstentions do not matter.
            alike = Q(tally__passes=0) | Q(tally__fails=0)
            rounds = rounds.filter(alike if filters.agreement == "unanimous" else ~alike)
        return rounds

    def imported(self) -> QuerySet[ImportedVoteSet]:
        """Sets of imported votes; every researcher may use every set."""
        filters = self.filters
        if (
            filters.imported == WITHOUT
            or ONLY in (filters.simulated, filters.gold)
            or filters.campaign
            or filters.policy
        ):
            return ImportedVoteSet.objects.none()
        sets = ImportedVoteSet.objects.filter(_between("created", filters))
        sets = sets.filter(domain=filters.domain) if filters.domain else sets
        return sets.filter(tier=filters.tier) if filters.tier else sets

    def pseudonym(self, auditor: Any) -> str:
        """The name of an auditor within this export: keyed, so that it cannot be computed from an id."""
        pseudonym = self.pseudonyms.get(auditor)
        if pseudonym is None:
            # The prefix keeps this use of the key apart from every other use.
            message = f"TRUST/export/v1 {self.salt} {auditor}".encode()
            pseudonym = "a-" + hmac.new(pseudonym_key(), message, hashlib.sha256).hexdigest()[:16]
            self.pseudonyms[auditor] = pseudonym
        return pseudonym


def _between(column: str, filters: Filters) -> Q:
    condition = Q()
    if filters.since:
        condition &= Q(**{f"{column}__gte": _midnight(filters.since)})
    if filters.until:
        # `until` is included: everything before the midnight that ends it.
        condition &= Q(**{f"{column}__lt": _midnight(filters.until) + timedelta(days=1)})
    return condition


def _midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), time(), tzinfo=UTC)


def _check_readable(name: str, value: str, read: Callable[[str], object]) -> None:
    try:
        read(value) if value else None
    except ValueError:
        raise FilterRefusedError(f"{name}: {value!r} cannot be read") from None
