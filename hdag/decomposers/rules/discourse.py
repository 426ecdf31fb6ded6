"""The discourse move of a step: it plans, concludes, checks again, takes back or starts anew. Linear patterns only."""

import re
from enum import StrEnum
from functools import lru_cache

from hdag.core.text.cues import Cue

OPENING = 90  # characters; a cue counts only near the start: "... which I will verify later" is no check


class Move(StrEnum):
    """The discourse move that a step opens with."""

    NONE = ""
    PLAN = "plan"
    CONCLUDE = "conclusion"
    CHECK = "verification"
    RETRACT = "correction"
    ALTERNATIVE = "alternative"
    EXAMPLE = "example"
    REFINE = "refinement"


# The first move whose cue occurs wins, so the order is part of the rule: "Wait, let me double-check" is a check.
_CUES: tuple[tuple[Move, Cue], ...] = tuple(
    (move, Cue(pattern, re.IGNORECASE))
    for move, pattern in (
        (
            Move.CHECK,
            r"\b(?:double[- ]check\w{0,3}|re-?check\w{0,3}|let(?:'s| me| us) (?:verify|check|confirm)|verify(?:ing)?|"
            r"to (?:check|verify|confirm)|verification|sanity check|as a check|check (?:that|if|whether)|"
            r"check(?:s)?:|everything is consistent)",
        ),
        (
            Move.RETRACT,
            r"(?:^|[\s*(])(?:wait|actually|no,|oops|hold on|scratch that|correction|i made (?:a|an) (?:mistake|error)|"
            r"that(?:'s| is| was)(?: not| in)(?: |)(?:correct|right)|that(?:'s| is) wrong|this is (?:wrong|incorrect)|"
            r"there (?:is|was) (?:a|an) (?:mistake|error))\b",
        ),
        (
            Move.ALTERNATIVE,
            r"\b(?:alternatively|another (?:way|approach|method|idea)|on the other hand|a different way)\b",
        ),
        (Move.EXAMPLE, r"\b(?:for example|for instance|e\.g\.|to illustrate|as an example)"),
        (
            Move.REFINE,
            r"\b(?:more precisely|specifically|in other words|that is,|to be (?:more )?precise|equivalently)",
        ),
        (
            Move.PLAN,
            r"\b(?:plan|approach|strategy|break (?:this|it|the problem|things) down|step by step|let me think|"
            r"i need to (?:figure|find|determine|work|calculate)|we need to (?:find|determine|calculate|figure)|"
            r"first,? i need|i should understand|"
            r"to solve this|we are asked|the goal is|my goal)\b",
        ),
        (
            Move.CONCLUDE,
            r"(?:^|[\s*])(?:therefore|thus|hence|in conclusion|in summary|finally|so,? the (?:final )?answer|"
            r"the (?:final )?answer|final answer|conclusion|so,? it (?:will|would) take|we conclude|####)(?=\W|$)",
        ),
    )
)


def find_move(*, text: str, within: str = "") -> Move:
    """The move that `text` opens with; `within` is the text that it is a step of.

    >>> find_move(text="Wait, let me double-check my calculations.")
    <Move.CHECK: 'verification'>
    """
    head = text[:OPENING]
    return next((move for move, cue in _cues_near(within or head) if cue.search(head)), Move.NONE)


@lru_cache(maxsize=4)  # the steps of one text come one after the other
def _cues_near(text: str) -> tuple[tuple[Move, Cue], ...]:
    return tuple((move, cue) for move, cue in _CUES if cue.may_match(text))
