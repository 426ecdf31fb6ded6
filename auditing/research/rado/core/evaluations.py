"""Reward-model evaluations, their audits, which of them are hard, and how people correct them."""

from dataclasses import dataclass, field
from enum import StrEnum

from auditing.core.model_tier.audit_functions import ToolRefusedError, result_agrees
from auditing.research.rado.core.tags import Dialogue, PartKind

# A rationale below this length cannot carry the reason of a judgement.
SHORT = 100  # characters; RADO, appendix F.1
# Tools of an audit beside the paper's sixteen functions; their calls are written like functions: convert(3 km -> m).
OTHER_TOOLS = frozenset({"calculate", "check", "algebra", "convert", "dates"})
REFUSED = "refused: "  # begins the reply of a call that a tool did not carry out


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a reward model says of a response: scores of its reasoning and its answer (0 or 1), and why."""

    reason: int
    answer: int
    rationale: str

    @property
    def score_class(self) -> tuple[int, int]:
        """One of (0, 0), (0, 1), (1, 0), (1, 1)."""
        return self.reason, self.answer

    @property
    def text(self) -> str:
        """The evaluation as the reward model writes it."""
        return f"[{self.reason}, {self.answer}]\n{self.rationale}"


class EvaluationRefusedError(ValueError):
    """This text is not an evaluation."""


def parse_evaluation(text: str) -> Evaluation:
    """Read `[1, 0]` (or with doubled braces, as the paper prints it) and the rationale after it.

    Raises EvaluationRefusedError unless the text begins with two scores of 0 or 1.

    >>> parse_evaluation("[1, 0] The last division is wrong.").score_class
    (1, 0)
    """
    stripped = text.strip()
    # "{{" before "{": the longer mark must be tried first.
    opening = next((mark for mark in ("[", "{{", "{") if stripped.startswith(mark)), "")
    closing = {"[": "]", "{{": "}}", "{": "}"}.get(opening, "")
    end = stripped.find(closing) if closing else -1
    # The two scores are a few characters; a closing bracket further away belongs to the rationale.
    scores = [piece.strip() for piece in stripped[len(opening) : end].split(",")] if 0 < end < 20 else []
    if len(scores) != 2 or not set(scores) <= {"0", "1"}:
        raise EvaluationRefusedError(f"an evaluation begins with two scores such as [1, 0], not {stripped[:20]!r}")
    return Evaluation(int(scores[0]), int(scores[1]), stripped[end + len(closing) :].strip())


class CorrectionTag(StrEnum):
    """Why a person corrected an audit or an evaluation. Source: RADO, appendix F."""

    OVER_TOLERANCE = "over_tolerance"  # 14.0 taken for 14.3
    OVER_DERIVATION = "over_derivation"  # a wrong path argued into the known answer
    LANGUAGE = "language"
    GARBLED = "garbled"
    SHORT = "under_100_characters"
    USELESS_RETRIEVAL = "useless_retrieval"


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person made of an audit: the final label, and a better audit or evaluation where one was needed."""

    label: int  # 1: the evaluation is right
    corrector: str  # pseudonym
    dialogue: Dialogue | None = None
    evaluation: Evaluation | None = None  # the positive sample to learn from, when the given one is wrong
    tags: frozenset[CorrectionTag] = frozenset()


@dataclass(frozen=True, slots=True)
class Audited:
    """One evaluation of one response to one problem, its audit, and a person's correction if there is one.

    prompt is what the reward model saw (problem and response): pairs share it.
    """

    id: str
    problem: str  # id of the problem; splits go by it
    prompt: str
    evaluation: Evaluation
    audit: Dialogue
    audit_confidence: float | None = None
    iteration: int = 0
    correction: Correction | None = None
    question: str = ""  # question and response apart, where they came so
    response: str = ""
    meta: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> int:
        """1 when the evaluation is right: a person's label counts before the audit's."""
        return self.correction.label if self.correction else self.audit.score

    @property
    def final_audit(self) -> Dialogue:
        """The audit to learn from: the corrected one where there is one."""
        return self.correction.dialogue if self.correction and self.correction.dialogue else self.audit


