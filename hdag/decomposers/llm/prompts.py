"""The five questions of the pipeline and the schemas of their answers.

The steps are those of the TRUST paper's appendix (identify levels, segment, relate, assign auditors, refine); the
words are ours. Nothing that rules can answer is asked: who should look at a segment, only where routing follows a
model, or the paper's five questions are wanted as they are.
"""

from collections.abc import Mapping
from typing import Any

from hdag.chat.question import one_of
from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation, Strength

__all__ = ["LEVELS", "REFINE", "RELATIONS", "SEGMENTS", "TIERS", "VERSION", "PipelineStep"]

VERSION = "decompose 2"
Schema = Mapping[str, Any]
_LOW_LEVELS = [str(level) for level in Level if level is not Level.GOAL]
_SCALE = """Levels, from plan to detail: strategy (an approach to the whole), tactic (a technique or key idea within \
it), step (one inference), operation (one computation or look-up)."""


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


def _list(items: Schema, most: int = 400) -> Schema:
    return {"type": "array", "maxItems": most, "items": items}


def _text(most: int) -> Schema:
    return {"type": "string", "maxLength": most}


class PipelineStep:
    """One question: a name, its rules and its schema."""

    def __init__(self, name: str, rules: str, schema: Schema) -> None:
        self.name, self.rules, self.schema = name, rules, schema


_BLOCK = _object(level=one_of(*_LOW_LEVELS), text={"type": "string", "minLength": 1, "maxLength": 40_000})
LEVELS = PipelineStep(
    "levels",
    f"""You divide the `text` of a reasoning trace into blocks by level of abstraction. {_SCALE}
Go through the text from start to end. Give each block's `text` as an exact copy, marks and formulas included; do not \
shorten, correct or add anything. Blocks follow one another and together cover the text.""",
    _object(blocks=_list(_BLOCK)),
)
_SEGMENT = _object(
    level=one_of(*_LOW_LEVELS),
    text={"type": "string", "minLength": 1, "maxLength": 20_000},
    kind=_text(60),
    summary=_text(120),
    complexity=one_of(*map(str, Complexity)),
)
SEGMENTS = PipelineStep(
    "segments",
    f"""You divide each of the given `blocks` into segments that one auditor can check alone. {_SCALE}
A strategy or tactic stays whole unless it holds two of them; a step is a single inference; each computation inside a \
step is a segment of its own, level operation, beside the step that holds it. `text` is an exact copy from the block. \
`kind` names the sort of statement in two or three words, `summary` its content in three to five, `complexity` how \
hard it is to check.""",
    _object(segments=_list(_SEGMENT)),
)
_ID = {"type": "string", "maxLength": 12}
_EDGE = _object(
    source=_ID,
    target=_ID,
    relation=one_of(*(str(relation) for relation in Relation if relation is not Relation.DECOMPOSES_TO)),
    strength=one_of(*map(str, Strength)),
    confidence={"type": "number", "minimum": 0, "maximum": 1},
    explanation=_text(300),
)
RELATIONS = PipelineStep(
    "relations",
    """You say how the given `segments` of a reasoning trace lean on one another; refer to them by `id`. Relations, \
from source to target: depends_on (the source needs the target to be true), enables (the source makes the target \
possible), validates (the source re-checks the target), exemplifies, refines, contradicts (the source takes back or \
corrects the target). List direct relations only, not their consequences; a conclusion depends on every segment whose \
result it uses, the given facts of the goal included.""",
    _object(edges=_list(_EDGE, 2000)),
)
_TIER = one_of(*map(str, Tier))
_ASSIGNMENT = _object(
    id=_ID,
    primary=_TIER,
    secondaries={"type": "array", "maxItems": 2, "items": _TIER},
    why=_text(300),
    focus=_text(300),
)
TIERS = PipelineStep(
    "tiers",
    """You suggest who should check each of the given `segments`: computer (computations and formal facts that a \
program settles), llm (inferences and common knowledge) or human (judgement, ethics, ambiguity, novelty, high \
stakes). `why` gives the reason in one sentence, `focus` what to look at.""",
    _object(assignments=_list(_ASSIGNMENT, 2000)),
)
REFINE = PipelineStep(
    "refine",
    """A program found the given `problems` in a graph of `segments` and `edges`. Mend them with as few changes as \
possible, so that every segment is one statement that one auditor can check alone: `merge` two neighbours of one \
level that say one thing, `split` one that says two (`text` copies exactly the first words of its second part), \
`remove` edges that are not real, `add` direct relations that are missing. Leave all four empty if the problems are \
only apparent.""",
    _object(
        merge=_list(_object(first=_ID, second=_ID)),
        split=_list(_object(id=_ID, text=_text(400))),
        remove=_list(_object(source=_ID, target=_ID)),
        add=_list(_EDGE),
    ),
)
