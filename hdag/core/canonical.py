"""Canonical JSON: one value, one byte string (RFC 8785), and a reader that accepts nothing ambiguous.

The package `rfc8785` orders keys and escapes strings; the strict part is ours: what the ledger and the block store
hash may hold no float (two languages print them differently), no integer beyond 2^53, no duplicate key, no lone
surrogate.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, cast

import rfc8785

# The largest integer that JavaScript, and so any reader of I-JSON (RFC 7493), keeps exactly.
LARGEST_INTEGER = 2**53 - 1
# Well below the depth at which a recursive reader in any language runs out of stack.
DEEPEST = 64

Json: TypeAlias = bool | int | str | Sequence["Json"] | Mapping[str, "Json"] | None

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=dict)


class NotCanonicalError(ValueError):
    """This value has no canonical JSON form."""


def encode(*, value: Json) -> bytes:
    """The canonical bytes of `value`.

    Source: RFC 8785, without floating-point numbers.
    Raises: NotCanonicalError naming the place, e.g. "$.votes[2]: floats are not allowed".

    >>> encode(value={"b": 1, "a": ["x", None]})
    b'{"a":["x",null],"b":1}'
    """
    if _check(value, ()):
        # The same bytes, by C: both escape what they must in one way, and these keys stand in one order in each.
        return _ENCODER.encode(value).encode()
    encoded: bytes = rfc8785.dumps(value)
    return encoded


def decode(*, data: bytes) -> Any:
    """The value of strict JSON: UTF-8, no duplicate key, no float, no NaN, at most 64 levels deep.

    Raises: NotCanonicalError with the reason.

    >>> decode(data=b'{"vote":0,"vote":1}')
    Traceback (most recent call last):
    hdag.core.canonical.NotCanonicalError: the key "vote" stands twice in one object
    """
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_float=_refuse,
            parse_constant=_refuse,
            parse_int=_integer,
        )
    except NotCanonicalError:
        raise
    except RecursionError:
        raise NotCanonicalError(f"nested deeper than {DEEPEST} levels") from None
    except ValueError as error:
        raise NotCanonicalError(f"not JSON in UTF-8: {error}") from None
    _check(value, ())
    return value


def decode_canonical(*, data: bytes) -> Any:
    """The value of `data`, which must already be in canonical form, byte for byte.

    Raises: NotCanonicalError.
    """
    value = decode(data=data)
    # Writing the value again must give the same bytes: key order, escapes and blanks are then canonical too.
    if encode(value=value) != data:
        raise NotCanonicalError("JSON, but not in its canonical form (RFC 8785)")
    return value


def _check(value: object, place: tuple[str | int, ...]) -> bool:
    """Raise NotCanonicalError for the first value below `place` (keys and numbers) that canonical JSON cannot hold.

    Returns whether every key is ASCII: then the order of characters is that of UTF-16, which RFC 8785 sorts by.
    """
    if len(place) > DEEPEST:
        raise NotCanonicalError(f"nested deeper than {DEEPEST} levels")
    if isinstance(value, str):
        _check_text(value, place)
    elif isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise NotCanonicalError(f"{_named(place)}: the key {key!r} is not a string")
            _check_text(key, place)
        return _check_members(value.items(), place) and all(map(str.isascii, value))
    # A str is a Sequence too, so only real lists and tuples count; strings are handled above.
    elif isinstance(value, (list, tuple)):
        return _check_members(enumerate(value), place)
    else:
        _check_scalar(value, place)
    return True


def _check_members(members: Iterable[tuple[str | int, object]], place: tuple[str | int, ...]) -> bool:
    is_ascii = True
    for step, child in members:
        kind = type(child)
        # Most members need no place for a message.
        if child is None or kind is bool or (kind is str and str.isascii(cast("str", child))):
            continue
        is_ascii &= _check(child, (*place, step))
    return is_ascii


def _named(place: tuple[str | int, ...]) -> str:
    """A place as messages name it: $.votes[2]."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)


def _check_scalar(value: object, place: tuple[str | int, ...]) -> None:
    if isinstance(value, float):
        raise NotCanonicalError(f"{_named(place)}: floats are not allowed; write a decimal as a string")
    # bool is an int in Python and passes here: true and false are within the bound.
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise NotCanonicalError(f"{_named(place)}: an integer beyond 2^53 - 1")
    elif value is not None:
        raise NotCanonicalError(f"{_named(place)}: {type(value).__name__} has no JSON form")


def _check_text(text: str, place: tuple[str | int, ...]) -> None:
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotCanonicalError(f"{_named(place)}: a lone surrogate is not text") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise NotCanonicalError(f'the key "{key[:80]}" stands twice in one object')
        members[key] = value
    return members


def _refuse(text: str) -> NoReturn:
    raise NotCanonicalError(f"the number {text[:32]} is not an integer")


def _integer(text: str) -> int:
    # Refuse by length before int(): converting a million digits takes time quadratic in their number.
    if len(text) > len(str(-LARGEST_INTEGER)):
        raise NotCanonicalError("an integer beyond 2^53 - 1")
    return int(text)
