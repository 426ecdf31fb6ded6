"""The words directly before an expression: whether they belong to it, or tell of something else."""

from __future__ import annotations

import itertools

from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.vocabulary import SHARES, STOP_WORDS, TELLS_WHICH, TIMES, words

# words before an expression that may announce it
MAX_WORDS = 12
# with "to" behind them they announce a whole equation, and no amount that something changes by
LEADS_ON = words("""
    simplifies simplify simplified simplifying reduces reduce reducing leads leading equivalent rewritten transforms
    expands evaluates condenses sums amounts comes increases increased decreases decreased grows drops rises
    sum amount came come amounted amounting equal dropped dropping reduced reducing increasing decreasing grew grown
    rose fell falls translate translates total boils breaks works
""")
# ... and with "by" behind them, what something changed by
CHANGED = words("""
    increased decreased reduced grown grew rose risen dropped fell fallen shrank shrunk lowered raised
""")
COUNTS = words("two three four five six seven eight nine ten eleven twelve twenty both several few many")
# between such a verb and its "to": "sums up to", "comes out to"
PARTICLES = words("up out down")
# twice as many as
_AS_MUCH = words("many much old long far tall heavy big fast high large wide deep")
_DETERMINES = words("the his her its their these those this my our your remaining other last first next same original")
_FACTORS = words("half twice double triple thrice")
_PLACES = words("at for in on by to from every per out")
# behind these a value stands, and no more of what was before
_VERBS = words("is are was were equals makes gives leaves")


def goes_on_in_words(tokens: list[Token], position: int) -> bool:
    """Whether the word before an expression is a part of it: 2 × erf(3 + 4), or the name of a term."""
    first, earlier = tokens[position], tokens[max(0, position - 2)]
    is_function = first.text == "(" and first.glued
    is_multiplied = position > 1 and earlier.kind == "op" and earlier.text in ("*", "^")
    return is_function or is_multiplied or _is_taken_of(tokens, position) or _names_a_term(tokens, position)


def _is_taken_of(tokens: list[Token], position: int) -> bool:
    """3 of the 5 + 2, 4 bags with 3 each + 2, the sum of 3 and 4 * 2, twice as many as 5 + 3: it began before."""
    behind = [token.text.lower() for token in reversed(tokens[max(0, position - 6) : position])]
    last, earlier = behind[0], behind[1:]
    if _tells_of_each(tokens, position):
        return True
    # 4 bags (3 marbles each) + 2
    if tokens[position].text == "(" and position + 2 < len(tokens) and tokens[position + 2].kind == "word":
        return counts_something(behind)
    if last in _DETERMINES:
        return _is_share_of(behind)
    following = earlier[0] if earlier else ""
    if last == "and":
        is_mixed = _is_below_one(tokens[position : position + 3])  # 4 and 1/2
        is_pair = any(word in ("of", "between") for word in earlier[1:3])
        return following[:1].isdigit() and (is_mixed or is_pair)
    if last == "as":
        return following in _AS_MUCH and "as" in earlier[1:2]
    return (last == "with" or (last in _PLACES and _adds_first(tokens, position))) and counts_something(earlier)


def _is_below_one(tokens: list[Token]) -> bool:
    texts = [token.text for token in tokens]
    return texts[1:2] == ["/"] and texts[0].isdigit() and texts[-1].isdigit() and len(texts[0]) <= len(texts[-1]) < 4


def _adds_first(tokens: list[Token], position: int) -> bool:
    """Whether the first sign behind a number is a plus or a minus: 10 apples at $4 each + 11."""
    signs = (token.text for token in tokens[position + 1 : position + 8] if token.kind in ("op", "rel"))
    return next(signs, "") in ("+", "-")


def _tells_of_each(tokens: list[Token], position: int) -> bool:
    """Each of the 4 people eats 3 + 1 = 16 slices."""
    before = [token.text.lower() for token in tokens[max(0, position - MAX_WORDS) : position]]
    at = before.index("each") if "each" in before else len(before)
    return before[at + 1 : at + 2] == ["of"] and any(word[:1].isdigit() for word in before[at + 2 : at + 5])


