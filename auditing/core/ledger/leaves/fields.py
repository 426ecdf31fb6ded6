"""Leaf values to canonical bytes and back: one rule for each kind of field, nothing coerced, nothing left over.

UUID -> its text          bytes, 32 of them -> 64 hex digits     Decimal -> "0.6"          Fraction -> "7/10"
int -> int below 2^53     StrEnum -> its word                    bool -> bool              tuple -> list
dataclass -> object       Name -> ASCII word                     None -> the key is absent
"""

import re
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, NewType
from uuid import UUID

from hdag.core import canonical

LONGEST_NUMBER = 2_048
_NAME = re.compile(r"[A-Za-z0-9._:/+=<>-]{1,256}")
_HEX = re.compile(r"[0-9a-f]{64}")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")
_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)/[1-9][0-9]*")
_KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")

Name = NewType("Name", str)
"""A word of an identifier, a code or a key; never a sentence, so that no text of a trace can slip in."""
Digest = NewType("Digest", bytes)
"""Exactly 32 bytes."""
Parameters = NewType("Parameters", dict[str, Any])
"""A policy's parameters: plain JSON, decimals as strings, strings of at most 200 characters."""


class LeafError(ValueError):
    """This cannot become a leaf of the ledger."""


def to_fields(*, value: Any) -> dict[str, canonical.Json]:
    """The JSON object of a dataclass; fields that are None are left out. Raises: LeafError naming the field."""
    found = {}
    for name, kind in _kinds(typing.cast(Any, type(value))).items():
        item = getattr(value, name)
        if item is not None or not _optional(kind):
            found[name] = _write(_bare(kind), item, name)
    return found


def from_fields(*, kind: Any, data: object, where: str = "leaf") -> Any:
    """The dataclass `kind` of a JSON object with exactly its fields. Raises: LeafError naming the field."""
    if not isinstance(data, dict):
        raise LeafError(f"{where}: an object is needed")
    kinds = _kinds(kind)
    needed = {name for name, field in kinds.items() if not _optional(field)}
    for name in sorted(data.keys() - kinds.keys()):
        raise LeafError(f"{where}: unknown key {name[:64]!r}")
    for name in sorted(needed - data.keys()):
        raise LeafError(f"{where}: the key {name!r} is missing")
    read = {name: _read(_bare(kinds[name]), item, f"{where}.{name}") for name, item in data.items()}
    try:
        return kind(**{name: read.get(name) for name in kinds})
    except LeafError as error:
        raise LeafError(f"{where}: {error}") from None


