"""Whether the final answer of a record in one's own file is right: as the record says, or by its gold answer."""

from auditing.checker.answers import same_answer
from auditing.research.studies.instruments.labelled import Record

__all__ = ["gold_of", "is_right"]

_GOLD = ("gold", "gold_answer", "reference_answer", "ground_truth_answer", "ground_truth")
_VERDICTS = ("correct", "is_correct", "final_answer_correct")


def gold_of(record: Record) -> str:
    """The gold answer, empty where the record has none."""
    name = next((name for name in _GOLD if record.get(name) is not None), "")
    # GSM8K writes the final answer after "####".
    return str(record[name]).rpartition("####")[2].strip() if name else ""


def is_right(record: Record) -> bool:
    """Whether the answer is right. Raises ValueError where neither a verdict nor gold and answer stand in the record.

    >>> is_right({"answer": "$1/2$", "gold": "0.5"}), is_right({"correct": False})
    (True, False)
    """
    for name in _VERDICTS:
        if isinstance(record.get(name), bool):
            return bool(record[name])
    gold, answer = gold_of(record), str(record.get("answer") or record.get("final_answer") or "")
    if not gold:
        raise ValueError("neither gold nor correct stands in it")
    return same_answer(first=answer, second=gold)
