"""Are two final answers the same? One comparison for reference answers and for every study that needs one.

Each answer is taken out of its text (`extraction`) and brought into one notation (`notation`); then the rules of
`sameness` are asked one after the other until one of them knows the kind of answer.
"""

from auditing.checker.answers.extraction import final_answer
from auditing.checker.answers.sameness import Match, compare_answers, same_answer
from auditing.checker.answers.values import is_value, tell_apart

__all__ = ["Match", "compare_answers", "final_answer", "is_value", "same_answer", "tell_apart"]
