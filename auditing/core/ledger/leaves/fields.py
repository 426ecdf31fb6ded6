"""The fields of leaves as JSON values and back: one rule for each type, nothing coerced, nothing left over.

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

LONGEST_NUMBER = 2_048  # characters: exact posteriors of many votes are long fractions
_NAME = re.compile(r"[A-Za-z0-9._:/+=<>-]{1,256}")
DIGEST_BYTES = 32
_HEX = re.compile(r"[0-9a-f]{64}")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")  # no leading and no trailing zero: one text a number
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
    """The JSON object of a dataclass; fields that are None are left out. Raises: LeafError naming the field.

    Optional fields left out give one text for one value, and leaves written before a field existed stay readable.
    """
    plain = {}
    for name, hint, is_optional in _written_fields(typing.cast(Any, type(value))):
        content = getattr(value, name)
        if content is not None or not is_optional:
            plain[name] = _write(hint, content, name)
    return plain


def from_fields(*, record_type: Any, data: object, where: str = "leaf") -> Any:
    """The dataclass `record_type` of a JSON object with exactly its fields. Raises: LeafError naming the field.

    where: what messages call the object.
    """
    if not isinstance(data, dict):
        raise LeafError(f"{where}: an object is needed")
    hints = _field_hints(record_type)
    needed = {name for name, hint in hints.items() if not _is_optional(hint)}
    # Sorted, so that equal mistakes give equal messages.
    for name in sorted(data.keys() - hints.keys()):
        raise LeafError(f"{where}: unknown key {name[:64]!r}")
    for name in sorted(needed - data.keys()):
        raise LeafError(f"{where}: the key {name!r} is missing")
    read = {name: _read(_without_none(hints[name]), content, f"{where}.{name}") for name, content in data.items()}
    try:
        return record_type(**{name: read.get(name) for name in hints})
    except LeafError as error:
        raise LeafError(f"{where}: {error}") from None


# Type hints are read once for each record type: typing takes longer over them than a leaf over everything else.
@cache
def _field_hints(record_type: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(record_type)
    return {field.name: hints[field.name] for field in fields(record_type)}


@cache
def _written_fields(record_type: Any) -> tuple[tuple[str, Any, bool], ...]:
    hints = _field_hints(record_type).items()
    return tuple((name, _without_none(hint), _is_optional(hint)) for name, hint in hints)


@cache
def _is_optional(hint: Any) -> bool:
    # typing.Union of quoted hints, types.UnionType of `X | None`
    return typing.get_origin(hint) in (typing.Union, types.UnionType) and type(None) in typing.get_args(hint)


@cache
def _without_none(hint: Any) -> Any:
    """`X` of `X | None`; any other hint itself."""
    if not _is_optional(hint):
        return hint
    return next(arg for arg in typing.get_args(hint) if arg is not type(None))


@cache
def _element(hint: Any) -> Any:
    """`X` of `tuple[X, ...]`; None for any other hint."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else None


def _write(hint: Any, value: Any, where: str) -> canonical.Json:
    if (inner := _element(hint)) is not None:
        if not isinstance(value, tuple):
            raise LeafError(f"{where}: a tuple is needed")
        return [_write(inner, element, f"{where}[{index}]") for index, element in enumerate(value)]
    if hint in _SCALARS:
        return _write_scalar(hint, value, where)
    if not isinstance(value, hint):
        raise LeafError(f"{where}: {hint.__name__} is needed, not {type(value).__name__}")
    return value.value if issubclass(hint, StrEnum) else to_fields(value=value)


def _write_scalar(hint: Any, value: Any, where: str) -> canonical.Json:
    """The JSON value of one scalar, after it passed the rule by which it will be read again."""
    python_type: type[Any] = _SCALARS[hint]
    if type(value) is not python_type:  # not isinstance: True is an int, and a datetime is a date
        raise LeafError(f"{where}: {python_type.__name__} is needed, not {type(value).__name__}")
    if hint is Decimal and not value.is_finite():
        raise LeafError(f"{where}: a finite decimal is needed, not {value}")
    text: Any = _TEXT[hint](value) if hint in _TEXT else value
    if hint is not UUID and not (hint is Digest and len(value) == DIGEST_BYTES):  # whose text always reads back
        _READERS[hint](text, where)  # what could not be read back is not written
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


def _read(hint: Any, data: Any, where: str) -> Any:
    """The value of type `hint` in parsed JSON, or LeafError: the mirror of _write."""
    if (inner := _element(hint)) is not None:
        if not isinstance(data, list):
            raise LeafError(f"{where}: a list is needed")
        return tuple(_read(inner, element, f"{where}[{index}]") for index, element in enumerate(data))
    if hint in _READERS:
        return _READERS[hint](data, where)
    # Values, not names: members may be renamed, what stands in a signed leaf may not.
    if issubclass(hint, StrEnum):
        if data not in [member.value for member in hint]:
            raise LeafError(f"{where}: {str(data)[:64]!r} is no {hint.__name__}")
        return hint(data)
    if is_dataclass(hint):
        return from_fields(record_type=hint, data=data, where=where)
    raise LeafError(f"{where}: no rule for {hint!r}")


def _read_uuid(data: object, where: str) -> UUID:
    try:
        identifier = UUID(data) if isinstance(data, str) else None
    except ValueError:
        identifier = None
    # UUID() also takes braces, capitals and no hyphens; a leaf holds the one usual form.
    if identifier is None or str(identifier) != data:
        raise LeafError(f"{where}: a UUID in its usual form is needed")
    return identifier


def _read_digest(data: object, where: str) -> bytes:
    return bytes.fromhex(_matching(_HEX, data, where, "64 lower-case hex digits"))


def _read_name(data: object, where: str) -> str:
    return _matching(_NAME, data, where, "a word of letters, digits and ._:/+=<>-")


def _read_integer(data: object, where: str) -> int:
    if type(data) is not int or abs(data) > canonical.LARGEST_INTEGER:
        raise LeafError(f"{where}: an integer below 2^53 is needed")
    return data


def _read_bool(data: object, where: str) -> bool:
    if type(data) is not bool:
        raise LeafError(f"{where}: true or false is needed")
    return data


def _read_decimal(data: object, where: str) -> Decimal:
    text = _matching(_DECIMAL, data, where, 'a decimal such as "0.6"')
    if text == "-0":
        raise LeafError(f"{where}: zero has no sign")
    return Decimal(text)


def _read_fraction(data: object, where: str) -> Fraction:
    fraction = Fraction(_matching(_FRACTION, data, where, 'a fraction such as "7/10"'))
    if _fraction_text(fraction) != data:
        raise LeafError(f"{where}: the fraction is not in lowest terms")
    return fraction


def _matching(pattern: re.Pattern[str], data: object, where: str, wanted: str) -> str:
    if not isinstance(data, str) or len(data) > LONGEST_NUMBER or not pattern.fullmatch(data):
        raise LeafError(f"{where}: {wanted} is needed")
    return data


def _read_parameters(data: object, where: str) -> Any:
    if isinstance(data, Mapping):
        for key in data:
            _matching(_KEY, key, where, "a lower-case key")
        return {key: _read_parameters(value, f"{where}.{key}") for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_read_parameters(value, f"{where}[{index}]") for index, value in enumerate(data)]
    if isinstance(data, str):
        # A leaf is public for ever: no text of a trace fits into a parameter.
        if len(data) > 200 or not data.isprintable():
            raise LeafError(f"{where}: at most 200 printable characters are needed")
    # type, not isinstance: to Python True is an integer, in a leaf it is not.
    elif data is not None and type(data) is not bool:
        _read_integer(data, where)
    return data


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
