"""Phrases that write one number twice: "3 out of 12, or 1/4", "45/50 (90%)", "2.5 million, or 2,500,000".

Behind "or" and in brackets another number may stand as well (a range, a page, an alternative): there only what holds is
said.
"""

from __future__ import annotations

from auditing.checker.checks.quantities.phrase_pieces import (
    ANY,
    CLOSE,
    FRACTION,
    NOUNS,
    OPEN,
    PERCENT,
    SCALE,
    VALUE,
    WHOLE,
    Groups,
    amount,
    claimed,
    of,
    phrase,
    tree_of,
    whole,
)
from auditing.checker.mathematics.tree import Node, Tree

_SHARE = rf"(?:{PERCENT}|{FRACTION}|0?\.\d{{1,9}}(?![\d.]))"
_ARE = r"(?:\s(?:are|is|were|was|have|had)\s[a-z]{2,15}(?=,))?"
# "3 out of the 12 marbles", "1 in 4", "45 of 50 patients"
_OUT_OF = rf"(?P<a>{VALUE}){NOUNS}\s(?:out of|in|of)\s(?:the\s|a total of\s|every\s|all\s)?(?P<b>{VALUE}){NOUNS}{_ARE}"
_OUT = rf"{OPEN}(?<![\w.,/^*×÷:=+{{}}\\-])(?<![*+×÷^/=-]\s){_OUT_OF}{CLOSE}"
_OR = (
    r"(?:,?\s(?:or|i\.e\.,?|that is,?|which is|which equals|which gives|which simplifies to|which reduces to"
    r"|which means|or about|"
    r"or,? equivalently,?|equivalently,?|equivalent to|is equivalent to|is equal to|is the same as|simplifies to"
    r"|reduces to|simplified to|reduced to|namely)\s"
    r"(?:also\s|just\s|simply\s|exactly\s|about\s|approximately\s|a\s|an\s)?)"
)
_SURE_OR = (
    r"(?:,?\s(?:which is equivalent to|is equivalent to|which simplifies to|simplifies to|which reduces to|reduces to|"
    r"simplified to|is the same as|or,? equivalently,?)\s)"
)
_NOT_OF = r"(?!\s?(?:of|more|less|higher|lower|increase|decrease|off)\b)"


def _share(groups: Groups) -> Tree:
    return tree_of(groups["a"])


def _scaled(groups: Groups) -> Tree:
    """Half a million as 1/2 * 10^6."""
    share = {"half a": (1, 2), "a quarter of a": (1, 4), "a": (1, 1), "one": (1, 1)}[(groups["share"] or "").lower()]
    scale = tree_of(f"1 {(groups['scale'] or '').lower()}")
    assert isinstance(scale, Node)
    return Node("*", (Node("/", (whole(share[0]), whole(share[1]))), scale.args[1]))


_IS = (
    r"(?:,?\swhich)?\s(?:is|was|equals|would be|will be|represents|makes up)\s"
    r"(?:exactly\s|just\s|only\s|also\s|simply\s)?"
)
_ANGLE = r"(?P<{0}>\d{{1,3}})\s?°\s?(?P<{1}>\d{{1,2}})\s?(?:['’′]|\^\\prime)"


def _degrees(groups: Groups) -> Tree:
    return Node("+", (tree_of(groups["a"]), Node("/", (tree_of(groups["b"]), whole(60)))))


def _minutes(groups: Groups) -> Tree:
    """The minutes that are left of a sum or difference behind its whole degrees."""
    sign = "+" if groups["sign"] == "+" else "-"
    degrees = Node("-", (Node(sign, (tree_of(groups["a"]), tree_of(groups["c"]))), tree_of(groups["e"])))
    return Node("+", (Node("*", (degrees, whole(60))), Node(sign, (tree_of(groups["b"]), tree_of(groups["d"])))))


