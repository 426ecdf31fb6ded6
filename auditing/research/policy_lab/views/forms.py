"""The form over every parameter of a policy; its errors are those of auditing.core.policy, field by field."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any, get_type_hints

from django import forms
from django.forms import BoundField

from accounts.forms import QuickInput, QuickSelect, WholeNumberField
from auditing.core.errors import BadPolicyError
from auditing.core.policy import Policy, RouteRow, TierRules, from_json, to_plain
from auditing.core.values import Complexity, Level, Tier
from auditing.research.policy_lab.selectors.words import CHOICES, HELP, WORDS
from hdag.rendering.states import word_of

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Consensus",
        (
            "consensus",
            "base_rate",
            "theta_pass",
            "theta_fail",
            "family_correlation",
            "followers",
            "max_redraws",
            "escalation",
            "order",
            "adjudication_seconds",
            "adjudicator_error",
        ),
    ),
    ("Trace", ("trace_rule", "beta", "trace_base_rate", "cost_miss", "cost_false_alarm", "cost_review")),
    (
        "Points",
        (
            "reward",
            "penalty",
            "slash_min",
            "slash_max",
            "slashing",
            "agreement_bonus",
            "trace_price",
            "stake",
            "ticket_stake",
            "notice_days",
            "no_show_penalty",
            "appeal_seconds",
        ),
    ),
    (
        "Gold and reputation",
        (
            "honeypot_share",
            "model_fail_share",
            "gold_emphasis",
            "newcomer_gold",
            "repeat_share",
            "repeat_after_hours",
            "honeypot_multiplier",
            "gamma",
            "initial_reputation",
            "suspend_below",
            "return_above",
            "no_show_limit",
            "no_show_days",
        ),
    ),
    ("What is judged", ("grain", "passage_least", "passage_most", "one_unit_below")),
    ("Waves", ("planner", "first_seats", "wave_seats", "cap", "sample_share")),
    ("Routing", ("routed_by", "balance_up_to")),
    ("Privacy", ("disclosure_share", "short_trace_characters", "neighbours", "openings")),
    ("Mixing of providers", ("batch_size", "batch_providers", "batch_minutes")),
    ("Guarantees", ("delta", "epsilon_target", "segments_per_hour", "traces_per_hour", "horizon_hours")),
    ("Stored, not in effect yet", ("racing", "optimistic")),
)
ROUTE_FIELDS = ("level", "kind", "complexity", "domain", "primary", "secondaries", "k", "weight", "why")
SPARE_ROUTES, MOST_ROUTES = 2, 60  # without JavaScript a row cannot be added: so many empty ones always stand ready
MOST_AT_ONCE = 12  # errors shown at once
_HINTS = {"level": Level, "complexity": Complexity}
_PLAIN_WHOLE = re.compile(r"-?\d{1,19}", re.ASCII)
TIER_FIELDS = tuple(field.name for field in fields(TierRules))


@dataclass(frozen=True, slots=True)
class Mix:
    """The trace that the preview examines: segments by tier, and how many of them are wrong."""

    counts: dict[Tier, int]
    wrong: int


class PolicyForm(forms.Form):
    """Every parameter, as text; `policy` is the checked value after is_valid()."""

    policy: Policy
    mix: Mix

    def __init__(self, data: Mapping[str, Any] | None = None, *, base: Policy) -> None:
        super().__init__(data)
        self.base = base
        self.plain = to_plain(policy=base)
        self.fields["name"] = forms.CharField(max_length=80, initial=base.name, label="Name of this version")
        for tier in Tier:
            for name in TIER_FIELDS:
                label = f"{WORDS.get(name, name)}, {word_of(tier)}"
                self._add(f"{tier}.{name}", TierRules, name, self.plain[tier][name], label)
        for _, names in GROUPS:
            for name in names:
                self._add(name, Policy, name, self.plain[name], WORDS.get(name, name.replace("_", " ")))
        self._add_routes(data)
        self.fields["domains"] = forms.CharField(
            required=False,
            strip=True,
            max_length=4000,
            initial=_domain_text(self.plain["domains"]),
            widget=forms.Textarea(attrs={"rows": 6}),
            label="Domain overrides",
            help_text="One change a line: domain: field = value, such as medicine: human.k = 7",
        )
        for tier, count in zip(Tier, (12, 12, 6), strict=True):
            self.fields[f"mix.{tier}"] = WholeNumberField(
                min_value=0, max_value=400, initial=count, required=False, label=f"segments for {word_of(tier)}"
            )
        self.fields["mix.wrong"] = WholeNumberField(
            min_value=1, max_value=400, initial=1, required=False, label="wrong segments j"
        )

    def _add(self, key: str, owner: type, name: str, value: Any, label: str) -> None:
        field_type = _hints(owner)[name]
        if field_type is bool:
            self.fields[key] = forms.BooleanField(required=False, initial=value, label=label)
        elif isinstance(field_type, type) and issubclass(field_type, StrEnum):
            words = [(str(word), CHOICES.get(name, {}).get(str(word), word_of(word))) for word in field_type]
            self.fields[key] = forms.ChoiceField(choices=words, initial=value, label=label, widget=QuickSelect)
        else:
            attrs = {"inputmode": "numeric" if field_type is int else "decimal", "autocomplete": "off"}
            widget = QuickInput(attrs=attrs)
            self.fields[key] = forms.CharField(max_length=40, initial=value, label=label, widget=widget)
        self.fields[key].help_text = HELP.get(name, "")

    def _add_routes(self, data: Mapping[str, Any] | None) -> None:
        rows = self.plain["routes"]
        # As many rows as the browser sent: who used both spare ones has more rows than the base.
        sent = 0 if data is None else sum(f"routes.{number}.primary" in data for number in range(MOST_ROUTES))
        self.route_count = min(MOST_ROUTES, max(len(rows) + SPARE_ROUTES, sent))
        choices = {
            **{key: [("*", "any"), *((str(word), str(word)) for word in words)] for key, words in _HINTS.items()},
            "primary": [("", "no row"), *((str(tier), word_of(tier)) for tier in Tier)],
        }
        for number in range(self.route_count):
            row = rows[number] if number < len(rows) else {}
            for name in ROUTE_FIELDS:
                key, label = f"routes.{number}.{name}", f"{name}, row {number + 1}"
                value = row.get(name, "*" if name in ("level", "kind", "complexity", "domain") and row else "")
                given: dict[str, Any] = {"label": label, "required": False}
                if words := choices.get(name):
                    self.fields[key] = forms.ChoiceField(choices=words, initial=value, widget=QuickSelect, **given)
                else:
                    text = ", ".join(value) if isinstance(value, list) else value
                    self.fields[key] = forms.CharField(initial=text, max_length=200, widget=QuickInput, **given)

    @property
    def tier_rows(self) -> Iterator[tuple[str, list[BoundField]]]:
        """The table of the tiers: a word and one field a tier."""
        for name in TIER_FIELDS:
            yield WORDS.get(name, name), [self[f"{tier}.{name}"] for tier in Tier]

    @property
    def groups(self) -> Iterator[tuple[str, list[BoundField]]]:
        """The other parameters by group."""
        for title, names in GROUPS:
            yield title, [self[name] for name in names]

    @property
    def route_rows(self) -> Iterator[list[BoundField]]:
        """The routing table, spare rows last."""
        for number in range(self.route_count):
            yield [self[f"routes.{number}.{name}"] for name in ROUTE_FIELDS]

    @property
    def routes_are_wrong(self) -> bool:
        """Whether an error lies in the folded part of the page."""
        return any(name == "domains" or name.startswith("routes") for name in self.errors)

    @property
    def mix_fields(self) -> list[BoundField]:
        """What trace the preview looks at."""
        return [self[f"mix.{name}"] for name in (*Tier, "wrong")]

    def clean(self) -> dict[str, Any]:
        """Read the whole policy; the core names each bad field, several at once."""
        cleaned = super().clean() or {}
        counts = {tier: cleaned.get(f"mix.{tier}") or 0 for tier in Tier}
        self.mix = Mix(counts if sum(counts.values()) else {**counts, Tier.HUMAN: 1}, cleaned.get("mix.wrong") or 1)
        if self.errors:
            return cleaned
        plain = self._plain(cleaned)
        # The core stops at its first bad field. That one is put back to the base's value and the rest is read again,
        # until all is well: so an admin sees every error in one go.
        for _ in range(MOST_AT_ONCE):
            try:
                self.policy = from_json(values=plain)
                return cleaned
            except BadPolicyError as error:
                if not self._blame(error, plain):
                    return cleaned
        return cleaned

    def _plain(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        plain: dict[str, Any] = {"name": cleaned["name"]}
        for tier in Tier:
            plain[tier] = {name: _typed(TierRules, name, cleaned[f"{tier}.{name}"]) for name in TIER_FIELDS}
        for _, names in GROUPS:
            plain |= {name: _typed(Policy, name, cleaned[name]) for name in names}
        rows = [
            {name: cleaned.get(f"routes.{number}.{name}", "") for name in ROUTE_FIELDS}
            for number in range(self.route_count)
        ]
        plain["routes"] = [_route(row) for row in rows if row["primary"]]
        plain["domains"] = self._domains(cleaned.get("domains", ""))
        return plain

    def _domains(self, text: str) -> list[dict[str, Any]]:
        changes_by_domain: dict[str, list[list[Any]]] = {}
        for number, line in enumerate(filter(str.strip, text.splitlines()), 1):
            domain, colon, change = line.partition(":")
            field, equals, value = change.partition("=")
            if not (colon and equals and domain.strip() and field.strip()):
                self.add_error("domains", f"Line {number} is no “domain: field = value”.")
                continue
            value = value.strip()
            changes_by_domain.setdefault(domain.strip(), []).append(
                [field.strip(), _whole(value) if _is_count(field) else value]
            )
        return [{"domain": domain, "changes": changes} for domain, changes in changes_by_domain.items()]

    def _blame(self, error: BadPolicyError, plain: dict[str, Any]) -> bool:
        """Attach an error to its field and put the base's value there; False when nothing else can be checked."""
        key = error.field.replace("[", ".").replace("]", "")
        if key not in self.fields:
            key = next((name for name in (key.split(".")[0],) if name in self.fields), "")
        inner = error.field.removeprefix(f"{key}.") if key == "domains" else ""
        told = f"{inner} {error.problem}" if inner not in ("", key) else str(error.problem).capitalize()
        self.add_error(key or None, f"{told}." if key else f"{error.field} {error.problem}")
        owner, _, name = error.field.partition(".")
        # "human.k" lies inside a tier's table, "beta" at the top; "routes[2].k" is neither and ends the search.
        if name and isinstance(plain.get(owner), dict):
            plain[owner][name] = self.plain[owner].get(name)
            return True
        if not name and error.field in self.plain and plain.get(error.field) != self.plain[error.field]:
            plain[error.field] = self.plain[error.field]
            return True
        return False


