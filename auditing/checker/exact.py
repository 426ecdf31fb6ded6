"""Exact numbers: Python's fractions, computed by a compiled library of the same meaning.

Equal, hashed, printed and mixed as `fractions.Fraction` is, and six to fifteen times faster.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction
else:
    from quicktions import Fraction

__all__ = ["Fraction"]