@cache
def _kinds(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


@cache
def _optional(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType) and type(None) in typing.get_args(kind)


@cache
def _bare(kind: Any) -> Any:
    return next(arg for arg in typing.get_args(kind) if arg is not type(None)) if _optional(kind) else kind


def _write(kind: Any, item: Any, where: str) -> canonical.Json:
    if typing.get_origin(kind) is tuple:
        if not isinstance(item, tuple):
            raise LeafError(f"{where}: a tuple is needed")
        inner = typing.get_args(kind)[0]
        return [_write(inner, part, f"{where}[{index}]") for index, part in enumerate(item)]
    if kind in _SCALARS:
        return _write_scalar(kind, item, where)
    if not isinstance(item, kind):
        raise LeafError(f"{where}: {kind.__name__} is needed, not {type(item).__name__}")
    return item.value if issubclass(kind, StrEnum) else to_fields(value=item)


def _write_scalar(kind: Any, item: Any, where: str) -> canonical.Json:
    python_type: type[Any] = _SCALARS[kind]
    if type(item) is not python_type:
        raise LeafError(f"{where}: {python_type.__name__} is needed, not {type(item).__name__}")
    if kind is Decimal and not item.is_finite():
        raise LeafError(f"{where}: a finite decimal is needed, not {item}")
    text: Any = _TEXT[kind](item) if kind in _TEXT else item
    _read(kind, text, where)
    plain: canonical.Json = text
    return plain


def decimal_text(number: Decimal) -> str:
    """The one text of a decimal number: no exponent, no trailing zero.

    >>> decimal_text(Decimal("0.60")), decimal_text(Decimal("1E+3"))
    ('0.6', '1000')
    """
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def published(*, number: Fraction) -> Decimal:
    """A probability or weight as leaves state it: rounded half even to 12 decimal places.

    >>> published(number=Fraction(2, 3))
    Decimal('0.666666666667')
    """
    return Decimal(round(number * 10**12)) / 10**12


def _fraction_text(number: Fraction) -> str:
    return f"{number.numerator}/{number.denominator}"


_SCALARS: dict[Any, type] = {
    UUID: UUID,
    Digest: bytes,
    Name: str,
    int: int,
    bool: bool,
    Decimal: Decimal,
    Fraction: Fraction,
    Parameters: dict,
}
_TEXT: dict[Any, Any] = {UUID: str, Digest: bytes.hex, Decimal: decimal_text, Fraction: _fraction_text}


def _read(kind: Any, item: Any, where: str) -> Any:
    if typing.get_origin(kind) is tuple:
        if not isinstance(item, list):
            raise LeafError(f"{where}: a list is needed")
        inner = typing.get_args(kind)[0]
        return tuple(_read(inner, part, f"{where}[{index}]") for index, part in enumerate(item))
    if kind in _READERS:
        return _READERS[kind](item, where)
    if issubclass(kind, StrEnum):
        if item not in [member.value for member in kind]:
            raise LeafError(f"{where}: {str(item)[:64]!r} is no {kind.__name__}")
        return kind(item)
    if is_dataclass(kind):
        return from_fields(kind=kind, data=item, where=where)
    raise LeafError(f"{where}: no rule for {kind!r}")


def _read_uuid(item: object, where: str) -> UUID:
    try:
        found = UUID(item) if isinstance(item, str) else None
    except ValueError:
        found = None
    if found is None or str(found) != item:
        raise LeafError(f"{where}: a UUID in its usual form is needed")
    return found


def _read_digest(item: object, where: str) -> bytes:
    return bytes.fromhex(_matching(_HEX, item, where, "64 lower-case hex digits"))


def _read_name(item: object, where: str) -> str:
    return _matching(_NAME, item, where, "a word of letters, digits and ._:/+=<>-")


def _read_integer(item: object, where: str) -> int:
    if type(item) is not int or abs(item) > canonical.LARGEST_INTEGER:
        raise LeafError(f"{where}: an integer below 2^53 is needed")
    return item


def _read_bool(item: object, where: str) -> bool:
    if type(item) is not bool:
        raise LeafError(f"{where}: true or false is needed")
    return item


def _read_decimal(item: object, where: str) -> Decimal:
    text = _matching(_DECIMAL, item, where, 'a decimal such as "0.6"')
    if text == "-0":
        raise LeafError(f"{where}: zero has no sign")
    return Decimal(text)


def _read_fraction(item: object, where: str) -> Fraction:
    found = Fraction(_matching(_FRACTION, item, where, 'a fraction such as "7/10"'))
    if _fraction_text(found) != item:
        raise LeafError(f"{where}: the fraction is not in lowest terms")
    return found


def _matching(pattern: re.Pattern[str], item: object, where: str, wanted: str) -> str:
    if not isinstance(item, str) or len(item) > LONGEST_NUMBER or not pattern.fullmatch(item):
        raise LeafError(f"{where}: {wanted} is needed")
    return item


def _read_parameters(item: object, where: str) -> Any:
    if isinstance(item, Mapping):
        for key in item:
            _matching(_KEY, key, where, "a lower-case key")
        return {key: _read_parameters(part, f"{where}.{key}") for key, part in item.items()}
    if isinstance(item, list | tuple):
        return [_read_parameters(part, f"{where}[{index}]") for index, part in enumerate(item)]
    if isinstance(item, str):
        if len(item) > 200 or not item.isprintable():
            raise LeafError(f"{where}: at most 200 printable characters are needed")
    elif item is not None and type(item) is not bool:
        _read_integer(item, where)
    return item


_READERS: dict[Any, Any] = {
    UUID: _read_uuid,
    Digest: _read_digest,
    Name: _read_name,
    int: _read_integer,
    bool: _read_bool,
    Decimal: _read_decimal,
    Fraction: _read_fraction,
    Parameters: _read_parameters,
}
