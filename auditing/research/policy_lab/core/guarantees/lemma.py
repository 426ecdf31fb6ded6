"""The probability that a segment passes, from the accuracy of a seat: TRUST, Lemma 1, in closed form.

Source: docs/formulas.md section 1.1.
"""

from math import ceil, comb, fsum

from auditing.core.errors import BadParameterError


def seat_accuracy(*, error: float, malicious: float) -> float:
    """c = (1 - rho)(1 - eps): a seat votes right. Source: TRUST section 3.2; holds for independent seats."""
    _check_share("error", error)
    _check_share("malicious", malicious)
    return (1 - malicious) * (1 - error)


def pass_probability(*, k: int, tau: float, error: float, malicious: float = 0.0) -> float:
    """p = P[Bin(k, c) >= ceil(tau k - 1e-9)]: a valid segment passes.

    Source: TRUST, Lemma 1; its double sum over malicious and wrong seats collapses to this binomial tail.

    >>> round(pass_probability(k=5, tau=0.5, error=0.3, malicious=0.1), 3)
    0.733
    """
    return _binomial_tail(k, _quorum(k, tau), seat_accuracy(error=error, malicious=malicious))


def wrong_pass_probability(*, k: int, tau: float, error: float, malicious: float = 0.0) -> float:
    """b = P[Bin(k, 1 - c) >= ceil(tau k - 1e-9)]: a wrong segment passes. The paper omits it.

    Malicious seats are taken to push wrong segments through.

    >>> round(wrong_pass_probability(k=5, tau=0.5, error=0.3, malicious=0.1), 3)
    0.267
    """
    return _binomial_tail(k, _quorum(k, tau), 1 - seat_accuracy(error=error, malicious=malicious))


def breakdown_share(*, tau: float, error: float) -> float:
    """rho* = max(0, 1 - tau / (1 - eps)): from this malicious share on, more seats make valid segments fail.

    The paper's "correct under up to 30 % malicious" does not hold at its own eps = .3, where rho* = .286.

    >>> round(breakdown_share(tau=0.5, error=0.3), 3)
    0.286
    """
    _check_share("error", error)
    return max(0.0, 1 - tau / (1 - error))


def _quorum(k: int, tau: float) -> int:
    if k < 1:
        raise BadParameterError("k", f"must be at least 1, not {k}")
    if not 0 < tau <= 1:
        raise BadParameterError("tau", f"must lie in (0, 1], not {tau}")
    return ceil(tau * k - 1e-9)  # .56 * 25 is 14.000000000000002 as a double: 14 seats, not 15


def _binomial_tail(n: int, least: int, p: float) -> float:
    return min(1.0, fsum(comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(least, n + 1)))


def _check_share(field: str, value: float) -> None:
    if not 0 <= value < 1:
        raise BadParameterError(field, f"must lie in [0, 1), not {value}")
