"""What an export may hold: whose rows, which filters, and the pseudonyms under which auditors leave."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from auditing.core.stages import RoundStage
from auditing.core.values import Outcome, Tier
from auditing.models import Audit, Round
from auditing.research.models import ImportedVoteSet
from auditing.selectors.report.audits import readable
from auditing.selectors.voting.bindings import pseudonym_key

ANY, ONLY, WITHOUT = "any", "only", "without"


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
    def read(cls, said: Mapping[str, Any]) -> "Filters":
        """From a form, a command or a stored job. Raises FilterRefusedError naming the field and what it may be."""
        given = {one.name: str(said.get(one.name) or "").strip()[:120] for one in fields(cls)}
        found = cls(**{name: value for name, value in given.items() if value})
        found._check()
        return found

    def as_json(self) -> dict[str, str]:
        """The fields that are set."""
        return {name: value for name, value in asdict(self).items() if value}

    @property
    def sentence(self) -> str:
        """In words, for the data card."""
        return "; ".join(f"{name}: {value}" for name, value in self.as_json().items())

    def _check(self) -> None:
        allowed = {
            "tier": tuple(Tier),
            "outcome": tuple(Outcome),
            "agreement": ("unanimous", "split"),
            "gold": (ANY, ONLY, WITHOUT),
            "simulated": (ANY, ONLY, WITHOUT),
            "imported": (ANY, ONLY, WITHOUT),
        }
        for name, values in allowed.items():
            value = getattr(self, name)
            if value and value not in [str(one) for one in values]:
                raise FilterRefusedError(f"{name}: {value!r} is none of {', '.join(map(str, values))}")
        for name, read in {"since": date.fromisoformat, "until": date.fromisoformat, "campaign": UUID}.items():
            _check_readable(name, getattr(self, name), read)
        if self.policy and not (self.policy.isascii() and self.policy.isdigit() and len(self.policy) < 10):
            raise FilterRefusedError(f"policy: {self.policy!r} is no number of a policy")


@dataclass(frozen=True, slots=True)
class Scope:
    """One export: who asks, narrowed to what, with or without text, under which pseudonyms."""

    user: Any
    filters: Filters
    salt: str  # the job's id: a pseudonym is stable within one export and says nothing outside it
    with_text: bool = False
    names: dict[Any, str] = field(default_factory=dict)

    def audits(self) -> QuerySet[Audit]:
        """The audits that the person may read, narrowed; text of other audits never leaves."""
        said, found = self.filters, readable(user=self.user)
        if said.imported == ONLY:
            return found.none()
        if said.campaign:
            found = found.filter(campaign=UUID(said.campaign))
        if said.domain:
            found = found.filter(trace__domain=said.domain)
        if said.policy:
            found = found.filter(policy__number=int(said.policy))
        if said.simulated != ANY:
            found = found.filter(is_simulated=said.simulated == ONLY)
        return found.filter(_between("created", said))

    def rounds(self) -> QuerySet[Round]:
        """Tallied rounds of these audits: no vote leaves before its round is counted."""
        said, found = self.filters, Round.objects.filter(audit__in=self.audits(), stage=RoundStage.TALLIED)
        if said.tier:
            found = found.filter(tier=said.tier)
        if said.outcome:
            found = found.filter(outcome=said.outcome)
        if said.gold != ANY:
            found = found.filter(segment__gold_truth__isnull=said.gold == WITHOUT)
        if said.agreement:
            alike = Q(tally__passes=0) | Q(tally__fails=0)
            found = found.filter(alike if said.agreement == "unanimous" else ~alike)
        return found

    def imported(self) -> QuerySet[ImportedVoteSet]:
        """Sets of imported votes; every researcher may use every set."""
        said = self.filters
        if said.imported == WITHOUT or ONLY in (said.simulated, said.gold) or said.campaign or said.policy:
            return ImportedVoteSet.objects.none()
        found = ImportedVoteSet.objects.filter(_between("created", said))
        found = found.filter(domain=said.domain) if said.domain else found
        return found.filter(tier=said.tier) if said.tier else found

    def pseudonym(self, auditor: Any) -> str:
        """The name of an auditor within this export: keyed, so that it cannot be computed from an id."""
        found = self.names.get(auditor)
        if found is None:
            said = f"TRUST/export/v1 {self.salt} {auditor}".encode()
            found = "a-" + hmac.new(pseudonym_key(), said, hashlib.sha256).hexdigest()[:16]
            self.names[auditor] = found
        return found


def _between(column: str, said: Filters) -> Q:
    found = Q()
    if said.since:
        found &= Q(**{f"{column}__gte": _midnight(said.since)})
    if said.until:
        found &= Q(**{f"{column}__lt": _midnight(said.until) + timedelta(days=1)})
    return found


def _midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), time(), tzinfo=UTC)


def _check_readable(name: str, value: str, read: Any) -> None:
    try:
        read(value) if value else None
    except ValueError:
        raise FilterRefusedError(f"{name}: {value!r} cannot be read") from None
