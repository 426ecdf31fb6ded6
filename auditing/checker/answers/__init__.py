"""Are two final answers the same? Used by reference answers, DAG-MATH, RADO and Ariadne alike."""

from auditing.checker.answers.extraction import final_answer
from auditing.checker.answers.sameness import Match, compare_answers, same_answer

__all__ = ["Match", "compare_answers", "final_answer", "same_answer"]
