"""A gold segment as an exercise at the desk: four panes, numbered steps to name the wrong one by, and its truth.

Reads GoldSegment and its block.
"""

from dataclasses import dataclass

from auditing.models import GoldSegment
from hdag.core.passages.sentences import find_sentences
from hdag.core.spans import Span
from hdag.store import content

MOST_STEPS = 8  # as many as a vote can name


@dataclass(frozen=True, slots=True)
class Exercise:
    """The panes of one gold segment. wrong: number of the step in which the error stands; 0: none, or not recorded."""

    gold: GoldSegment
    problem: str
    premises: tuple[str, ...]
    implications: tuple[str, ...]
    steps: tuple[str, ...]
    wrong: int
    explanation: str


def exercise_of(*, gold: GoldSegment) -> Exercise:
    """Its texts, cut into sentences; what is beyond the eighth belongs to the eighth."""
    texts = content.read_json(gold.block)
    text, cited = str(texts.get("text", "")), str(texts.get("place", ""))
    sentences = find_sentences(text=text, span=Span(0, len(text)), closed=())
    starts = [sentence.start for sentence in sentences][:MOST_STEPS] or [0]
    ends = [*starts[1:], len(text)]
    at = text.find(cited) if cited else -1
    return Exercise(
        gold=gold,
        problem=str(texts.get("problem", "")),
        premises=tuple(texts.get("premises", ())),
        implications=tuple(texts.get("implications", ())),
        steps=tuple(text[start:end].strip() for start, end in zip(starts, ends, strict=True)),
        wrong=sum(start <= at for start in starts),
        explanation=str(texts.get("explanation", "")),
    )
