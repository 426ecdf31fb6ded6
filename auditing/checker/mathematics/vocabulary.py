"""Word lists of English prose and LaTeX: what ends, changes or surrounds a quantity; the signs that are cut apart.

They are heuristics: a word too many costs a finding, a word too few may accuse an author of what was never claimed.
"""

import functools
import re
import string

from hdag.core.text.cues import Cue


def words(text: str) -> frozenset[str]:
    """The set of the words of `text`.

    >>> sorted(words("b a"))
    ['a', 'b']
    """
    return frozenset(text.split())


# the sentence goes on after one of these: an expression ends before it
STOP_WORDS = words("""
    and or so then is are was were which that because since if but while where when therefore thus hence we he she
    they it the this these there to as for in on at from by with gives give get got left means not equals equal
    than into has have had will would be been can could should do does did you i his her their its let now next
    finally
""")
# after a number: they change its value
SCALE_WORDS = words("""
    dozen dozens hundred hundreds thousand thousands million millions billion billions trillion lakh crore pair
    pairs remainder r mod modulo base choose squared cubed out over half halves quarter quarters third thirds
    fourth fourths fifth fifths sixth sixths eighth eighths tenth tenths point per score percentage points
    doubled tripled halved quadrupled twice thrice hundredth hundredths thousandth thousandths
""")
# words of scale behind a number that is written in digits, and their powers of ten
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
# "half of 5 + 3": a product; "a total of 5 + 3": none
SHARES = SCALE_WORDS | words("""
    half percent each all one some most two three part parts fraction portion multiple times
    root roots square cube reciprocal inverse opposite logarithm log factorial quarter third
""")
# single letters that are units after a number and a blank
UNIT_LETTERS = words("K V C F J N W A T L M H m s g h Ω Omega")
# what a smaller unit is counted in: 24 hours in a day
WHOLES = words("minute hour day week month year decade century foot yard mile pound dozen gallon dollar")
ORDINALS = words("st nd rd th")
# just before a number: it is part of something else, or no quantity
LEFT_DANGER = SCALE_WORDS | words("""
    than of by per times plus minus half twice double triple thrice from percent between divided multiplied squared
    to every mod modulo base over within about step day week year problem case part question chapter page number
    weeks chapters pages steps
    figure equation option choice level grade phase stage round article section clause paragraph rule schedule annex
""")
# "on the third day 6 * 2 = 12", "each week 5 + 3 = 8": so told of, it is a time and no name of a number
TIMES = words("day days week weeks month months year years hour hours minute minutes")
TELLS_WHICH = ORDINALS | words("""
    first second third fourth fifth sixth seventh eighth ninth tenth last next previous this that same final whole
    each a one per another other
""")
# abbreviated before a number that is a name: Art. 5(1)
CITED = words("art arts sec secs para paras cl no nos fig eq ch vol pp")
# just after a number: the claim goes on
RIGHT_DANGER = SCALE_WORDS | words(
    "or times less fewer plus minus mod modulo squared cubed choose to through until by twice thrice if"
)
# ... also behind the formula that the number ends; million behind it counts what both sides count
CHANGES_THE_NUMBER = words("times squared cubed raised mod modulo")
# just after a number in a sentence, as a pattern: what is claimed is another number, or holds under a condition
GOES_ON = (
    r"(?:doubled|tripled|halved|twice|thrice|pairs?|halves|thirds|quarters|fourths|fifths|sixths|eighths|tenths|"
    r"hundredths|thousandths|divided|multiplied|raised|if)\b|(?:over|by|less)\s\(?\$?\d|"
    r"and\s\$?\d[\d.,]{0,12}\s(?:more|others?|extra)\b"
)
# functions that may be written without a backslash
WORD_FUNCTIONS = words(
    "sqrt log ln sin cos tan arcsin arccos arctan gcd lcm max min floor ceil ceiling exp abs mod factorial"
)
# directly behind a number these are units ("5kg", "3pm", "4th"); other letters there are factors ("3xy")
GLUED_UNITS = words("""
    kg g mg cm mm km m ft in lb lbs oz ml l hr hrs min mins sec s mph am pm th st nd rd c f k px gb mb kb kwh w v
    hz h d yr yrs
""")
# commands that become symbols; \pi is a constant and stands in latex.COMMANDS
GREEK = words("""
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho sigma tau phi
    varphi chi psi omega Delta Gamma Omega Sigma Phi Theta Lambda Psi ell
""")
# commands whose braces hold prose
TEXT_COMMANDS = words(
    "text textbf textit textrm mathrm mbox operatorname mathbf textup mathit texttt emph mathsf bold hat vec"
)
# commands that set a result off and change nothing, where what they hold is a formula
SET_OFF = words("mathbf textbf underline bold boldsymbol bm boxed")
# a bold 0 or 1 is a vector
FORMULA = re.compile(r"\s?\{(?!\s?[01]\s?\})[^{}A-Za-z]{0,80}\d[^{}A-Za-z]{0,80}\}")
# environments that are no chain of equalities
TABLES = words("array matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix tabular cases asy asymptote")
# Units that convert into each other. With two different ones on the sides, "2 hours = 120 minutes" may hold although 2
# = 120 does not.
SIZED_UNITS = words("""
    cent hour minute second day week month year inch inche foot feet yard mile cm mm km meter gram kg kilogram
    pound ounce oz lb liter ml gallon quart pint cup tablespoon teaspoon
    tbsp tsp dozen quarter dime nickel penny pennie hr min sec ft in m g l
    decade century c f
""")

