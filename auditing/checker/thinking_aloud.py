"""Traces that think aloud: they try, go back and look again, and most of their equations hold in one attempt alone.

"Wait, ...", "alternatively, ...", "maybe ...", "let me check": where a text says so again and again, what one line
supposes is not told by the lines near it. A false product is false there, too; but that one equation contradicts
another is what such a text looks for, and says nothing against either (decision 0066).
"""

from __future__ import annotations

from functools import lru_cache

from hdag.core.text.cues import Cue

# a sentence that begins so goes another way than the one before it, or back
_TURNS = Cue(
    r"(?:^|[.!?:\n]\s{0,4})(?:but |so |and |yes, |no, )?(?:wait|hm+|alternatively|maybe|perhaps|hold on|actually|"
    r"what if|okay,? so|oh|let me (?:try|check|think|see|verify|consider|re\w*|go back)|let[’']s (?:try|see))\b"
)
# how many of them: right solutions in short steps have two at most
LEAST_TURNS = 3


@lru_cache(maxsize=16)
def thinks_aloud(thinking: str) -> bool:
    """Whether a text goes another way, or back, three times and more.

    >>> thinks_aloud("Let x = 2. Wait, no. Maybe x = 3. Hmm, let me check.\\nAlternatively, x = 4.")
    True
    >>> thinks_aloud("Wait for the bus: 3 + 4 = 7 minutes.")
    False
    """
    return sum(1 for _ in _TURNS.finditer(thinking.lower())) >= LEAST_TURNS
