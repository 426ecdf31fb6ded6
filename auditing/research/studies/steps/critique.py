"""A model's critique of a whole trace, asked several times: the first wrong paragraph by majority.

The setting of ProcessBench for critic models (Zheng et al., 2024): the solution in numbered paragraphs, the answer is
the index of the first wrong one or -1, and maj@8 takes the most frequent of eight samples. The wording is ours.
"""

from collections import Counter
from collections.abc import Sequence

from auditing.research.studies.instruments.model_tier import ModelTier, UnansweredError
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_question
from hdag.chat.question import Question
from hdag.core.values import Trace

__all__ = ["critique", "critique_question", "majority"]

_RULES = """You review a solution to `problem`, given as numbered `paragraphs`. Go through them in order and check \
each one. Stop at the first paragraph with an error and give its number as `first_error`; give -1 if every paragraph \
is right. Write what you checked as `review`."""
_TEMPERATURE = 0.7  # of all samples but a single one


def critique(*, model: ModelTier, trace: Trace, samples: int) -> int | None:
    """The first wrong step by majority of `samples` critiques, None for none. Raises UnansweredError without any."""
    answers: list[int] = []
    for sample in range(samples):
        question = critique_question(trace=trace, sample=sample, temperature=_TEMPERATURE if samples > 1 else 0.0)
        try:
            answers.append(int(model.client.ask(question=question, account=model.account).data["first_error"]))
        except NoAnswerError:
            continue
    if not answers:
        raise UnansweredError("no critique was answered")
    named = majority(answers)
    return None if named < 0 else trace.steps[named].index


def critique_question(*, trace: Trace, sample: int = 0, temperature: float = 0.0) -> Question:
    """What is asked about one trace. Paragraphs are numbered from 0."""
    paragraphs = [
        {"number": number, "text": trace.thinking[step.start : step.end]} for number, step in enumerate(trace.steps)
    ]
    return fenced_question(
        purpose="critique",
        rules=_RULES,
        data={"problem": trace.problem, "paragraphs": paragraphs},
        properties={
            "review": {"type": "string", "maxLength": 20_000},
            "first_error": {"type": "integer", "minimum": -1, "maximum": len(paragraphs) - 1},
        },
        temperature=temperature,
        sample=sample,
        longest_answer=4096,
    )


def majority(answers: Sequence[int]) -> int:
    """The most frequent answer; of equally frequent ones the one that was given first.

    >>> majority([2, -1, -1, 2, 2]), majority([3, 1])
    (2, 3)
    """
    return Counter(answers).most_common(1)[0][0]