NUMBER = re.compile(r"\d+(?:\.\d+)?")
ARGUMENTS = re.compile(r"\s*[({\[_\\]")
APART = re.compile(r"\s*-\s")
# x as a variable: "x = 3", "2x", "(x)", "$x$"; "2x3" and "2 x $5" are products
X_VARIABLE = Cue(
    r"(?<![\w)$%])[ (]?[xX] ?[=+^\-<>)]|[-+=(] ?x\b(?! ?\d)|\d[xX](?![\w])(?! ?[$\d(])|\\?\( ?x ?\\?\)|\$x\$"
)
# e as a letter: "e = 5", "a, b, c, d, e", the identity e of a group
E_VARIABLE = Cue(r"\be ?=|[a-d], ?e\b|d ?[-+*] ?e\b|identity|group")
_BLANKS = r"[ \t\u00a0\u2009\u202f]"
_LETTERS = r"[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹]"
# The pattern that cuts a text into pieces (tokens.py): the first row that fits wins. A row begins with a class of
# signs, which the engine looks at before it tries the row, and ends with the empty group that names the kind of the
# piece; a kind that has several rows numbers them. 1,000 is one number, ... are dots; 0x1F and dates compute nothing.
MASTER = re.compile(
    rf"{_BLANKS}{_BLANKS}*(?P<gap>)|[{{}}](?P<group>)"
    r"|(?=\d)(?:0[xX][0-9A-Fa-f]+|0[bB][01]+\b|(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-]))(?P<coded>)"
    r"|\d(?:\d*(?:\.\d+)?[eE][-+]?\d{1,3}(?![\w.])"
    r"|\d{0,2}(?:(?:,\d{3})+|(?:\{,\}\d{3})+|(?:,\\!\d{3})+)(?!\d)(?:\.\d+)?|\d*(?:\.\d+)?)(?P<num>)"
    r"|\\(?:[A-Za-z]+|.)(?P<cmd>)"
    r"|(?=[A-Z])\b(?:USD|EUR|GBP|INR|CAD|AUD|CHF|JPY|CNY|SGD|HKD|Rs)\b\.?(?=\s?\d)(?P<dollar>)"
    # sin xcos x: the letter before a function is a factor
    r"|[ikmnrtuvxyzθφω](?<![A-Za-z].)(?=(?:sin|cos|tan|cot|ln)(?![A-Za-z]))(?P<word>)"
    rf"|[A-Za-z][A-Za-z]*{_LETTERS}*(?:['’][^\W\d_]+)?(?P<word2>)"
    r"|[=<>≤≥≠≈≡≅∼~!](?:(?<=[<>=!])=|(?<==)>|(?<!!))(?P<rel>)"
    r"|\[asy\](?P<drawing>)|[(\[⌊⌈](?P<open>)|[)\]⌋⌉](?P<close>)"
    r"|-(?:>|->)(?P<arrow>)|[→⇒⟹⇔↔](?P<arrow2>)"
    r"|\*\*(?P<op>)|\+/-(?=\s?[\d\\(A-Za-z])(?P<op2>)|[-+*/^!%°×·∙⋅÷−–∕√±∓∛∜](?P<op3>)"
    r"|\.\d+(?P<num2>)|\.\.\.+(?P<dots>)|[,;:.?&_](?P<sep>)"
    r"|\$\$?(?P<dollar2>)|[£€¥₹](?P<dollar3>)|[\r\n][\r\n]*(?P<nl>)"
    r"|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞](?P<vulgar>)|[…⋯](?P<dots2>)|[³⁴]√(?P<op4>)|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?P<op5>)"
    rf"|{_LETTERS}+(?:['’][^\W\d_]+)?(?P<word3>)|\|(?P<bar>)|.(?P<other>)",
    re.DOTALL,
)

