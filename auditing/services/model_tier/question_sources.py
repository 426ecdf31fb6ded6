"""Where rooms above the corridor add the questions that they ask models. Reads and writes no table.

Apart from questions.py, so that adding a source when the apps are loaded imports no client of models.
"""

from collections.abc import Callable

from hdag.chat.question import Question

SOURCES: list[Callable[[], tuple[Question, ...]]] = []
