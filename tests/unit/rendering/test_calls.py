"""Tool calls as cards: the marks of a segment fall where they lie, and no character is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdag.core.values import ToolCall
from hdag.rendering.calls import card_of, excerpt

CALL = ToolCall("calculator", "3 * 14", "42")


@pytest.mark.parametrize("words", ["3 * 14", "42", "* 14) -> 4", CALL.text])
def test_what_is_marked_is_what_the_segment_cites(words):
    start = CALL.text.index(words)
    card = card_of(call=CALL, spans=[(start, start + len(words))])
    marked = [text for side in (card.arguments, card.output) for text, is_marked in side.pieces if is_marked]
    assert "".join(marked) == words.removeprefix("calculator(").replace(") -> ", "")
    assert card.is_here


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(-9, 50), st.integers(-9, 50))), st.integers(1, 50))
def test_no_character_is_lost_or_shown_twice(text, spans, most):
    shown = excerpt(text=text, spans=spans, most=most)
    body = "".join(piece for piece, _ in shown.pieces)
    assert body == text[shown.before : len(text) - shown.after]
    assert len(body) == min(most, len(text))
