"""Strict JSON at the border of the system: no duplicate key, no NaN or infinity, no crash on deep nesting.

Floats are allowed, unlike in canonical.decode: records carry scores; only what is hashed must do without them.
"""

import json
import math
import re
from typing import Any, NoReturn

from hdag.core.errors import BadRecordError

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(text: str | bytes, *, where: str, are_constants_null: bool = False) -> Any:
    """The value that `text` holds (RFC 8259, UTF-8; a byte order mark is not JSON).

    are_constants_null: NaN and the infinities, which many programs write, are read as null instead of refused.

    Raises BadRecordError naming `where` for anything that is not strict JSON.

    >>> read_json('{"a": [1]}', where="line 1")
    {'a': [1]}
    """
    try:
        # Not json.loads(bytes), which would guess UTF-16 and UTF-32 from the first bytes.
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        constant = _as_null if are_constants_null else _refuse_constant
        value = json.loads(decoded, object_pairs_hook=_without_duplicates, parse_constant=constant, parse_float=_finite)
        # Two escapes may name one character together; one alone is no text, and no answer could repeat it.
        if _SURROGATE.search(decoded):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeDecodeError as error:
        raise BadRecordError(where=where, field="", reason=f"not UTF-8 (byte {error.start})") from None
    except UnicodeEncodeError:
        raise BadRecordError(where=where, field="", reason="half of a surrogate pair stands alone") from None
    except RecursionError:
        raise BadRecordError(where=where, field="", reason="nested too deeply") from None
    except json.JSONDecodeError as error:
        reason = f"not JSON ({error.msg}, column {error.pos + 1})"
        raise BadRecordError(where=where, field="", reason=reason) from None
    except ValueError as error:
        raise BadRecordError(where=where, field="", reason=f"not strict JSON ({error})"[:200]) from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    # The usual case costs one comparison; only a record with duplicates is read again to name the key.
    if len(members) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"duplicate key {ascii(key)[:60]}")
            seen.add(key)
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _as_null(name: str) -> None:
    return None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:20]} is out of range")
    return value