class HardReason(StrEnum):
    """Why a sample goes to people. Source: RADO, section 3.2, step 1."""

    DISAGREEMENT = "disagreement"  # the audit says that the evaluation is wrong
    DOUBTFUL_HIGH_SCORE = "doubtful_high_score"  # [1, 1], found right, but with signs of doubt
    HIGH_SCORE = "high_score"  # [1, 1] and found right


def find_hard_reason(*, audited: Audited, surely: float = 0.9) -> HardReason | None:
    """Why this sample is hard, or None.

    Doubt: the audit's confidence is below `surely`, a recorded result does not agree with its call, or suggest_tags
    finds something. The paper mines every [1, 1]; we tell the doubtful ones apart: they come first in the queue.
    """
    if audited.audit.score == 0:
        return HardReason.DISAGREEMENT
    # The audit agrees and the scores are not both high: the paper takes such samples as easy.
    if audited.evaluation.score_class != (1, 1):
        return None
    unsure = audited.audit_confidence is not None and audited.audit_confidence < surely
    doubtful = unsure or bool(wrong_results(audited.audit)) or bool(suggest_tags(audited=audited))
    return HardReason.DOUBTFUL_HIGH_SCORE if doubtful else HardReason.HIGH_SCORE


def wrong_results(dialogue: Dialogue) -> tuple[int, ...]:
    """Places of the function parts whose recorded result does not agree with the call carried out again.

    A refusal agrees with a call that is refused. The other tools (check, convert, ...) are taken at their word here.
    """
    wrong = []
    for index, call in enumerate(dialogue.parts[:-1]):
        reply = dialogue.parts[index + 1]
        if call.kind is PartKind.FUNCTION and reply.kind is PartKind.RESULT and not _agrees(call.text, reply.text):
            wrong.append(index)
    return tuple(wrong)


def _agrees(call: str, result: str) -> bool:
    if call.partition("(")[0] in OTHER_TOOLS:
        return True
    try:
        return result_agrees(call=call, result=result)
    except ToolRefusedError:
        return result.startswith(REFUSED)


def suggest_tags(*, audited: Audited) -> frozenset[CorrectionTag]:
    """Correction tags that a rule can see; a person decides. The two "over" tags need judgement, so never here."""
    rationale, tags = audited.evaluation.rationale, set()
    letters = [character for character in rationale if character.isalpha()]
    if len(rationale.strip()) < SHORT:
        tags.add(CorrectionTag.SHORT)
    # U+024F ends the extended Latin letters: more than a fifth beyond it is another script.
    if letters and sum(character > "\u024f" for character in letters) > 0.2 * len(letters):
        tags.add(CorrectionTag.LANGUAGE)
    if _is_garbled(rationale):
        tags.add(CorrectionTag.GARBLED)
    if _has_useless_retrieval(audited.audit):
        tags.add(CorrectionTag.USELESS_RETRIEVAL)
    return frozenset(tags)


def _is_garbled(text: str) -> bool:
    # U+FFFD stands where bytes could not be decoded.
    odd = sum(character == "\ufffd" or (not character.isprintable() and not character.isspace()) for character in text)
    longest = max((len(word) for word in text.split()), default=0)
    return odd > 0 or longest > 200


def _has_useless_retrieval(dialogue: Dialogue) -> bool:
    for call, reply in zip(dialogue.parts, dialogue.parts[1:], strict=False):
        # Useless: the document shares no longer word with the search.
        if call.kind is PartKind.SEARCH and reply.kind is PartKind.DOC and not _words(call.text) & _words(reply.text):
            return True
    return False


def _words(text: str) -> set[str]:
    # Short words (the, of, is) would make every document match its search.
    return {word for word in "".join(c if c.isalnum() else " " for c in text.lower()).split() if len(word) > 3}
