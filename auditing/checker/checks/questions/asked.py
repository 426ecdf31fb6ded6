"""What a problem asks for, as a statement with a gap: "What is the remainder when 20 is divided by 3?" """

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from auditing.checker.mathematics.tree import Num

MAX_PROBLEM, MAX_QUESTION = 4_000, 300
# atomic: a question with forty formulas could be parted in as many ways as there are
_MATHS = r"(?>\\\[.{1,280}?\\\]|\$\$.{1,280}?\$\$|\\\(.{1,280}?\\\)|(?<!\$)\$[^$\n]{1,280}\$(?!\$))"
_FORMULA = re.compile(_MATHS, re.DOTALL)
# a sentence ends where a formula does not go on
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z\\$])|\n\s*\n")
_HOW_WRITTEN = re.compile(
    r"(?:Express|Write|Give|Enter|Leave|Simplify) (?:your|the) answer\b|Express each\b|Your answer (?:should|must)\b",
    re.IGNORECASE,
)
_ROUNDED = re.compile(
    r"\b(?:nearest|round|rounded|approximat\w*|estimate\w*|decimal places?|about|roughly)\b", re.IGNORECASE
)
_ASKS = re.compile(r"\?|\b(?:find|compute|calculate|determine|evaluate|what|how many|solve|simplify)\b", re.IGNORECASE)
_GIVEN = r"(?:(?:If|Given|Given that|Suppose|Let)\b.{1,280}?,\s*(?:then\s*)?)?"
_ASK = r"(?:what\s+(?:is|are|must|does)|find|compute|calculate|determine|evaluate)\s+(?:then\s+)?"
# what it is asked under: values of letters, or an equation
_UNDER = (
    r"(?P<under>,?\s*(?:if|when|where|for|given(?:\sthat)?|in|such\sthat|(?:that|which)\ssatisf(?:y|ies)|satisfying|for\swhich)\s*"
    rf"(?:the\s+equation\s+)?{_MATHS}(?:(?:,|,?\s+and)\s*{_MATHS}){{0,3}})?"
)
_WHICH = (
    r"(?:(?:only|unique|exact|numerical|real|integer|positive|negative|nonzero|non-zero|possible|smallest|largest|least|greatest|"
    r"constant)\s+){0,2}"
)
_ASKS_FOR_A_FORM = re.compile(r"(?:express|write|convert|reduce|rewrite)\s{2,}(?:as|to|in)\b|round\s", re.IGNORECASE)
_ASKED = re.compile(
    rf"{_GIVEN}(?:{_ASK}"
    rf"(?:the\s+{_WHICH}(?:values?|number|solution)\s+(?:of\s+)?|the\s+(?:following\s+)?expression\s+|the\s+sum\s+(?=\\?[$\[(]))*"
    r"|(?:simplify|rationalize the denominator(?: of)?):?\s+(?:the\s+(?:following\s+)?expression:?\s+)?)"
    rf"(?P<asked>{_MATHS})(?:\s+(?:be|equal))?{_UNDER}"
    r"(?:\s+(?:in your head|without (?:a|using a) calculator))?\s*[.?]?",
    re.IGNORECASE | re.DOTALL,
)
# the same value in another form
_REWRITTEN = re.compile(
    rf"(?:express|write|convert|reduce|simplify|rewrite)\s+(?P<asked>{_MATHS})\s+(?:as|to|in)\s+"
    r"(?:an?\s+|the\s+|its\s+)?(?:single\s+|simplified\s+|reduced\s+|terminating\s+|repeating\s+|exact\s+|improper\s+)?"
    r"(?:(?:common|simplest|lowest|decimal|mixed|simplified)\s+)?"
    r"(?:fraction|decimal|mixed number|mixed numeral|integer|number|form|terms|product of primes)"
    r"(?:\s+in\s+(?:simplest form|lowest terms))?\s*[.?]?",
    re.IGNORECASE | re.DOTALL,
)
_SOLVED = re.compile(
    rf"solve\s+(?:(?:the\s+(?:following\s+)?equation\s+)?{_MATHS}\s*)?for\s+(?:the\s+{_WHICH}value\s+of\s+)?"
    rf"(?P<asked>{_MATHS}|[a-z]\b)(?:\s?[:,]|\s+(?:in(?:\s+the\s+equation)?|if|such\s+that))?\s*(?:{_MATHS})?\s*[.?:]?",
    re.IGNORECASE | re.DOTALL,
)
_DIVIDED = re.compile(
    r"(?:what\s+is|find|compute|calculate|determine)\s+the\s+remainder\s+(?:when|of|if)\s+"
    rf"(?:the\s+(?:number|sum|product)\s+)?(?:(?P<asked>{_MATHS})|(?P<number>\d[\d,^+*() -]{{0,60}}))\s*"
    r"(?:is\s+)?divided\s+by\s+(?:\\\(|\$)?(?P<by>\d{1,6})(?:\\\)|\$)?\s*[.?]",
    re.IGNORECASE | re.DOTALL,
)
# "For what K has the system no solutions?" asks for what the equations do not say
_HAS_NONE = re.compile(
    r"\bno (?:real |such )?(?:solutions?|pairs?|values?|points?)|\b(?:infinitely many|parallel|for what|base|"
    r"sequence|random\w*|probability|operat\w*|var(?:y|ies|ied)|proportional\w*)\b|\[asy\]",
    re.IGNORECASE,
)
# a letter may be a digit in "47a", and a sign between letters one that the problem defines: a * b = 2a + 3b
_SIGN = r"(?:\\[,;!]\s?)?(?:\\[A-Za-z]{2,12}|[^\w\s+/^(){}$\\=,.<>-]|\\[#&$%])[\s\\,;!]{0,4}"
_OTHER_SIGNS = re.compile(
    r"\b(?:digits?|denot\w*|stands? for|notation|symbol|means|greatest integer|fractional part)\b|"
    r"\\(?:ast|star|bullet|diamond|[a-z]{4,8}suit|o(?:plus|times|minus|dot|slash))\b|\^\*|"
    rf"(?<![A-Za-z\\])[A-Za-z]\s?{_SIGN}[A-Za-z]\s?=",
    re.IGNORECASE,
)
_WORDED = re.compile(
    r"(?:what\s+(?:is|are)|find|compute|calculate|determine)\s+(?P<said>(?:the\s+)?[^?]{3,280}?)\s*[.?]",
    re.IGNORECASE | re.DOTALL,
)
ROUNDING = "the rounded number"
_ROUND = re.compile(
    r"(?:Round|What is) (?P<of>\$?[\d,.]{1,40}\$?)(?: when)?(?: rounded)? to the nearest "
    r"(?P<step>integer|whole number|ten|hundred|tenth|hundredth)[.?]",
    re.IGNORECASE,
)
# "divided by $x - 2.$"
_DOT_INSIDE = re.compile(r"([.?])(\$\$?|\\\)|\\\])\Z")
_COUNTED = re.compile(
    r"how\s+many\s+(?P<things>[a-z ]{4,60}?)\s+does\s+(?P<of>[^?]{1,120}?)\s+have\s*\?", re.IGNORECASE
)
_HOW_MANY = re.compile(
    r"how\s+many\s+(?P<things>[^?]{3,160}?)\s+(?:are\s+there(?P<more>\s[^?]{3,120}?|)|are\s+(?P<such>[^?]{3,160}?))\s*\?",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(
    r"\b(?:remainder|greatest common|least common|gcd|lcm|gcf|(?:units|ones|tens|hundreds) digit|percent|"
    r"largest|greatest|smallest|least|half|third|quarter|sum|product|difference|average|mean|median|square|cube|divisors|factors|reciprocal|"
    r"coefficients?|minimum|maximum|discriminant|slope|radius|degree|constant term|"
    r"divided by|multiplied by|added to|subtracted from)\b|-intercept|%",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: its text, the formula or letter asked for, and the sentence that an answer makes of it."""

    text: str
    before: str
    behind: str = "."
    asked: str = ""
    in_words: str = ""  # what is asked for in words, where it is no formula alone
    modulus: Num | None = None  # what is asked is the remainder by it
    is_rounded: bool = False

    def answered(self, answer: str) -> str:
        """The statement that an answer makes of the question."""
        return f"{self.before}{answer}{self.behind}"


def question_of(problem: str) -> Question | None:
    """The only question of a problem, where it is one of these; otherwise None."""
    if len(problem) > MAX_PROBLEM:
        return None
    sentences = [sentence.strip() for sentence in _SENTENCE.split(problem.strip()) if sentence.strip()]
    sentences = [sentence for sentence in sentences if not _HOW_WRITTEN.match(sentence)]
    has_formulas = "$" in problem or "\\" in problem
    bare = {sentence: _FORMULA.sub(" ", sentence) if has_formulas else sentence for sentence in sentences}
    asking = [sentence for sentence in sentences if _ASKS.search(bare[sentence])]
    # "Find x. Express x as a fraction." asks once
    asking = asking or [sentence for sentence in sentences if _ASKS_FOR_A_FORM.match(bare[sentence])]
    if len(asking) != 1 or len(asking[0]) > MAX_QUESTION:
        return None
    # most questions have no form, and what the whole problem says is asked of the others alone
    question = _formula(asking[0])
    if question is not None and _OTHER_SIGNS.search(problem):
        question = None
    question = question or _rounding(asking[0]) or _remainder(asking[0]) or _worded(asking[0]) or _counted(asking[0])
    if question is None or _HAS_NONE.search(problem):
        return None
    # what is asked is itself the rounded number
    is_rounded = question.in_words != ROUNDING and bool(_ROUNDED.search(problem))
    return replace(question, is_rounded=is_rounded)


def _formula(text: str) -> Question | None:
    text = _DOT_INSIDE.sub(r"\2\1", text)
    match = _ASKED.fullmatch(text) or _SOLVED.fullmatch(text) or _REWRITTEN.fullmatch(text)
    if match is None:
        return None
    asked = _bare(match["asked"])
    under = match.groupdict().get("under")
    # "what is x when y = 3?" asks for no value that the problem gives elsewhere
    if under and len(asked) == 1 and not re.search(rf"(?<![A-Za-z\\]){asked}(?![A-Za-z])", under):
        return None
    return Question(text, f"${asked} = ", "$.", asked)


def _rounding(text: str) -> Question | None:
    """Round 563.5097 to the nearest hundredth."""
    match = _ROUND.fullmatch(_DOT_INSIDE.sub(r"\2\1", text))
    # halves are rounded up by some and to the even number by others
    if match is None or match["of"].strip("$").endswith("5"):
        return None
    return Question(text, f"{_bare(match['of'])} rounded to the nearest {match['step']} is ", in_words=ROUNDING)


def _remainder(text: str) -> Question | None:
    match = _DIVIDED.fullmatch(text)
    if match is None:
        return None
    asked = _bare(match["asked"] or match["number"])
    in_words, modulus = f"the remainder when {asked} is divided by {match['by']}", Num(Fraction(match["by"]))
    return Question(text, f"T{in_words[1:]} is ", ".", asked, in_words, modulus)


def _worded(text: str) -> Question | None:
    match = _WORDED.fullmatch(_DOT_INSIDE.sub(r"\2\1", text))
    if match is None or not _IN_WORDS.search(match["said"]):
        return None
    return Question(text, f"The {match['said'].removeprefix('the ')} is ")


def _counted(text: str) -> Question | None:
    match = _COUNTED.fullmatch(text)
    if match is not None:
        return Question(text, f"{match['of'].capitalize()} has ", f" {match['things']}.")
    match = _HOW_MANY.fullmatch(text)
    if match is None:
        return None
    such = f" that are {match['such']}" if match["such"] else match["more"]
    return Question(text, "There are ", f" {match['things']}{such}.")


def _bare(formula: str) -> str:
    for opening, closing in ((r"\(", r"\)"), (r"\[", r"\]"), ("$$", "$$"), ("$", "$")):
        if formula.startswith(opening) and formula.endswith(closing):
            formula = formula.removeprefix(opening).removesuffix(closing)
    return formula.strip(" .,?")