def _is_share_of(behind: list[str]) -> bool:
    """40% of the 50 + 5, 2/3 of the remaining 9 + 1, half the 10 + 4; the nearest word first."""
    while behind and behind[0] in _DETERMINES:
        behind = behind[1:]
    last, *earlier = behind or [""]
    if last != "of":
        return last in _FACTORS
    return bool(earlier) and (earlier[0] == "%" or earlier[0] in SHARES or counts_something(earlier))


def _names_a_term(tokens: list[Token], position: int) -> bool:
    """Beginning 100 + purchases 50 - 30 = 120: behind a sign a word names the next term, and the sum began before."""
    if tokens[position - 1].text.lower() in _VERBS:
        return False
    at = position - 1
    while at > position - 4 and at > 1 and tokens[at].kind == "word":
        at -= 1
    sign, operand = tokens[at], tokens[at - 1]
    # a dash may be a bullet, or belong to the sentence
    return at > 1 and sign.kind == "op" and sign.text in "+*/" and operand.kind in ("num", "close", "word", "sym")


def is_an_article(tokens: list[Token], position: int) -> bool:
    """They get a 240 * .2 = $48 discount: in a sentence, before a number, it is no symbol."""
    before, first = tokens[position - 1], tokens[position]
    is_alone = before.text == "a" and not first.glued and first.kind in ("num", "dollar")
    return is_alone and position > 1 and tokens[position - 2].kind == "word"


def is_told_of(tokens: list[Token], position: int) -> bool:
    """On the third day 6 * 2 = 12, he took out 64 / 4 = 16: this is no sixth day, and no share of 64."""
    word, earlier = tokens[position - 1].text.lower(), tokens[max(0, position - 2)]
    if word == "out":
        return earlier.kind == "word" and position > 1
    return word in TIMES and earlier.text.lower() in TELLS_WHICH and position > 1


def announces_a_whole(before: list[str]) -> bool:
    """Whether words before an expression, the nearest first, say that it begins here: "a total of", "sums up to".

    >>> announces_a_whole(["of", "total"]), announces_a_whole(["of", "half"]), announces_a_whole(["to", "up", "sums"])
    (True, False, True)
    """
    last, *earlier = before or [""]
    if last == "to" and earlier[:1] and earlier[0] in PARTICLES:
        earlier = earlier[1:]
    if not earlier or not earlier[0].isalpha():
        return False
    if last == "to":
        return earlier[0] in LEADS_ON
    # "had grown by 3 * 10 = 20"; where a number stands before it, that has grown to the sum
    if last == "by":
        return earlier[0] in CHANGED and not any(word[:1].isdigit() for word in earlier)
    return last == "of" and earlier[0] not in SHARES and not counts_something(earlier)


def counts_something(before: list[str]) -> bool:
    """Whether a number stands right before these words, the nearest first: 2 red bags (of 3 apples).

    >>> counts_something(["bags", "red", "2"]), counts_something(["total", "a", ",", "bags", "2"])
    (True, False)
    """
    for word in before[:4]:
        if word[:1].isdigit() or word in COUNTS:
            return True
        if not word.isalpha() or word in STOP_WORDS or word in ("a", "an"):
            return False
    return False


def is_whole_after(tokens: list[Token], position: int) -> bool:
    """Whether what stands before a side is no part of it: "a total of 5 + 3", "sums up to 5 + 3", "equation 2x = 6"."""
    if tokens[position - 1].text.lower() == "equation":  # equation 2 + 3 may be the second one, equation 2x is none
        return [token.kind for token in tokens[position : position + 2]] in (["num", "sym"], ["sym", "op"])
    before = tokens[max(0, position - MAX_WORDS) : position]
    clause = itertools.takewhile(lambda token: token.kind != "nl" and token.text not in ".;:?", before[::-1])
    return is_told_of(tokens, position) or announces_a_whole([token.text.lower() for token in clause])