@cache
def _hints(owner: type) -> dict[str, Any]:
    return get_type_hints(owner)


def _typed(owner: type, name: str, value: Any) -> Any:
    """Whole numbers as integers, so that the core may judge them; all else as it was typed."""
    # "7" becomes 7 and "7.5" stays text: the core refuses it by name, in its own words.
    return _whole(value.strip()) if _hints(owner)[name] is int and isinstance(value, str) else value


def _whole(text: str) -> int | str:
    """The number that plain digits write; any other spelling that int() knows stays a text, which the core refuses."""
    return int(text) if _PLAIN_WHOLE.fullmatch(text) else text


def _is_count(field: str) -> bool:
    owner, _, name = field.strip().partition(".")
    return _hints(TierRules if name else Policy).get(name or owner) is int


def _route(row: Mapping[str, str]) -> dict[str, Any]:
    k = row["k"].strip()
    return {
        **{name: row[name] or "*" for name in ("level", "kind", "complexity", "domain")},
        "primary": row["primary"],
        "secondaries": [word.strip() for word in row["secondaries"].split(",") if word.strip()],
        "k": _whole(k) if k else None,
        "weight": row["weight"].strip() or None,
        "why": row["why"],
    }


def _domain_text(domains: list[dict[str, Any]]) -> str:
    pairs = [(one["domain"], *change) for one in domains for change in one["changes"]]
    return "\n".join(f"{domain}: {field} = {value}" for domain, field, value in pairs)


# A field that the core gains must not be missing from the page: the server does not start without it.
assert {field.name for field in fields(RouteRow)} == set(ROUTE_FIELDS)
