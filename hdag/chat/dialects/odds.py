"""The odds of the words that a field could have held, from the log-probabilities that some servers give with tokens.

Source: developers.openai.com/api/reference/chat (2026-11-23): choices[].logprobs.content holds the tokens of the
answer in order, each with top_logprobs. The same in vLLM, llama.cpp and Ollama. What cannot be read gives no odds.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["ASKED", "TokenOdds", "odds_of", "read_tokens"]

ASKED = {"logprobs": True, "top_logprobs": 5}  # the fields of a request; five is what every server gives
_LEAST = 0.5  # of the probability that the words together must hold, or the token was not the one that decides


@dataclass(frozen=True, slots=True)
class TokenOdds:
    """One token as it was written, and the probabilities of what could have stood there."""

    text: str
    alternatives: tuple[tuple[str, float], ...]


def read_tokens(choice: Mapping[str, Any]) -> tuple[TokenOdds, ...]:
    """The tokens of an answer; none where the server gives none, or in another form."""
    try:
        return tuple(_read_token(entry) for entry in choice["logprobs"]["content"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return ()


def odds_of(*, tokens: Sequence[TokenOdds], field: str, words: Sequence[str]) -> dict[str, float]:
    """Probabilities of `words` as the value of a field, summing to 1; empty where the tokens do not tell.

    The token that decides is the one in which the value begins; what could have stood there counts for the one word
    that it begins.

    >>> tokens = [TokenOdds(text, ()) for text in ('{"', 'label', '":', ' "')]
    >>> tokens += [TokenOdds('YES', (("YES", 0.6), ("NO", 0.3), ("MAY", 0.1))), TokenOdds('"}', ())]
    >>> {word: round(odds, 2) for word, odds in odds_of(tokens=tokens, field="label", words=["YES", "NO"]).items()}
    {'YES': 0.67, 'NO': 0.33}
    """
    text = "".join(token.text for token in tokens)
    # The last mention: the field stands at the end, and what was written before may quote it.
    places = list(re.finditer(rf'"{re.escape(field)}"\s*:\s*"', text))
    if not places:
        return {}
    token, inside = _token_at(tokens, places[-1].end())
    if token is None:
        return {}
    sums = dict.fromkeys(words, 0.0)
    for alternative, probability in token.alternatives:
        # '"YES' and '"N' share the quotation mark that stands before the value.
        if alternative[:inside] != token.text[:inside]:
            continue
        meant = [word for word in words if _begins(word, alternative[inside:])]
        if len(meant) == 1:
            sums[meant[0]] += probability
    total = sum(sums.values())
    return {word: probability / total for word, probability in sums.items()} if total >= _LEAST else {}


def _token_at(tokens: Sequence[TokenOdds], offset: int) -> tuple[TokenOdds | None, int]:
    """The token that holds a offset of the text, and where in it that is."""
    start = 0
    for token in tokens:
        if start <= offset < start + len(token.text):
            return token, offset - start
        start += len(token.text)
    return None, 0


def _begins(word: str, written: str) -> bool:
    return bool(written) and (word.startswith(written) or written.startswith(word))


def _read_token(entry: Mapping[str, Any]) -> TokenOdds:
    alternatives = {str(rival["token"]): _probability(rival) for rival in entry.get("top_logprobs") or ()}
    alternatives.setdefault(str(entry["token"]), _probability(entry))
    return TokenOdds(str(entry["token"]), tuple(alternatives.items()))


def _probability(entry: Mapping[str, Any]) -> float:
    return math.exp(min(0.0, float(entry["logprob"])))
