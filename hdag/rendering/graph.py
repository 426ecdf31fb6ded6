"""The graph of a trace as a drawing and, with the same content, as a list; hdag/core says where each box lies."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from hdag.core.layouts.flow_layout import lay_out_flow
from hdag.core.layouts.layout import BOX_HEIGHT, BOX_WIDTH, GAP_X, Box, Layout, Line, lay_out
from hdag.core.relations import Relation
from hdag.core.values import Graph, Segment
from hdag.rendering.states import LEVEL_LETTERS, Look, look_of

LONGEST_TITLE = 160
NEIGHBOURS = GAP_X + 1  # an edge this short runs straight from side to side
INSET, ARC = 16, 30  # a longer one leaves the top this far from the corner and rises this high
_ABBREVIATED = 15


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """One segment in the drawing."""

    id: str
    level: str
    letter: str
    look: Look
    title: str
    href: str
    box: Box
    is_here: bool
    premises: tuple[str, ...]
    depth: int
    is_faded: bool = False

    @property
    def word(self) -> str:
        """The state's word, cut to the width of the box; the whole of it is in the title."""
        word = self.look.word
        return word if len(word) <= _ABBREVIATED else word[: _ABBREVIATED - 1] + "…"

    @property
    def sentence(self) -> str:
        """What a screen reader says."""
        leans = f", rests on {', '.join(self.premises)}" if self.premises else ""
        return f"{self.id}, {self.level}, {self.look.word}{leans}: {self.title}"


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """One edge as an SVG path."""

    source: str
    target: str
    relation: str
    path: str
    is_far: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything the template needs; `name` keeps two graphs of one page apart."""

    name: str
    width: float
    height: float
    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    legend: tuple[Look, ...]
    is_small: bool


def draw(
    *,
    graph: Graph,
    states: Mapping[str, str] | None = None,
    hrefs: Mapping[str, str] | None = None,
    here: str = "",
    name: str = "graph",
    is_small: bool = False,
) -> Drawing:
    """Draw a graph: a small one in rows by level, a whole one from left to right.

    `states` and `hrefs` by segment id, `here` the segment this page is about.
    """
    # A small graph (what one auditor sees) reads by level from top to bottom; a whole one from premise to conclusion.
    layout = lay_out(graph=graph) if is_small else lay_out_flow(graph=graph)
    premises = graph.premises()
    parents = {child: parent for parent, children in graph.children().items() for child in children}
    boxes = {box.id: box for box in layout.boxes}
    nodes = tuple(
        DrawnNode(
            id=segment.id,
            level=segment.level.value,
            letter=LEVEL_LETTERS[segment.level.value],
            look=look_of((states or {}).get(segment.id, "pending")),
            title=_title(segment),
            href=(hrefs or {}).get(segment.id, f"#{name}-{segment.id}"),
            box=boxes[segment.id],
            is_here=segment.id == here,
            premises=premises[segment.id],
            depth=_depth(segment.id, parents),
        )
        for segment in graph.segments
    )
    legend = {node.look.word: node.look for node in nodes}
    return Drawing(
        name, layout.width, layout.height, nodes, tuple(_edges(layout, is_small)), tuple(legend.values()), is_small
    )


def fade(*, drawing: Drawing, ids: Collection[str]) -> Drawing:
    """The drawing with the segments of `ids` drawn faintly: what a filter leaves out keeps its place."""
    nodes = tuple(replace(node, is_faded=True) if node.id in ids else node for node in drawing.nodes)
    return replace(drawing, nodes=nodes)


def _title(segment: Segment) -> str:
    text = " ".join((segment.summary or segment.content).split())
    return text if len(text) <= LONGEST_TITLE else text[: LONGEST_TITLE - 1] + "…"


def _depth(key: str, parents: Mapping[str, str]) -> int:
    depth, seen = 0, {key}
    # `seen` ends the loop on a damaged graph whose structure runs in a circle.
    while (parent := parents.get(key)) is not None and parent not in seen:
        seen.add(parent)
        key, depth = parent, depth + 1
    return depth


def _edges(layout: Layout, is_small: bool) -> Iterator[DrawnEdge]:
    for line in layout.lines:
        path = _path(line) if is_small else _flowing(line)
        yield DrawnEdge(line.source, line.target, Relation(line.relation).value, path, line.is_far)


def _path(line: Line) -> str:
    """A gentle curve between rows; beside each other a straight line, else an arc above the row."""
    x1, y1, x2, y2 = (round(value, 1) for value in (line.x1, line.y1, line.x2, line.y2))
    if abs(y2 - y1) >= 1:
        middle = round((y1 + y2) / 2, 1)
        return f"M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}"
    if abs(x2 - x1) <= NEIGHBOURS:
        return f"M{x1} {y1}L{x2} {y2}"
    inward = INSET if x1 < x2 else -INSET
    top, lift = y1 - BOX_HEIGHT / 2, y1 - BOX_HEIGHT / 2 - ARC
    return f"M{x1 - inward} {top}C{x1} {lift} {x2} {lift} {x2 + inward} {top}"


def _flowing(line: Line) -> str:
    """From column to column level at both ends; within one a bow beside it."""
    x1, y1, x2, y2 = (round(value, 1) for value in (line.x1, line.y1, line.x2, line.y2))
    if x1 == x2:
        side = round(x1 + (0 if abs(y2 - y1) <= ARC else BOX_WIDTH / 2 + ARC), 1)
        return f"M{x1} {y1}C{side} {y1} {side} {y2} {x2} {y2}"
    bend = round((x2 - x1) / 2, 1)
    return f"M{x1} {y1}C{round(x1 + bend, 1)} {y1} {round(x2 - bend, 1)} {y2} {x2} {y2}"
