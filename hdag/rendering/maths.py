"""One LaTeX formula becomes safe MathML, or its own text with a mark: never an exception, a link or a style."""

from dataclasses import dataclass
from functools import lru_cache
from xml.etree.ElementTree import tostring

from django.utils.html import escape
from latex2mathml.converter import Converter

from hdag.rendering.hidden import show_hidden
from hdag.rendering.latex import LONGEST, NotMathsError, rewrite
from hdag.rendering.mathml import clean

__all__ = ["LONGEST", "Formula", "render_formula"]
_SPACE = "http://www.w3.org/1998/Math/MathML"


@dataclass(frozen=True, slots=True)
class Formula:
    """Safe HTML of one formula; `why` says in plain words why it is shown as written, '' when it rendered."""

    html: str
    why: str = ""

    @property
    def is_rendered(self) -> bool:
        """Shown as mathematics."""
        return not self.why


@lru_cache(maxsize=8192)
def render_formula(*, source: str, block: bool = False) -> Formula:
    """Render one formula (without its delimiters); at most 2,000 characters are read.

    >>> render_formula(source="x^2").html
    '<math display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'
    >>> render_formula(source="{x").why
    'a brace is not closed'
    """
    try:
        return Formula(_mathml(source, "block" if block else "inline"))
    except NotMathsError as error:
        return _as_written(source, str(error))
    except Exception:  # the library raises what Python raises: StopIteration, RecursionError, IndexError ...
        return _as_written(source, "it cannot be read as LaTeX")


def _mathml(source: str, display: str) -> str:
    tree = Converter(display=display).convert_to_element(rewrite(source=source))
    root = clean(tree=tree)
    # An empty <math> would hide what was written.
    if not any((node.text or "").strip() for node in root.iter()):
        raise NotMathsError("it is empty")
    return tostring(root, encoding="unicode", short_empty_elements=False)


def _as_written(source: str, why: str) -> Formula:
    visible = show_hidden(text=source)
    return Formula(f'<span class="formula-raw" title="Shown as written: {escape(why)}">{visible}</span>', why)