# many signs, one meaning: the parser knows only + - * / ^ ! % ° and ±
OPS = {"×": "*", "·": "*", "∙": "*", "⋅": "*", "÷": "/", "∕": "/", "−": "-", "–": "-", "**": "^", "+/-": "±"}
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_BASES = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_LOG_BASE = re.compile(r"[lL]og([₀₁₂₃₄₅₆₇₈₉]{1,3})")
SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
RELS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "≅": "≈", "∼": "≈", "~": "≈"}
ROOTS = {"√": "sqrt", "³√": "root3", "∛": "root3", "⁴√": "root4", "∜": "root4"}
WORD_OPS = {"times": "*", "plus": "+", "minus": "-", "equals": "="}
_COMPUTING, _LONGEST_PRODUCT = WORD_FUNCTIONS.union(WORD_OPS), 4  # letters (are_factors)
_PLAIN_WORDS = frozenset(word for word in STOP_WORDS - _COMPUTING if len(word) > 1)
# letters that are symbols wherever they stand alone: no article, no pronoun, no cross, no Euler's number
PLAIN_LETTERS = frozenset(string.ascii_letters) - frozenset("aAIexX")
# ½ as the digits of one half
VULGAR = {"½": "12", "⅓": "13", "⅔": "23", "¼": "14", "¾": "34", "⅕": "15", "⅖": "25", "⅗": "35", "⅘": "45", "⅙": "16",
          "⅚": "56", "⅛": "18", "⅜": "38", "⅝": "58", "⅞": "78"}  # fmt: skip
# **12** is set in bold, 2**12 is a power
_BOLD = re.compile(r"(?<![\w)\]}*])\*\*(?=[^\s*])[^*\n]{1,200}(?<=\S)\*\*(?![\w(*])")

# a sign or a word of a relation; without one of the first signs there is none but the word
_SIGNS, _EQUALS = re.compile(r"[<>≈≡≤≥≠≅∼~\\]"), Cue("equals", re.IGNORECASE)
_RELATION = re.compile(r"[=<>≈≡≤≥≠≅∼~]|\\(?:l|g|n|approx|equiv|simeq|doteq)|equals", re.IGNORECASE)


def may_relate(text: str) -> bool:
    """Whether a text may hold a relation."""
    return "=" in text or bool((_SIGNS.search(text) or _EQUALS.may_match(text)) and _RELATION.search(text))


def bold_marks(text: str) -> frozenset[int]:
    """Where signs stand that set a text in bold and multiply nothing.

    >>> sorted(bold_marks("3 * 4 = **12**"))
    [8, 12]
    """
    if "**" not in text:
        return frozenset()
    return frozenset(at for match in _BOLD.finditer(text) for at in (match.start(), match.end() - 2))


def log_base(word: str) -> str:
    """The digits of the base below a logarithm, or nothing: 2 of log₂."""
    match = _LOG_BASE.fullmatch(word)
    return match[1].translate(_BASES) if match else ""


def may_multiply(word: str, text: str) -> bool:
    """Whether letters that touch a number are factors ("3xy") and no unit ("3km").

    >>> may_multiply("lb", "a 2lb bag"), may_multiply("lb", "(l + b)^2 = l^2 + b^2 + 2lb")
    (False, True)
    """
    if word.lower() not in GLUED_UNITS:
        return len(word) <= 3
    return len(word) == 2 and set(word) <= _added_or_raised(text)


# a letter alone beside a sign: a symbol of its text
_LONE = re.compile(
    r"(?<![A-Za-z\\_'’])[A-Za-z](?=\s?(?:[+*/^=<>≤≥·²³)]|-\s))|(?<=[-+*/^=<>≤≥·(])\s?[A-Za-z](?![A-Za-z'’.])"
)
_SIGN_BEFORE, _SIGN_BEHIND = re.compile(r"[-+*/^=<>≤≥·()]\s?$"), re.compile(r"\s?(?:[+*/^=<>≤≥·²³()]|-\s)")
_UNIT_GREEK = frozenset("Ωμµ")
_GREEK_LETTER, _VOWEL = re.compile(r"[α-ωΔΣΩ]"), re.compile(r"[aeiouyAEIOUY]")
# words without a vowel that are no products
_SHORT = words("vs nth pts qty min max hrs mph ft st nd rd th dx dy dz dt ds dr dv du dm dp kcal pm")


# beside these signs no unit stands alone, unless a number stands before it
_ADDED = re.compile(r"(?<![\w\\.])(?<!\d\s)([A-Za-z])(?=\s?[+^²])")


