"""Canonical JSON by C's writer: byte for byte what the RFC's own library writes."""

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from hdag.core import canonical

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-canonical.LARGEST_INTEGER, canonical.LARGEST_INTEGER) | TEXTS
KEYS = st.text("ab_9 \x7f", max_size=4) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=20
)


@given(VALUES)
def test_both_writers_write_the_same_bytes(value: object) -> None:
    assert canonical.encode(value=value) == rfc8785.dumps(value)  # type: ignore[arg-type]


def test_keys_beyond_ascii_stand_in_the_order_of_utf_16() -> None:
    # By code points the first would be the last.
    assert canonical.encode(value={"\U0001f600": 1, "\ufb01": 2}) == '{"\U0001f600":1,"\ufb01":2}'.encode()


def test_every_escape_is_the_same() -> None:
    text = "".join(map(chr, range(0xD800))) + '"\\/'
    assert canonical.encode(value=[text]) == rfc8785.dumps([text])
