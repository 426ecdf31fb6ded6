"""Coordinates of a whole graph that reads from left to right: whatever a segment rests on stands left of it.

Columns by longest path, order in a column by barycentres, heights by least squares without overlap; deterministic.
Source: Sugiyama, Tagawa, Toda 1981 (layers, barycentres); Ayer et al. 1955 (pooling adjacent violators).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from hdag.core.layouts.layout import BOX_HEIGHT, BOX_WIDTH, MARGIN, SWEEPS, Box, Layout, Line, order_by_neighbours
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph

# User units of the SVG; a column gap leaves room for the bend of an edge.
GAP_X, GAP_Y = 52, 18
COLUMN_LENGTH = 12  # a longer column wraps onto further ones
NEAR = 2  # columns; a longer edge is far: it is drawn faintly and has no say in the order


def lay_out_flow(*, graph: Graph) -> Layout:
    """Coordinates for every segment, one line for each pair that an edge joins; linear but for sorting.

    Of two edges that join the same pair the one that is no structure is drawn. The order of `graph.segments` is the
    order of reading: it breaks every tie, and an edge against it counts as turned round.
    """
    position = {segment.id: number for number, segment in enumerate(graph.segments)}
    edges = _one_a_pair(graph.edges)
    # 1. Every edge is turned to run forwards in reading order, so the pairs hold no circle.
    pairs = [tuple(sorted((edge.source, edge.target), key=position.__getitem__)) for edge in edges]
    # 2. columns; 3. order within them by near neighbours; 4. heights
    column = _columns([segment.id for segment in graph.segments], pairs)
    near: dict[str, list[str]] = {key: [] for key in position}
    for left, right in pairs:
        if column[right] - column[left] <= NEAR:
            near[left].append(right)
            near[right].append(left)
    layers = _ordered(column, near)
    middle = _heights(layers, near)
    # The highest box lands on the margin.
    top = min(middle.values(), default=0)
    boxes = {
        key: Box(key, MARGIN + x * (BOX_WIDTH + GAP_X), MARGIN + middle[key] - top, BOX_WIDTH, BOX_HEIGHT, x)
        for x, layer in enumerate(layers)
        for key in layer
    }
    lines = tuple(_line(edge.relation, boxes[edge.source], boxes[edge.target]) for edge in edges)
    width = 2 * MARGIN + max(len(layers), 1) * (BOX_WIDTH + GAP_X) - GAP_X
    height = MARGIN + max((box.y + BOX_HEIGHT for box in boxes.values()), default=MARGIN)
    return Layout(tuple(boxes[key] for key in position), lines, width, height)


def _one_a_pair(edges: Sequence[Edge]) -> list[Edge]:
    by_pair: dict[frozenset[str], Edge] = {}
    for edge in sorted(edges, key=lambda edge: edge.relation is Relation.DECOMPOSES_TO):
        by_pair.setdefault(frozenset((edge.source, edge.target)), edge)
    return list(by_pair.values())


def _columns(keys: Sequence[str], pairs: Sequence[tuple[str, ...]]) -> dict[str, int]:
    """The longest path to each segment, counted in edges; `pairs` point forwards in the order of `keys`."""
    before: dict[str, list[str]] = {key: [] for key in keys}
    for left, right in pairs:
        before[right].append(left)
    column: dict[str, int] = {}
    for key in keys:
        # Reading order is a topological order of `pairs`: every base has its column already.
        column[key] = 1 + max((column[base] for base in before[key]), default=-1)
    return column


def _ordered(column: Mapping[str, int], near: Mapping[str, Sequence[str]]) -> list[list[str]]:
    layers: list[list[str]] = [[] for _ in range(max(column.values(), default=-1) + 1)]
    for key, number in column.items():
        layers[number].append(key)
    for sweep in range(SWEEPS):
        steps = list(pairwise(layers))
        # Even sweeps go left to right and sort the right column of each pair, odd ones go back and sort the left.
        for fixed, free in steps if sweep % 2 == 0 else [(right, left) for left, right in reversed(steps)]:
            order_by_neighbours(free, fixed, near)
    return [layer[cut : cut + COLUMN_LENGTH] for layer in layers for cut in range(0, len(layer), COLUMN_LENGTH)]


def _heights(layers: Sequence[Sequence[str]], near: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The height of each segment: as near to the mean of its neighbours as the order and the gaps allow."""
    pitch = BOX_HEIGHT + GAP_Y
    height = {key: (row - (len(layer) - 1) / 2) * pitch for layer in layers for row, key in enumerate(layer)}
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = [_mean([height[neighbour] for neighbour in near[key]], height[key]) for key in layer]
            # Taking `row * pitch` off turns "one pitch apart or more" into "not falling": pooling solves that exactly.
            free = _rising([want - row * pitch for row, want in enumerate(wanted)])
            height.update({key: value + row * pitch for row, (key, value) in enumerate(zip(layer, free, strict=True))})
    return height


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _rising(values: Sequence[float]) -> list[float]:
    """The rising sequence with the least squared distance to `values`.

    >>> _rising([1.0, 3.0, 2.0])
    [1.0, 2.5, 2.5]
    """
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        # A pool that would fall joins the one before it at their common mean; each value joins at most once.
        while pools and pools[-1][0] > mean:
            pool_mean, size = pools.pop()
            mean, count = (mean * count + pool_mean * size) / (count + size), count + size
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]


def _line(relation: Relation, tail: Box, head: Box) -> Line:
    """Between the sides that face each other; in one column from the lower to the upper border."""
    middle, half = BOX_HEIGHT / 2, BOX_WIDTH / 2
    if tail.row == head.row:
        down = tail.y < head.y
        y1, y2 = tail.y + (BOX_HEIGHT if down else 0), head.y + (0 if down else BOX_HEIGHT)
        return Line(tail.id, head.id, relation, tail.x + half, y1, head.x + half, y2)
    right = tail.row < head.row
    x1, x2 = tail.x + (BOX_WIDTH if right else 0), head.x + (0 if right else BOX_WIDTH)
    far = abs(tail.row - head.row) > NEAR
    return Line(tail.id, head.id, relation, x1, tail.y + middle, x2, head.y + middle, is_far=far)
