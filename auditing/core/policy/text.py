"""A policy as JSON with decimals as strings: writing, strict reading, digest, and the difference of two policies."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeAlias, cast, get_type_hints

from auditing.core.errors import BadPolicyError
from auditing.core.policy.checks import check_policy
from auditing.core.policy.parameters import DomainOverride, Policy, RouteRow, TierRules
from auditing.core.values import Tier

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"

WORDS: dict[type, str] = {int: "a whole number", bool: "true or false", str: "text", type(None): "empty"}
_PLAIN_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)
_HINTS: dict[type[Any], dict[str, Any]] = {
    record_type: get_type_hints(record_type) for record_type in (Policy, TierRules, RouteRow, DomainOverride)
}


def to_json(*, policy: Policy) -> dict[str, Any]:
    """The policy as plain values: decimals as strings, enums as their words.

    Left out are the defaults of fields that came late, so that the text and the digest of an older policy stay.

    >>> from auditing.core.policy import DEFAULT
    >>> to_json(policy=DEFAULT)["human"]["tau"]
    '0.5'
    """
    plain = to_plain(policy=policy)
    unsaid = [optional for optional in fields(Policy) if optional.metadata.get("unsaid")]
    quiet = {optional.name for optional in unsaid if getattr(policy, optional.name) == optional.default}
    return {name: value for name, value in plain.items() if name not in quiet}


def to_plain(*, policy: Policy) -> dict[str, Any]:
    """The policy as plain values, nothing left out: what forms and comparisons read."""
    plain = _plain(policy)
    assert isinstance(plain, dict)
    return plain


def from_json(*, values: Mapping[str, Any]) -> Policy:
    """The checked policy that `values` (as to_json wrote them) say. Raises BadPolicyError naming the field."""
    policy = cast(Policy, _read(Policy, values, ""))
    check_policy(policy=policy)
    return policy


def digest(*, policy: Policy) -> str:
    """SHA-256 of the canonical JSON, hex: the policy's name on the ledger (keys are ASCII: RFC 8785 order)."""
    text = json.dumps(to_json(policy=policy), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def changes(*, before: Policy, after: Policy) -> dict[str, tuple[Any, Any]]:
    """Dotted field -> (old, new) for every field that differs."""
    old, new = _flat(to_plain(policy=before)), _flat(to_plain(policy=after))
    return {key: (old.get(key), new.get(key)) for key in sorted(old | new) if old.get(key) != new.get(key)}


def for_domain(*, policy: Policy, domain: str) -> Policy:
    """The policy with the overrides of `domain` applied; the policy itself when it has none."""
    domain_override = next((override for override in policy.domains if override.domain == domain), None)
    if domain_override is None:
        return policy
    values = to_plain(policy=replace(policy, domains=()))
    for path, value in domain_override.changes:
        _set(values, path, value, f"domains.{domain}")
    try:
        return from_json(values=values)
    except BadPolicyError as error:
        # The policy itself may hold a good value in a field of that name: it is the override that is refused.
        raise BadPolicyError(f"domains.{domain}.{error.field}", error.problem) from None


def _plain(value: object) -> Json:
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")  # 0.50 and 0.5 are one number and get one digest
    if isinstance(value, tuple):
        return [_plain(element) for element in value]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    assert value is None or isinstance(value, str | int)
    return value


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        flat |= _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
    return flat


def _set(values: dict[str, Any], path: str, value: str | int, owner: str) -> None:
    """Overwrite one field by its dotted path. Raises BadPolicyError when there is no such plain field."""
    *parents, last = path.split(".")
    for parent in parents:
        values = values.get(parent, {}) if isinstance(values, dict) else {}
    if not isinstance(values, dict) or last not in values or isinstance(values[last], dict | list):
        raise BadPolicyError(f"{owner}.{path}", "is no field that a domain may change")
    values[last] = value


def _read(record_type: type[Any], values: object, field: str) -> Any:
    """Build dataclass `kind` from `values`, refusing unknown, missing and mistyped fields by name.

    A field that has a default came after the first versions were written: those say it by leaving it out.
    """
    if not isinstance(values, Mapping):
        raise BadPolicyError(field or "policy", "must be an object")
    hints = _HINTS[record_type]
    prefix = f"{field}." if field else ""
    late = {optional.name for optional in fields(record_type) if optional.default is not MISSING}
    # Both lists: what is missing is named before what is unknown, and a misspelt field is both.
    for name in [*hints, *values]:
        if name not in values and name not in late:
            raise BadPolicyError(f"{prefix}{name}", "is missing")
        if name not in hints:
            raise BadPolicyError(f"{prefix}{name}", "is no field of a policy")
    return record_type(
        **{name: _convert(hints[name], values[name], f"{prefix}{name}") for name in hints if name in values}
    )


def _convert(hint: Any, value: Any, field: str) -> Any:
    if hint is Decimal or (hint == Decimal | None and value is not None):
        return _decimal(value, field)
    if hint is TierRules:
        return _read(TierRules, value, field)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _word(hint, value, field)
    if hint in _LISTS:
        return _list(hint, value, field)
    return _scalar(hint, value, field)


_LISTS: dict[Any, Any] = {
    tuple[RouteRow, ...]: RouteRow,
    tuple[DomainOverride, ...]: DomainOverride,
    tuple[Tier, ...]: Tier,
    tuple[tuple[str, str | int], ...]: None,
}


def _list(hint: Any, value: Any, field: str) -> tuple[Any, ...]:
    # A policy stands in the public ledger as a whole, so that its lists end somewhere.
    if not isinstance(value, list | tuple) or len(value) > 1000:
        raise BadPolicyError(field, "must be a list of at most 1000 items")
    element_type = _LISTS[hint]
    elements = [(f"{field}[{number}]", element) for number, element in enumerate(value)]
    if element_type is None:
        return tuple(_pair(element, name) for name, element in elements)
    if element_type is Tier:
        return tuple(_word(Tier, element, name) for name, element in elements)
    return tuple(_read(element_type, element, name) for name, element in elements)


def _pair(pair: Any, field: str) -> tuple[str, str | int]:
    if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[0], str):
        raise BadPolicyError(field, "must be a pair of a field and its value")
    if isinstance(pair[1], bool) or not isinstance(pair[1], str | int):
        raise BadPolicyError(field, "the value must be text or a whole number")
    return pair[0], pair[1]


def _decimal(value: Any, field: str) -> Decimal:
    # No float: .1 would arrive as 0.1000000000000000055...
    if isinstance(value, bool) or not isinstance(value, str | int) or len(str(value)) > 40:
        raise BadPolicyError(field, "must be a decimal number written as text")
    # Decimal() also reads 1_0, 1e3, NaN and the digits of every script: two texts that look unlike would be one policy.
    if not _PLAIN_DECIMAL.fullmatch(str(value)):
        raise BadPolicyError(field, f"must be a number in plain digits such as 0.5, not {value}")
    number = Decimal(value)
    if abs(number) > 10**9 or number.as_tuple().exponent < -12:  # type: ignore[operator]
        raise BadPolicyError(field, "must have at most 12 decimals and be at most 10^9")
    return number


def _word(enum: type[StrEnum], value: Any, field: str) -> StrEnum:
    if value not in [str(word) for word in enum]:
        raise BadPolicyError(field, f"must be one of {', '.join(enum)}")
    return enum(value)


def _scalar(hint: Any, value: Any, field: str) -> Any:
    accepted = getattr(hint, "__args__", (hint,))
    if type(value) not in accepted:
        raise BadPolicyError(field, f"must be {' or '.join(WORDS[kind] for kind in accepted)}")
    return value
