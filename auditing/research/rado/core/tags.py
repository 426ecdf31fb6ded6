"""The tag format of an audit: thought, searches with documents, function calls with results, an answer of 0 or 1.

Source: RADO, section 3.1 and appendix C. The thought stands in <think>...</think> (section 3.1) or bare (the
prompts).
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class TagsRefusedError(ValueError):
    """This text is not in the tag format."""

    def __init__(self, *, position: int, reason: str) -> None:
        """`position` counts code points from the start of the text."""
        self.position, self.reason = position, reason
        super().__init__(f"at character {position}: {reason}")


class PartKind(StrEnum):
    """What stands in a part; all but text stand in tags of this name."""

    TEXT = "text"
    SEARCH = "search"
    DOC = "doc"
    FUNCTION = "function"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of an audit, without its tags."""

    kind: PartKind
    text: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """An audit: its parts in order and whether it finds the evaluation right (1) or wrong (0)."""

    parts: tuple[Part, ...]
    score: int
    thinks: bool = True  # written inside <think>...</think>


_TAGS = ("think", "answer", *(kind for kind in PartKind if kind is not PartKind.TEXT))
# Only known tags count: "<b>" or "a < b" in a trace is text.
_MARK = re.compile(f"</?(?:{'|'.join(_TAGS)})>")
# Which call a reply answers.
_REPLY = {PartKind.DOC: PartKind.SEARCH, PartKind.RESULT: PartKind.FUNCTION}


def _next_mark(text: str, start: int) -> tuple[int, str]:
    """Position and text of the next known tag, or (len(text), "")."""
    match = _MARK.search(text, start)
    return (match.start(), match[0]) if match else (len(text), "")


def _split(text: str, base: int) -> list[tuple[int, Part]]:
    """The parts of a thought, each with its position; text between tags is a part when it is not blank."""
    parts: list[tuple[int, Part]] = []
    cursor = 0
    # 1. Text up to the next tag is a part, unless it is blank. 2. The tag must open a part.
    # 3. The next tag must close it: tags do not nest.
    while cursor < len(text):
        begin, mark = _next_mark(text, cursor)
        if text[cursor:begin].strip():
            parts.append((base + cursor, Part(PartKind.TEXT, text[cursor:begin])))
        if not mark:
            break
        tag_kind = next((tag_kind for tag_kind in PartKind if mark == f"<{tag_kind}>"), None)
        if tag_kind is None:
            raise TagsRefusedError(position=base + begin, reason=f"{mark} has no place here")
        inside = begin + len(mark)
        end, closing = _next_mark(text, inside)
        if closing != f"</{tag_kind}>":
            reason = f"{mark} is not closed" if not closing else f"{closing} stands inside {mark}: tags do not nest"
            raise TagsRefusedError(position=base + begin, reason=reason)
        parts.append((base + begin, Part(tag_kind, text[inside:end])))
        cursor = end + len(closing)
    return parts


def _check_order(placed_parts: list[tuple[int, Part]]) -> None:
    before: PartKind | None = None
    for position, piece in placed_parts:
        call = _REPLY.get(piece.kind)
        # A document needs a search right before it, a result a function call.
        if call is not None and before is not call:
            raise TagsRefusedError(position=position, reason=f"<{piece.kind}> does not follow a <{call}>")
        before = piece.kind


def parse_dialogue(text: str) -> Dialogue:
    """Read an audit.

    Raises TagsRefusedError naming the place for a tag that is unclosed, nested, out of place or out of order, for
    text after
    the answer, and for an answer other than 0 or 1. A call may lack its reply: then it was never carried out.

    >>> parse_dialogue("<think>So <function>add(1, 2)</function><result>3.0</result></think><answer>1</answer>").score
    1
    """
    thought, base, score = _cut_answer(text)
    opened = len(thought) - len(thought.lstrip())
    thinks = thought.startswith("<think>", opened)
    if thinks:
        if not thought.rstrip().endswith("</think>"):
            raise TagsRefusedError(position=opened, reason="<think> is not closed before <answer>")
        # 7 is the length of "<think>", 8 of "</think>".
        thought, base = thought.rstrip()[opened + 7 : -8], opened + 7
    placed_parts = _split(thought, base)
    _check_order(placed_parts)
    return Dialogue(tuple(piece for _, piece in placed_parts), score, thinks)


def _cut_answer(text: str) -> tuple[str, int, int]:
    begin = text.find("<answer>")
    if begin < 0:
        raise TagsRefusedError(position=len(text), reason="there is no <answer>")
    end = text.find("</answer>", begin)
    if end < 0:
        raise TagsRefusedError(position=begin, reason="<answer> is not closed")
    if text[end + 9 :].strip():
        raise TagsRefusedError(position=end + 9, reason="something follows the answer")
    score = text[begin + 8 : end].strip()
    if score not in ("0", "1"):
        raise TagsRefusedError(position=begin + 8, reason=f"the answer is {score[:20]!r}, not 0 or 1")
    # Positions in errors count from the start of the text, which the thought begins.
    return text[:begin], 0, int(score)


def write_dialogue(dialogue: Dialogue) -> str:
    """The text of an audit; parse_dialogue reads it back. Raises TagsRefusedError when a part holds one of the tags."""
    for number, piece in enumerate(dialogue.parts):
        # Written out, such a part would read back as several.
        if _next_mark(piece.text, 0)[1]:
            raise TagsRefusedError(position=0, reason=f"part {number} holds a tag of the format itself")
    body = "".join(
        piece.text if piece.kind is PartKind.TEXT else f"<{piece.kind}>{piece.text}</{piece.kind}>"
        for piece in dialogue.parts
    )
    thought = f"<think>{body}</think>" if dialogue.thinks else body
    return f"{thought}<answer>{dialogue.score}</answer>"
