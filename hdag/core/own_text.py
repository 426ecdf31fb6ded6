"""A parent's own text: its span with each child's span replaced by the child's summary in brackets."""

from collections.abc import Sequence

from hdag.core.values import Graph, Segment


def children_inside(*, graph: Graph) -> dict[str, list[Segment]]:
    """For every segment, its children that lie in the same text, in reading order: one pass over the graph."""
    by_id = {segment.id: segment for segment in graph.segments}
    return {
        parent: sorted(
            (by_id[child] for child in children if _same_text(by_id[child], by_id[parent])),
            key=lambda child: child.start,
        )
        for parent, children in graph.children().items()
    }


def _same_text(segment: Segment, parent: Segment) -> bool:
    return (segment.source, segment.source_index) == (parent.source, parent.source_index)


def own_pieces(*, segment: Segment, children: Sequence[Segment]) -> list[tuple[int, int, Segment | None]]:
    """The spans of `segment` that are its own, each with the child that stands summarised behind it.

    Operations stay written out in their step: the step is the sentence a person judges.
    """
    pieces: list[tuple[int, int, Segment | None]] = []
    cursor = segment.start
    for child in children:
        # A child that overlaps the one before it is skipped: its head is already summarised.
        if child.level.value == "operation" or child.start < cursor:
            continue
        pieces.append((cursor, child.start, child))
        cursor = child.end
    return [*pieces, (cursor, max(cursor, segment.end), None)]


def own_text(*, segment: Segment, children: Sequence[Segment]) -> str:
    """A segment's own words, with `[id: summary]` where a child stands (operations are written out)."""
    written: list[str] = []
    for start, end, child in own_pieces(segment=segment, children=children):
        written.append(segment.content[start - segment.start : end - segment.start])
        if child is not None:
            written.append(f"[{child.id}: {child.summary}]")
    return "".join(written)


def is_entirely_childrens(*, segment: Segment, children: Sequence[Segment]) -> bool:
    """Whether nothing but blanks and punctuation of `segment` lies outside its children's spans."""
    # A step is always judged itself, even when all of it is operations.
    if not children or segment.level.value == "step":
        return False
    cursor, left = segment.start, []
    for child in children:
        left.append(segment.content[cursor - segment.start : max(cursor, child.start) - segment.start])
        cursor = max(cursor, child.end)
    left.append(segment.content[cursor - segment.start :])
    return not any(character.isalnum() for piece in left for character in piece)
