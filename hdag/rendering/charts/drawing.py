"""Charts on pages: drawn once a digest, and offered as files to whoever was shown them. Reads and writes the cache."""

import hmac
import json
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from xml.etree.ElementTree import ParseError

from django.core.cache import cache
from django.utils.crypto import salted_hmac
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from hdag.rendering.charts.chart import Cell, Chart, number_text
from hdag.rendering.charts.engine import EngineError, engine
from hdag.rendering.charts.svg import NotASvgError, clean

log = logging.getLogger("trust.charts")

KEPT = 24 * 3600  # seconds: a page that was left open overnight still gives its files
KINDS = {
    "svg": "image/svg+xml",
    "dark.svg": "image/svg+xml",
    "png": "image/png",
    "dark.png": "image/png",
    "csv": "text/csv; charset=utf-8",
    "vl.json": "application/json",
}
KEPT_HERE = 32  # charts in this process: four pages of them; a table of 5,000 rows is half a megabyte
NOT_DRAWN = "-"
PAUSE = 60  # seconds until a drawing that failed is tried again
_WIDTH = re.compile(r'<svg [^>]*width="(\d+)')


@dataclass(frozen=True, slots=True)
class Drawing:
    """The safe SVG of a chart, nothing while the drawing program is away, and how wide it is in pixels."""

    html: SafeString
    width: int


def draw(*, chart: Chart) -> Drawing:
    """A chart for a page, in the reader's colours. Without a drawing its table still says everything."""
    try:
        return _finished(chart)
    except EngineError:
        return Drawing(SafeString(), 0)


# A page of seven charts would fetch and look through them anew each time.
@lru_cache(maxsize=KEPT_HERE)
def _finished(chart: Chart) -> Drawing:
    key = f"chart:svg:{chart.digest}"
    svg = cache.get(key)
    if svg is None:
        svg = _drawn(chart)
        cache.set(key, svg, PAUSE if svg == NOT_DRAWN else KEPT)
    if svg == NOT_DRAWN:
        raise EngineError
    width = _WIDTH.match(svg)
    return Drawing(mark_safe(svg), int(width[1]) if width else 0)  # noqa: S308  cleaned


@lru_cache(maxsize=KEPT_HERE)
def rows_of(*, chart: Chart) -> SafeString:
    """The rows of a chart's table: its numbers with four digits, nothing for what is not defined."""
    return format_html_join(
        "\n",
        '<tr><th scope="row">{}</th>{}</tr>',
        (
            (_text(first), format_html_join("", '<td class="num">{}</td>', _texts(others)))
            for first, *others in chart.rows
        ),
    )


def _texts(cells: Iterable[Cell]) -> Iterator[tuple[str]]:
    return ((_text(cell),) for cell in cells)


def _text(cell: Cell) -> str:
    return "" if cell is None else number_text(float(cell)) if isinstance(cell, int | float) else cell


def offer(*, chart: Chart, person: object) -> tuple[str, str]:
    """Keep a chart for its files; (digest, key) of its addresses, the key being good for that person alone."""
    digest = chart.digest
    name = f"chart:data:{digest}"
    # Shown again is kept again: the files live as long after the last page as after the first.
    if not cache.touch(name, KEPT):
        cache.set(name, json.dumps(asdict(chart)), KEPT)
    return digest, _key(digest, person)


def find_offered(*, digest: str, key: str, person: object) -> Chart | None:
    """The chart that this person was shown under that address; None for anybody else, and after a day."""
    if not hmac.compare_digest(key.encode(), _key(digest, person).encode()):
        return None
    stored = cache.get(f"chart:data:{digest}")
    if stored is None:
        return None
    values = json.loads(stored)
    lists = {"columns": tuple(values["columns"]), "rows": tuple(map(tuple, values["rows"]))}
    return Chart(**{**values, **lists})


def file_of(*, chart: Chart, kind: str) -> bytes:
    """A chart as one of KINDS. Raises EngineError."""
    if kind == "csv":
        return chart.csv_text().encode()
    if kind == "vl.json":
        return json.dumps(chart.specification(), indent=1, ensure_ascii=False).encode()
    return engine.draw(specification=chart.specification(dark=kind.startswith("dark.")), kind=kind[-3:])


def _drawn(chart: Chart) -> str:
    try:
        svg = engine.draw(specification=chart.specification(in_page=True), kind="svg")
        return clean(source=svg.decode())
    except (EngineError, NotASvgError, ParseError) as error:
        log.warning("the chart %s was not drawn: %s", chart.name, error)
        return NOT_DRAWN


def _key(digest: str, person: object) -> str:
    # An address tells nothing to whoever finds it: it opens the chart for the person to whom the page showed it.
    return salted_hmac("hdag.charts", f"{digest} {person}", algorithm="sha256").hexdigest()
