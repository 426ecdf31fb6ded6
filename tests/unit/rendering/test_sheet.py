"""The sheet of a report: what fits, what is said to be left out, and hostile text that stays text."""

from xml.etree import ElementTree

import pytest

from hdag.rendering.charts.engine import engine
from hdag.rendering.sheet import HEIGHT, Block, draw_sheet

HOSTILE = "</text><image href='file:///etc/passwd'/>\x00\u202egnp &amp; ]]>"


def elements(svg: str) -> list[str]:
    return [element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()]


def test_hostile_text_stays_text() -> None:
    svg = draw_sheet(blocks=[Block(HOSTILE, mark=HOSTILE)], foot=HOSTILE)
    assert set(elements(svg)) == {"svg", "rect", "text"}


@pytest.mark.parametrize("count", [1, 30, 500])
def test_nothing_stands_beyond_the_paper_and_what_is_left_out_is_counted(count: int) -> None:
    svg = draw_sheet(blocks=[Block(f"line {number}") for number in range(count)], foot="f")
    texts = [element for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]
    assert all(float(text.get("y", "0")) < HEIGHT - 40 for text in texts)
    drawn = sum((text.text or "").startswith("line ") for text in texts)
    left = count - drawn
    assert any(f"and {left} more lines" in (text.text or "") for text in texts) is (left > 0)


def test_a_sheet_becomes_a_pdf_with_letters_of_many_scripts() -> None:
    assert engine.print_sheet(svg=draw_sheet(blocks=[Block("Grüße Ω 漢字 3 × 4 ≤ 13")], foot="x"))[:5] == b"%PDF-"