EQUALS = (
    # 3/4 or 0.75; 25% or 1/4: one number, written twice
    phrase(
        "the same number",
        " or | i.e|equivalent|simplif|reduce|that is|which |namely|same as",
        rf"{amount('a', what=_SHARE)}{_SURE_OR}{claimed(what=_SHARE)}{_NOT_OF}",
        _share,
        is_sure=False,
    ),
    phrase(
        "the same number",
        " or |i.e|that is|which |equal to|namely",
        rf"{amount('a', what=ANY)}{_OR}{claimed(what=_SHARE)}{_NOT_OF}",
        _share,
        verifies_alone=True,
    ),
    # 2,500,000 or 2.5 million; 7/2, or 3 1/2; 2.5 million is 2,500,000
    phrase(
        "the same number",
        "/|million|thousand|billion|trillion",
        rf"{amount('a', what=ANY)}(?:{_OR}|\sis\s|\sequals\s){claimed(what=ANY)}{_NOT_OF}",
        _share,
        verifies_alone=True,
    ),
    # 0.75 as a percentage is 75%, 3/4 as a decimal is 0.75, 75% is 0.75 as a decimal
    phrase(
        "the same number",
        "percent|decimal|fraction|lowest terms|simplest form|scientific",
        rf"{amount('a', what=ANY)}\s(?:(?:expressed|written|converted|rounded|simplified)\s)?(?:as|to|in|into)\s"
        rf"(?:an?\s|its\s)?"
        rf"(?:percentage|percent|decimal|fraction|lowest terms|simplest form|simplest terms|mixed number"
        rf"|improper fraction)"
        rf"(?:,\s(?:we get|this is|that is|it is)|\s(?:is|gives|equals|becomes|would be)|:|,)\s{claimed(what=ANY)}"
        rf"{_NOT_OF}",
        _share,
        is_sure=False,
    ),
    # 3 out of 12, or 1/4; 1 in 4 is 25%; 45 of 50 patients, or 90%
    phrase(
        "so many out of",
        " out of | in | of ",
        rf"{_OUT}(?:{_OR}|\s?=\s?|{_IS}){claimed(what=_SHARE)}{_NOT_OF}",
        of("/", "a", "b"),
        verifies_alone=True,
    ),
    # 45/50 (90%), 45 of 50 (90%), 12/48 (1/4), 0.25 (25%)
    phrase(
        "the same number in brackets",
        "(",
        rf"{amount('a', what=_SHARE)}\s\(\s?(?:or\s|i\.e\.,?\s|about\s|=\s?|≈\s?|approximately\s)?(?P<r>{_SHARE})\s?\)",
        _share,
        verifies_alone=True,
    ),
    phrase(
        "so many out of",
        "(",
        rf"{_OUT}\s\(\s?(?:or\s|i\.e\.,?\s|about\s|=\s?|≈\s?|approximately\s)?(?P<r>{_SHARE})\s?\)",
        of("/", "a", "b"),
        verifies_alone=True,
    ),
    phrase(
        "so many out of",
        "(",
        rf"{amount('r', what=_SHARE)}{NOUNS}\s\(\s?(?:n\s?=\s?|or\s|i\.e\.,?\s|=\s?)?(?:{_OUT_OF})\s?\)",
        of("/", "a", "b"),
        verifies_alone=True,
    ),
    # 12 (25%) of the 48 patients
    phrase(
        "so many out of",
        "%) of|percent) of|%) out",
        rf"{amount('a')}\s\((?P<r>{PERCENT})\)\s(?:out\s)?of\s(?:the\s|all\s|a total of\s)?(?P<b>{VALUE})\b(?!\s?%"
        rf"|[.,]\d)",
        of("/", "a", "b"),
        is_sure=False,
    ),
    # the probability of 3 red out of 12 is 1/4
    phrase(
        "so many out of",
        "probability|chance|fraction|proportion|percentage|percent|likelihood|odds",
        rf"{_OUT},?\s(?:so|thus|therefore|hence|and|giving|for|which gives|making)\s(?:the|a|an|us a|us the)?\s?"
        rf"(?:probability|chance|fraction|"
        rf"proportion|percentage|likelihood)(?:\s(?!is\b|of\s[\d\\])[a-z]{{1,12}}){{0,6}}\s(?:is|of|equals|=)\s"
        rf"{claimed(what=_SHARE)}{_NOT_OF}",
        of("/", "a", "b"),
        verifies_alone=True,
    ),
    # 12 : 18 = 2 : 3; of times of day and scores nobody says so
    phrase(
        "a ratio",
        ":",
        rf"{amount('a', what=WHOLE)}\s?:\s?(?P<b>{WHOLE}){CLOSE}(?:\s?=\s?|{_OR}){OPEN}(?P<r>\d{{1,9}}\s?:\s?\d"
        rf"{{1,9}})(?![\d:.]*\d)",
        of("/", "a", "b"),
        verifies_alone=True,
    ),
    # 12:18 simplifies to 2:3
    phrase(
        "a ratio",
        "equivalent|simplif|reduce|same as",
        rf"{amount('a', what=WHOLE)}\s?:\s?(?P<b>{WHOLE}){CLOSE}{_SURE_OR}(?:simply\s)?{OPEN}(?P<r>\d{{1,9}}\s?:\s?\d"
        rf"{{1,9}})(?![\d:.]*\d)",
        of("/", "a", "b"),
        is_sure=False,
    ),
    # half a million is 500,000
    phrase(
        "a scale in words",
        "million|thousand|billion|trillion",
        rf"\b(?P<share>half a|a quarter of a|a|one)\s(?P<scale>{SCALE})(?:\sis|\sequals|,\sor|\s=)\s{claimed()}",
        _scaled,
        is_sure=False,
    ),
    # 30° 15' + 20° 30' = 50° 45'
    phrase(
        "degrees and minutes",
        "°",
        rf"(?<![\w.+−-])(?<![-+−]\s){_ANGLE.format('a', 'b')}\s?(?P<sign>[-+−])\s?{_ANGLE.format('c', 'd')}\s?=\s?"
        rf"{_ANGLE.format('e', 'r')}(?!\s?[\d+−-])",
        _minutes,
        is_sure=False,
        is_proved=False,
    ),
    # 30°15′ = 30.25°
    phrase(
        "degrees and minutes",
        "°",
        rf"(?<![\w.+−-])(?<![-+−]\s){_ANGLE.format('a', 'b')}\s?=\s?(?P<r>\d{{1,3}}(?:\.\d{{1,6}})?)\s?°(?!\s?\d)",
        _degrees,
        is_sure=False,
        is_proved=False,
    ),
)
