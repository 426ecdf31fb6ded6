"""Coordinates of a few segments for a small drawing: one row a level, order by barycentres, deterministic.

A whole graph is laid out by flow_layout.

Source: Sugiyama, Tagawa, Toda 1981 (layers and barycentre ordering).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Graph

BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, MARGIN = 120, 44, 16, 68, 16
ROW_LENGTH = 24  # a longer level wraps onto further rows
SWEEPS = 4


@dataclass(frozen=True, slots=True)
class Box:
    """Where a segment is drawn: upper left corner and size, in user units; row counts the layers."""

    id: str
    x: float
    y: float
    width: float
    height: float
    row: int


@dataclass(frozen=True, slots=True)
class Line:
    """Where an edge is drawn: from the border of one box to the border of another."""

    source: str
    target: str
    relation: Relation
    x1: float
    y1: float
    x2: float
    y2: float
    is_far: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing of the graph."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    width: float
    height: float


def lay_out(*, graph: Graph) -> Layout:
    """Coordinates for every segment and edge. A few milliseconds for 300 segments; equal graphs give equal drawings."""
    rows = _rows(graph)
    widest = max((len(row) for row in rows), default=0)
    width = 2 * MARGIN + widest * (BOX_WIDTH + GAP_X) - GAP_X if widest else 2 * MARGIN
    boxes: dict[str, Box] = {}
    for depth, row in enumerate(rows):
        # Each row is centred under the widest.
        shift = (width - (len(row) * (BOX_WIDTH + GAP_X) - GAP_X)) / 2
        for column, key in enumerate(row):
            x, y = shift + column * (BOX_WIDTH + GAP_X), MARGIN + depth * GAP_Y
            boxes[key] = Box(key, x, y, BOX_WIDTH, BOX_HEIGHT, depth)
    lines = tuple(_line(edge.relation, boxes[edge.source], boxes[edge.target]) for edge in graph.edges)
    height = 2 * MARGIN + max(len(rows) - 1, 0) * GAP_Y + BOX_HEIGHT
    ordered = tuple(boxes[segment.id] for segment in graph.segments)
    return Layout(ordered, lines, width, height)


def _rows(graph: Graph) -> list[list[str]]:
    """One row a level, ordered so that few edges cross, wrapped where a level is long."""
    layers = [[s.id for s in graph.segments if s.level is level] for level in Level]
    layers = [layer for layer in layers if layer]
    near: dict[str, list[str]] = {segment.id: [] for segment in graph.segments}
    for edge in graph.edges:
        near[edge.source].append(edge.target)
        near[edge.target].append(edge.source)
    for sweep in range(SWEEPS):
        pairs = list(pairwise(layers))
        for fixed, free in pairs if sweep % 2 == 0 else [(low, high) for high, low in reversed(pairs)]:
            # Downwards first, then upwards: each sweep untangles some crossings that the one before left.
            order_by_neighbours(free, fixed, near)
    return [layer[cut : cut + ROW_LENGTH] for layer in layers for cut in range(0, len(layer), ROW_LENGTH)]


def order_by_neighbours(free: list[str], fixed: Sequence[str], near: Mapping[str, Sequence[str]]) -> None:
    """Sort `free` in place by the mean place of each segment's neighbours in `fixed`; without any it stays."""
    # Both rows are measured on the scale of `free`: half of a short row meets half of a long one.
    scale = len(fixed) / max(1, len(free))
    scaled = {key: (position + 0.5) / scale for position, key in enumerate(fixed)}
    centre = {}
    for position, key in enumerate(free):
        seen = [scaled[neighbour] for neighbour in near[key] if neighbour in scaled]
        # The old position breaks ties, so equal graphs always give equal drawings.
        centre[key] = (sum(seen) / len(seen) if seen else position + 0.5, position)
    free.sort(key=centre.__getitem__)


def _line(relation: Relation, tail: Box, head: Box) -> Line:
    """From the lower border of the upper box to the upper border of the lower, or side to side in one row."""
    if tail.row == head.row:
        sign = 1 if tail.x <= head.x else -1
        middle = BOX_HEIGHT / 2
        x1, x2 = tail.x + (BOX_WIDTH if sign > 0 else 0), head.x + (0 if sign > 0 else BOX_WIDTH)
        return Line(tail.id, head.id, relation, x1, tail.y + middle, x2, head.y + middle)
    down = tail.row < head.row
    half = BOX_WIDTH / 2
    y1, y2 = tail.y + (BOX_HEIGHT if down else 0), head.y + (0 if down else BOX_HEIGHT)
    return Line(tail.id, head.id, relation, tail.x + half, y1, head.x + half, y2)
