"""Records of the public sets that RADO trains and tests on, as problems with a gold answer.

LegalBench, FinQA, MedQA, PubMedQA, MMLU and MMLU-Pro, as they are published; each is told by its fields. Reads records
that it is given; writes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

__all__ = ["PUBLIC_SETS", "as_problem"]

Record = Mapping[str, Any]


def as_problem(record: Record) -> Record:
    """{problem, gold} of a record of a public set, with the responses that came with it; any other record as it is.

    Raises ValueError where a field is not what its set publishes.

    >>> as_problem({"question": "2 + 2?", "choices": ["3", "4"], "answer": 1})["gold"]
    'B'
    """
    if "problem" in record:
        return record
    for name, (fields, read) in PUBLIC_SETS.items():
        if all(field in record for field in fields):
            try:
                problem, gold = read(record)
            except (KeyError, TypeError, IndexError, AttributeError) as error:
                raise ValueError(f"is no record of {name}: {error}") from None
            return {"problem": problem, "gold": gold, **_responses(record)}
    return record


def _responses(record: Record) -> dict[str, Any]:
    texts = [record.get(name) for name in ("response", "generated_text", "model_outputs")]
    several = record.get("responses") or [text for text in texts if isinstance(text, str) and text.strip()]
    return {"responses": several} if several else {}


def _finqa(record: Record) -> tuple[str, str]:
    """Text before, the table, text after, the question; the executed answer, or the written one."""
    table = "\n".join(" | ".join(map(str, row)) for row in record["table"])
    before, after = ("\n".join(record[name]) for name in ("pre_text", "post_text"))
    qa = record["qa"]
    gold = qa["exe_ans"] if qa.get("exe_ans") not in (None, "") else qa["answer"]
    return "\n\n".join(filter(None, (before, table, after, str(qa["question"])))), str(gold)


def _pubmedqa(record: Record) -> tuple[str, str]:
    """The abstract and the question; yes, no or maybe. Published with upper-case keys, and with lower-case ones."""
    contexts = record["CONTEXTS"] if "CONTEXTS" in record else record["context"]["contexts"]
    question = record.get("QUESTION") or record["question"]
    return "\n\n".join([*contexts, f"{question} Answer yes, no or maybe."]), str(record["final_decision"])


def _medqa(record: Record) -> tuple[str, str]:
    options = record["options"]
    return _with_options(record["question"], list(options), list(options.values())), str(record["answer_idx"])


def _mmlu(record: Record) -> tuple[str, str]:
    choices, answer = record["choices"], record["answer"]
    letter = ascii_uppercase[answer] if isinstance(answer, int) else str(answer)
    return _with_options(record["question"], ascii_uppercase, choices), letter


def _mmlu_pro(record: Record) -> tuple[str, str]:
    return _with_options(record["question"], ascii_uppercase, record["options"]), str(record["answer"])


def _legalbench(record: Record) -> tuple[str, str]:
    """A task's own columns, in their order, each under its name; the label is the column `answer`."""
    fields = {key: value for key, value in record.items() if key not in ("index", "answer", "slice") and value}
    if len(fields) == 1:
        return str(next(iter(fields.values()))), str(record["answer"])
    return "\n\n".join(f"{key}: {value}" for key, value in fields.items()), str(record["answer"])


def _with_options(question: str, letters: Sequence[str], options: Sequence[str]) -> str:
    pairs = zip(letters, options, strict=False)
    return "\n".join([str(question), *(f"{letter}. {option}" for letter, option in pairs)])


PUBLIC_SETS: Mapping[str, tuple[tuple[str, ...], Callable[[Record], tuple[str, str]]]] = {
    "FinQA": (("pre_text", "post_text", "table", "qa"), _finqa),
    "PubMedQA (published)": (("QUESTION", "CONTEXTS", "final_decision"), _pubmedqa),
    "PubMedQA": (("question", "context", "final_decision"), _pubmedqa),
    "MedQA": (("question", "options", "answer_idx"), _medqa),
    "MMLU-Pro": (("question", "options", "answer", "answer_index"), _mmlu_pro),
    "MMLU": (("question", "choices", "answer"), _mmlu),
    "LegalBench": (("index", "answer"), _legalbench),
}
"""By name: the fields that tell a record of the set, the most telling sets first, and its reader."""
