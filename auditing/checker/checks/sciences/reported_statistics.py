"""Checker: test statistics with their p-values, as articles report them: t(28) = 2.05, p = .05.

The p-value is computed again from the statistic and its degrees of freedom, for every statistic that rounds to the one
that is written, one-sided and two-sided. Source of the idea: Nuijten et al., "The prevalence of statistical reporting
errors in psychology", Behavior Research Methods 48 (2016); of the functions: DLMF 8.9.2, 8.11.4 and 8.17.22.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from auditing.checker.findings import Grade, Verdict
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "statistics as reported"
_NUMBER = r"(-?\d{0,6}(?:\.\d{1,6})?)"
_FREE = r"\(\s?(?P<free>\d{1,6}(?:\.\d{1,4})?)(?:,\s?(?P<below>\d{1,6}(?:\.\d{1,4})?))?(?:,\s?[Nn]\s?=\s?\d{1,7})?\s?\)"
_REPORT = Cue(
    rf"(?<![\w^])(?:(?P<name>[tF]|χ2|χ²|\\chi\^2|chi2|X2){_FREE}|(?P<normal>[zZ]))\s?=\s?"
    r"(?P<value>[-−]?\d{1,6}(?:\.\d{1,6})?)[\s$]{0,2},?[\s$]{0,2}p\s?(?P<sign>[=<>])\s?(?P<p>0?\.\d{1,6})"
)
_OPEN = re.compile(r"\b(?:one-tailed|one-sided|adjusted|corrected|bonferroni|holm|suppose|would|if)\b", re.IGNORECASE)
# steps of a continued fraction, and its smallest factor
STEPS, TINY = 300, 1e-300


def check(script: Script) -> Iterator[Placed]:
    """Every statistic whose p-value stands behind it."""
    for passage in script.near(_REPORT):
        if "p" in passage.text and any(name in passage.text for name in "tFzZχXc"):
            for match in _REPORT.finditer(passage.text):
                yield from _judged(passage, match)


def _judged(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    written = match["value"].replace("−", "-")
    half = 0.5 * 10.0 ** -len(written.partition(".")[2])
    value = abs(float(written))
    tails = [p for at in (value + half, max(0.0, value - half)) for p in (p_value(match, at),) if p is not None]
    if len(tails) < 2:
        return
    low, high = tails
    # a test of t or z may be one-sided without saying so
    readings = [(low, high), (low / 2, high / 2)] if match["normal"] or match["name"] == "t" else [(low, high)]
    holds = any(_agrees(match["sign"], match["p"], *reading) for reading in readings)
    if not holds and _OPEN.search(passage.text[max(0, match.start() - 80) : match.end() + 60]):
        return
    middle = p_value(match, value)
    sentence = f"{match.group().strip()}: p is {middle:.4f}{'' if holds else ', not what is reported'}."
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule="a p-value",
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=sentence,
        details={"read": match.group(), "rule": "a p-value", "left": f"{middle:.6f}", "right": match["p"]},
        grade=Grade.LIKELY,
    )


def _agrees(sign: str, reported: str, low: float, high: float) -> bool:
    """Whether a p-value in this range may be reported so; its last digit may be rounded or cut off."""
    p, unit = float(reported), 10.0 ** -len(reported.partition(".")[2])
    if sign == "<":
        return low < p
    if sign == ">":
        return high > p
    return low - unit <= p <= high + unit / 2


def p_value(match: re.Match[str], value: float) -> float | None:
    """The two-sided p-value of a statistic; None where the degrees of freedom make no sense."""
    if match["normal"]:
        return math.erfc(value / math.sqrt(2))
    name, free, below = match["name"], float(match["free"]), float(match["below"] or 0)
    if free <= 0 or (name == "F") is not bool(below):
        return None
    if name == "t":
        return beta_ratio(free / (free + value * value), free / 2, 0.5)
    if name == "F":
        return beta_ratio(below / (below + free * value), below / 2, free / 2)
    return gamma_tail(free / 2, value / 2)


def beta_ratio(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I_x(a, b) by its continued fraction (DLMF 8.17.22).

    >>> round(beta_ratio(28 / (28 + 2.048407 ** 2), 14, 0.5), 4)
    0.05
    """
    if not 0 < x < 1:
        return min(1.0, max(0.0, x))
    # it converges fast on the near side of the mean; the far side is one minus that
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_ratio(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    terms = [1.0]
    for m in range(STEPS):
        terms.append(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)))
        terms.append((m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2)))
    total = 1.0
    for term in reversed(terms[1:]):
        total = 1 + term / (total or TINY)
    return front / (total or TINY)


def gamma_tail(a: float, x: float) -> float:
    """The regularized upper incomplete gamma function Q(a, x): a series, or a continued fraction (DLMF 8.11.4, 8.9.2).

    >>> round(gamma_tail(0.5, 3.841459 / 2), 4)
    0.05
    """
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, 10 * STEPS):
            term *= x / (a + n)
            total += term
        return 1 - front * total
    fraction = x + 2 * STEPS + 1 - a
    for n in range(STEPS, 0, -1):
        fraction = x + 2 * n - 1 - a - n * (n - a) / (fraction or TINY)
    return front / (fraction or TINY)
