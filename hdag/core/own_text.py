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


def _same_text(one: Segment, other: Segment) -> bool:
    return (one.source, one.source_index) == (other.source, other.source_index)


def own_text(*, segment: Segment, children: Sequence[Segment]) -> str:
    """What an auditor of `segment` reads as Current Reasoning; the segment digest covers exactly this.

    Operations stay written out in their step: the step is the sentence a person judges. Other children are replaced
    by `[id: summary]`.
    """
    pieces: list[str] = []
    cursor = segment.start
    for child in children:
        if child.level.value == "operation" or child.start < cursor:
            continue
        pieces.append(segment.content[cursor - segment.start : child.start - segment.start])
        pieces.append(f"[{child.id}: {child.summary}]")
        cursor = child.end
    pieces.append(segment.content[cursor - segment.start :])
    return "".join(pieces)


def is_entirely_childrens(*, segment: Segment, children: Sequence[Segment]) -> bool:
    """Whether nothing but blanks and punctuation of `segment` lies outside its children's spans."""
    if not children or segment.level.value == "step":
        return False
    cursor, left = segment.start, []
    for child in children:
        left.append(segment.content[cursor - segment.start : max(cursor, child.start) - segment.start])
        cursor = max(cursor, child.end)
    left.append(segment.content[cursor - segment.start :])
    return not any(character.isalnum() for piece in left for character in piece)
