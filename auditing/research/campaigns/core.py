"""What changed between two versions of a text, line by line. Pure."""

from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line: "came", "gone", or "stays" (shown beside a change)."""

    kind: str
    text: str


def changes_between(*, old: str, new: str) -> list[ChangedLine]:
    """The lines that came and are gone, each change with the line before it.

    >>> [(line.kind, line.text) for line in changes_between(old="a\\nb", new="a\\nc")]
    [('stays', 'a'), ('gone', 'b'), ('came', 'c')]
    """
    before, after = old.splitlines(), new.splitlines()
    lines: list[ChangedLine] = []
    for tag, first, last, start, end in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        lines += [ChangedLine("stays", text) for text in before[max(0, first - 1) : first]]
        lines += [ChangedLine("gone", text) for text in before[first:last]]
        lines += [ChangedLine("came", text) for text in after[start:end]]
    return lines
