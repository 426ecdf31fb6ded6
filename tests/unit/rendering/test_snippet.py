"""Lines of lists: formulas drawn, none cut in two, no block and nothing hostile."""

import pytest

from hdag.rendering.snippet import render_snippet, shorten


def test_a_formula_in_a_list_is_drawn_and_its_dollars_are_gone() -> None:
    html = render_snippet(text="the growth of that count in $n$?", most=160).html
    assert "<math" in html
    assert "$" not in html


@pytest.mark.parametrize("most", range(1, 60))
def test_no_formula_and_no_code_is_cut_in_two(most: int) -> None:
    line = shorten(text="Let $a + b = c$ and `x = 1` and $$d$$ be so; then $e$ follows.", most=most)
    assert line.count("$") % 2 == 0
    assert line.count("`") % 2 == 0


def test_what_is_a_block_stands_as_it_was_written_and_harmless() -> None:
    html = render_snippet(text="# <script>alert(1)</script>", most=160).html
    assert "<script" not in html
    assert "<h" not in html


def test_a_fence_is_left_out_behind_prose_and_shown_where_it_is_all() -> None:
    assert shorten(text="How often?\n\n```python\nrun()\n```", most=80) == "How often?"
    assert shorten(text="```python\nrun()\n```", most=80) == "run()"