@functools.lru_cache(maxsize=256)
def _added_or_raised(text: str) -> frozenset[str]:
    return frozenset(_ADDED.findall(text))


@functools.lru_cache(maxsize=256)
def _symbols_of(text: str) -> frozenset[str]:
    return frozenset(match.group().strip() for match in _LONE.finditer(text))


def is_prose(word: str) -> bool:
    """Whether a word outside mathematics, which touches no number, is nothing but a word, as most are.

    >>> is_prose("apples"), is_prose("ab"), is_prose("minus")
    (True, False, False)
    """
    if word in _PLAIN_WORDS:
        return True
    return len(word) > _LONGEST_PRODUCT and word.isascii() and word.lower() not in _COMPUTING


def are_factors(text: str, word: str, start: int, end: int) -> bool:
    """Whether a word of prose is a product of letters: beside a sign, and each letter is a symbol of the text.

    Without a vowel it is no word of English, and one letter that is a symbol will do.

    >>> are_factors("(a + b)^2 = a^2 + 2ab + ba", "ba", 24, 26), are_factors("a + b = so", "so", 8, 10)
    (True, False)
    """
    if not 1 < len(word) <= _LONGEST_PRODUCT or word.isupper() or word.lower() in _SHORT or word in STOP_WORDS:
        return False
    # N = mg is a weight, 5 mg and mol/kg are units
    if word.lower() in GLUED_UNITS and text[max(0, start - 2) : start].strip() != "=":
        return False
    if not (_SIGN_BEFORE.search(text[max(0, start - 2) : start]) or _SIGN_BEHIND.match(text, end)):
        return False
    # mv^2 behind a sign: a power is of a symbol, where nobody measures in it
    if len(word) == 2 and text[end : end + 1] in ("^", "²") and word not in _SHORT | {"nm"} and not _VOWEL.search(word):
        return True
    letters = {letter for letter in word if not _GREEK_LETTER.match(letter)}
    # ρC, γB: a Greek letter beside another one; kΩ and μm are units
    if len(letters) < len(set(word)) and letters and not set(word) & _UNIT_GREEK:
        return True
    symbols = letters & _symbols_of(text)
    return symbols == letters or (bool(symbols) and not _VOWEL.search(word) and len(word) < 4)


# units that come with prefixes or in tens and hundreds, and the powers of ten that may hide in them: a gram and a
# kilogram differ by a thousand, and 2 mF or 250 ml by any power; 22 pounds, 3 stamps and 4 candy bars by none
_PREFIX = "kilo|milli|micro|nano|pico|mega|giga|tera|centi|deci|hecto"
_THOUSANDS, _ANY = frozenset((3, 6, 9, 12)), frozenset(range(1, 40))
_POWERS_OF_TEN = {
    r"(?:cent|dollar|euro|penn(?:y|ie)|buck)s?": frozenset((2,)),
    r"(?:dime|nickel)s?": frozenset((1, 2)),
    r"kgs?|(?:kilo)?grams?|ton(?:ne)?s?": _THOUSANDS,
    r"kms?": frozenset((3, 5, 6)),
    r"[kmµμnpMGTdchu]?(?:[gmslLVWJNFAHCTKΩBbM]|Hz|Pa|eV|mol|cal|bar|Wb|Bq|Gy|Sv|Wh|Ah)|pp[mb]|%": _ANY,
    rf"(?:{_PREFIX})?(?:met(?:er|re)|lit(?:er|re)|pascal)s?|(?:{_PREFIX})(?:gram|bar|ton)s?": _ANY,
    rf"(?:{_PREFIX})?(?:volt|watt|joule|newton|farad|amp(?:ere)?|hertz|mole?|byte|bit|calorie|ohm|tesla|coulomb)s?": (
        _THOUSANDS
    ),
}


def hidden_powers(unit: str) -> frozenset[int]:
    """The exponents of ten that may hide in one word of a unit.

    >>> sorted(hidden_powers("kilograms")), sorted(hidden_powers("cents")), sorted(hidden_powers("stamps"))
    ([3, 6, 9, 12], [2], [])
    """
    return next((powers for row, powers in _POWERS_OF_TEN.items() if re.fullmatch(row, unit)), frozenset())


def any_of(text: str) -> Cue:
    """A pattern for any of the words of `text`; * stands for any ending and _ for a blank.

    >>> bool(any_of("solv* look_at").search("Solving it"))
    True
    """
    patterns = (word.replace("*", r"\w*").replace("_", " ") for word in text.split())
    return Cue(r"\b(?:" + "|".join(patterns) + r")\b", re.IGNORECASE)
