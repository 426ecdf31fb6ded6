"""How alike two answers are: the five measures of the paper, with their empty cases settled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

SameAnswer: TypeAlias = Callable[[str, str], bool | None]  # None: cannot be compared


@dataclass(frozen=True, slots=True)
class Similarity:
    """The similarity vector m = [J, C, L, E, S], each 0 to 1."""

    jaccard: float
    characters: float
    length: float
    exact: float
    semantic: float


def words(text: str) -> frozenset[str]:
    """Lower-case runs of letters, digits and underscores."""
    return frozenset("".join(c if c.isalnum() or c == "_" else " " for c in text.lower()).split())


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """|A and B| / |A or B|; two empty sets are equal, so 1 (the public code of the paper gives 0).

    >>> overlap(frozenset("ab"), frozenset("bc")), overlap(frozenset(), frozenset())
    (0.3333333333333333, 1.0)
    """
    # Jaccard index.
    union = first | second
    return len(first & second) / len(union) if union else 1.0


def rule_semantic(*, first: str, second: str, same_answer: SameAnswer) -> float:
    """S without a language model: 1 for equivalent answers, 0 for different ones, word overlap when nobody can tell."""
    same = same_answer(first, second)
    if same is None:
        return overlap(words(first), words(second))
    return 1.0 if same else 0.0


def measure_similarity(*, first: str, second: str, semantic: float) -> Similarity:
    """The vector of two answers; `semantic` comes from a scorer or from rule_semantic. Source: Ariadne, section 3.1.

    Raises ValueError when `semantic` is outside 0 to 1.
    """
    if not 0 <= semantic <= 1:
        raise ValueError(f"a semantic similarity lies between 0 and 1, got {semantic}")
    a, b = first.strip(), second.strip()
    longest = max(len(a), len(b))
    return Similarity(
        jaccard=overlap(words(a), words(b)),
        characters=overlap(frozenset(a), frozenset(b)),
        length=min(len(a), len(b)) / longest if longest else 1.0,
        exact=float(a == b),
        semantic=semantic,
    )
