"""Trace text: hostile in, inert out; exact spans; linear time."""

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdag.rendering.text import MOST_CHARACTERS, RenderedText, render_afresh, render_source
from tests.tools.sweeping import sampled

ALLOWED = {
    "p": {"class", "tabindex"},
    "span": {"class", "title", "data-at", "data-to", "data-points"},
    "strong": set(),
    "em": set(),
    "br": set(),
    "ul": set(),
    "ol": {"start"},
    "li": {"value"},
    "pre": {"data-at", "tabindex"},
    "code": {"data-at"},
    "mark": set(),
    "hr": set(),
    "div": {"class", "tabindex"},
    "table": {"class"},
    "thead": set(),
    "tbody": set(),
    "tr": set(),
    "th": set(),
    "td": set(),
}


class Reader(HTMLParser):
    """Collects what a browser would see: elements outside formulas, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, set[str]]] = []
        self.words: list[str] = []
        self.in_maths = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.in_maths |= tag == "math"
        if not self.in_maths:
            self.seen.append((tag, {name for name, _ in attrs}))

    def handle_endtag(self, tag: str) -> None:
        self.in_maths &= tag != "math"

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def show(text: str) -> Reader:
    return Reader(render_afresh(text=text).html)


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "</span><script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "![x](http://evil.example/x.png)",
    '<http://a.example/"onmouseover="alert(1)>',
    "<hx-get=/x> <div hx-get='/x' hx-trigger=load>",
    "<form action=//evil.example><input name=csrfmiddlewaretoken></form>",
    "<base href=//evil.example>",
    '<a id="csrf" name="csrf">x</a>',
    "```html\n<script>alert(1)</script>\n```",
    "`<img src=x onerror=alert(1)>`",
    "# <script>alert(1)</script>",
    "- **<b onclick=alert(1)>x</b>**",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "$</math><script>alert(1)</script>$",
    "<!--",
    "<![CDATA[",
    "<plaintext>",
    "<style>*{display:none}</style>",
]

MARKUP = ["$", "**", "*", "\n", "\n\n", "- ", "1. ", "```", "`", r"\(", r"\)", "$$"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text(text: str) -> None:
    page = show(text)
    assert all(tag == "math" or (tag in ALLOWED and names <= ALLOWED[tag]) for tag, names in page.seen), page.seen
    assert "a" not in {tag for tag, _ in page.seen}


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(st.sampled_from([*HOSTILE, *MARKUP]), st.text(max_size=5)),
        max_size=15,
    ),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4),
)
def test_any_text_with_any_marks_gives_allowed_markup(pieces: list[str], spans: list[tuple[int, int]]) -> None:
    page = Reader(render_afresh(text="".join(pieces), spans=spans).html)
    assert all(tag == "math" or (tag in ALLOWED and names <= ALLOWED[tag]) for tag, names in page.seen)


def test_the_light_markdown_is_shown() -> None:
    html = render_afresh(text="# Plan\n- **bold** and *it*\n- `x*y`\n\n2. two\n\n```py\na*b*c\n```").html
    for part in ("trace-heading", "<ul><li>", "<strong>", "<em>", "<code", '<ol start="2">', "<pre"):
        assert part in html


def bare(text: str) -> str:
    return re.sub(r'<span data-at="\d+">|</span>| (?:data-at|value|start)="\d+"', "", render_afresh(text=text).html)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
        ("1. a\n   - b\n     - c\n2. d", "<ol><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ol>"),
        ("  - a\n- b", "<ul><li>a</li></ul><ul><li>b</li></ul>"),
        ("- a\n1. b", "<ul><li>a</li></ul><ol><li>b</li></ol>"),
    ],
)
def test_lists_stand_inside_lists(text: str, html: str) -> None:
    assert bare(text) == html


def test_a_table_is_a_table_wherever_its_rule_stands() -> None:
    html = bare("So:\n| n | `a|b` |\n|---|:-:|\n| 1 | $|x|$ |\nand on")
    assert html.startswith("<p>So:</p><div")
    assert "<thead><tr><th> n </th><th> <code>a|b</code> </th></tr></thead>" in html
    assert html.count("<td>") == 2
    assert html.endswith("<p>and on</p>")
    assert "<table" not in bare("|x| < 1\n|y| < 2")


def test_a_drawing_keeps_its_columns_and_prose_is_no_drawing() -> None:
    assert "trace-art" in render_afresh(text="  +---+\n  | a |-->  b\n  +---+").html
    assert "trace-art" not in render_afresh(text="So x = 5\nand 7 - 3 = 4\nfor a - b.").html


@pytest.mark.parametrize(
    "text", [r"x = \frac{1}{2}", r"&= \sqrt{2} \cdot 3. \\\\", r"AB = \sin\theta", "\\pi r^2\n= 3"]
)
def test_a_formula_cut_out_of_its_delimiters_is_shown_as_a_formula(text: str) -> None:
    assert render_afresh(text=text).formulas == 1


@pytest.mark.parametrize("text", [r"so \frac12", r"C:\temp\new is a path", r"The \pi is round", r"- \alpha", "x = 1"])
def test_prose_with_a_command_in_it_is_no_formula(text: str) -> None:
    assert render_afresh(text=text).formulas == 0


def test_what_latex_does_not_draw_as_mathematics_is_shown_as_code() -> None:
    text = r"See \begin{tikzpicture}\draw (0,0) -- (1,1);\end{tikzpicture} there"
    assert r"<code>\begin{tikzpicture}\draw (0,0) -- (1,1);\end{tikzpicture}</code>" in render_afresh(text=text).html


@pytest.mark.parametrize("text", ["2 * 3 * 4", "2*3*4", "**open", "a_b_c", "5 ** 2", "*", "f(*args, **kw)"])
def test_stars_that_mean_multiplication_stay(text: str) -> None:
    page = show(text)
    assert page.text == text
    assert not {"em", "strong"} & {tag for tag, _ in page.seen}


@pytest.mark.parametrize(
    "text",
    ["It costs $5 or $6.", "He paid $5, then she paid $7 for it.", "from $10 to $20", "US$5 and A$6", r"\$5 and \$6"],
)
def test_prices_are_no_formulas(text: str) -> None:
    assert render_afresh(text=text).formulas == 0


@pytest.mark.parametrize("text", ["$x$", r"\(x\)", r"\[x\]", "$$x$$", r"\begin{align}x&=1\end{align}", "so $x=\\$5$."])
def test_every_kind_of_delimiter_holds_a_formula(text: str) -> None:
    assert render_afresh(text=text).formulas == 1


@pytest.mark.parametrize(
    ("character", "word"),
    [("\u202e", "RLO"), ("\u200b", "ZWSP"), ("\x00", "NUL"), ("\ud800", "U+D800"), ("\x1b", "ESC")],
)
def test_characters_nobody_sees_are_shown_as_marks(character: str, word: str) -> None:
    assert show(f"a{character}b").text == f"a{word}b"


def test_a_pile_of_accents_is_counted_instead_of_drawn() -> None:
    shown = show("a" + "\u0301" * 100_000).text
    assert "marks" in shown
    assert len(shown) < 100


def test_a_very_long_line_is_cut_and_the_rest_is_counted() -> None:
    assert render_afresh(text="x" * (MOST_CHARACTERS + 7)).characters_left == 7


def test_formulas_beyond_the_limit_stay_as_written() -> None:
    shown = render_afresh(text="$x$ " * 5, most_formulas=3)
    assert (shown.formulas, shown.formulas_left) == (3, 2)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab1 .\n-<&", max_size=60), st.integers(0, 60), st.integers(1, 10))
def test_the_source_view_marks_exactly_the_span(text: str, start: int, length: int) -> None:
    marked = render_source(text=text, spans=[(start, start + length)])
    inside = marked.partition("<mark>")[2].partition("</mark>")[0]
    assert inside == text[start : start + length].replace("&", "&amp;").replace("<", "&lt;")


def test_a_marked_number_is_marked_and_runs_know_their_place() -> None:
    html = render_afresh(text="Tom has 12 apples", spans=[(8, 10)]).html
    assert html == '<p><span data-at="0">Tom has <mark>12</mark> apples</span></p>'


def test_a_formula_that_holds_a_marked_place_is_marked_whole() -> None:
    assert '<mark><math display="inline">' in render_afresh(text="so $x+1$", spans=[(6, 7)]).html


PIECES = ["a", "$", r"\(", "`", "*a ", "**", "\n- ", "```\n", "$x ", r"\begin{align}", "\\[\n\n", "$a"]


@pytest.mark.parametrize("piece", sampled(PIECES, one_in=4, first=2))
def test_time_is_linear_in_the_text(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        start = time.process_time()
        assert isinstance(render_afresh(text=text), RenderedText)
        return time.process_time() - start

    seconds(2_000)
    long, short = (min(seconds(size) for _ in range(3)) for size in (40_000, 10_000))
    assert long < 8 * short + 0.05


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("- $x$ holds\n- $y$", "<ul><li><b></b> holds</li><li><b></b></li></ul>"),
        ("1. $x$\n2. so", '<ol start="1"><li value="1"><b></b></li><li value="2">so</li></ol>'),
        ("If $ p$ and $q $", "<p>If <b></b> and <b></b></p>"),
        ("| a |\r\n|---|\r\n| 1 |\r\n", "<thead><tr><th> a </th></tr></thead><tbody><tr><td> 1 </td></tr></tbody>"),
    ],
)
def test_what_pages_once_swallowed_is_shown(text: str, html: str) -> None:
    written = re.sub(r'<span class="formula".*?</math></span>', "<b></b>", render_afresh(text=text).html)
    plain = re.sub(r"</?span[^>]*>|</?div[^>]*>|</?table[^>]*>", "", written)
    assert plain == html


def test_blanks_at_the_signs_make_no_formula_of_two_prices() -> None:
    assert "<math" not in render_afresh(text="It costs $5 and $ 6, or $ 7 and then $8.").html
