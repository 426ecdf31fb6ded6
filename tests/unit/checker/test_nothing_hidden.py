"""What is asked before a check looks hides no finding: each short way finds what the long way finds."""

import itertools
import re
from fractions import Fraction
from pathlib import Path

import pytest

from auditing.checker.checks.algebra import arrays, references, tuples
from auditing.checker.checks.facts import plain_facts
from auditing.checker.checks.logic import exchanges, sortings
from auditing.checker.checks.numbers import remainders, spoken_words, verbal_arithmetic
from auditing.checker.checks.quantities import phrase_pieces, phrases
from auditing.checker.checks.said import identities
from auditing.checker.checks.text import quotation
from auditing.checker.mathematics import identity, tokens
from auditing.checker.mathematics.chains import read_page
from auditing.checker.mathematics.clauses import prepare
from auditing.checker.mathematics.tokens import tokenize
from auditing.checker.mathematics.tree import Num, Tree, free_symbols
from auditing.checker.mathematics.vocabulary import GREEK, MASTER, is_prose
from auditing.checker.reading import redefinitions
from auditing.checker.reading.passages import Passage, Script, script_of
from hdag.core.text.beginnings import by_first_letter
from hdag.core.text.cues import Cue
from hdag.core.values import Source, Trace
from hdag.decomposers.rules import equations

VECTORS = Path(__file__).parents[2] / "vectors" / "checker"
NAMES = ("right_lines.tsv", "false_lines.tsv")
TEXTS = [
    line.replace("\\n", "\n") for name in NAMES for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()
]
SWAPS = "Ann: red ball, Bob: blue ball.\n\nAnn and Bob swap balls: Ann: blue ball, Bob: {} ball."
SAID = ["5 + 5, which is 10", "12 cm (which is 12)", "3) is 4", "2^2 - 1} → 3", "$x + x$ is $2x$", "8 -> 9", "7. The 8"]


def scripts() -> list[Script]:
    return [script_of(Trace("So 2 + 2 = 4.", thinking=text)) for text in TEXTS]


@pytest.mark.parametrize(
    ("cue", "ahead"),
    [
        (spoken_words.TWICE, r"(?=[\s,(.;:–-]{0,3}[a-z])"),
        (spoken_words.COMPUTED, r"(?=,?\s(?:[a-z→⇒⟹]|--?>|=>))"),
        (identities._SAID, r"(?=,?\s[a-z])"),
    ],
)
def test_what_follows_the_first_number_is_asked_of_no_words_that_match(cue, ahead):
    assert ahead in cue.pattern
    words = re.compile(cue.pattern.replace(ahead, ""), cue.flags)
    texts = [*TEXTS, *SAID]
    assert [cue.findall(text) for text in texts] == [
        [match.groups("") for match in words.finditer(text)] if words.groups > 1 else words.findall(text)
        for text in texts
    ]
    assert any(words.search(text) for text in SAID)


def test_words_by_their_first_letters_are_the_same_words():
    listed, grouped = phrase_pieces._CHANGES, by_first_letter(phrase_pieces._CHANGES)
    words = {word.replace("?", "") for word in listed.split("|")} | {"an", "isnt", "boxes", "other", "makes", "make"}
    for word in sorted(words | {word[:-1] for word in words} | {word + "s" for word in words}):
        long, short = (re.fullmatch(f"(?:{pattern})", word, re.IGNORECASE) for pattern in (listed, grouped))
        assert bool(long) == bool(short), word


def test_of_a_few_places_none_is_left_out(monkeypatch):
    few = [list(phrases.check(script)) for script in scripts()]
    monkeypatch.setattr(phrases, "_FEW", 0)
    assert [list(phrases.check(script)) for script in scripts()] == few
    assert sum(map(bool, few)) > 20


@pytest.mark.parametrize(("module", "text"), [(exchanges, SWAPS.format("red")), (exchanges, SWAPS.format("blue"))])
def test_where_no_swap_is_told_none_would_be_found(module, text, monkeypatch):
    told = script_of(Trace("Who has which ball?", thinking=text))
    found = [list(module.check(script)) for script in (told, *scripts())]
    monkeypatch.setattr(Script, "near", lambda script, cue: script.passages)
    assert [list(module.check(script)) for script in (told, *scripts())] == found
    assert found[0]


@pytest.mark.parametrize(
    ("tail", "grade"), [("", "certain"), ("hier steht also das erste wort immer vorne " * 3, "likely")]
)
def test_words_in_quotes_decide_nothing_in_another_language(tail, grade):
    thinking = f'The second letter: "kitten": "t" (20). "cat": "a" (1). {tail}'
    placed = list(sortings.check(script_of(Trace("", thinking=thinking))))
    assert [finding.finding.grade.value for finding in placed if finding.finding.verdict.value == "refuted"] == [grade]


PAIRS = [
    "(x + 1)^2 = x^2 + 2x + 1", "(x + 1)^2 = x^2 + 1", "(x^2 - 1)/(x - 1) = x + 1", "1/(x - x) = 1", "x/x = 1",
    "sqrt(x^2) = x", "2^x * 2 = 2^(x + 1)", "x^(1/2) * x^(1/2) = x", "3x + y = y + 3x", "0.33... * 3 = 1",
    "x^400 * x = x^401", "a b c d = d c b a", "x + 0 = x + 1", "2 + 2 = 4", "2 + 2 = 5", "7x = 17",
]  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
def test_one_point_says_what_all_points_say(pair):
    left, right = (side.tree for side in read_page(pair).chains[0].sides)
    assert left is not None
    assert right is not None
    assert identity.agree_at_points(left=left, right=right) is at_all_points(left, right)


def at_all_points(left: Tree, right: Tree) -> bool | None:
    names = sorted(free_symbols(left) | free_symbols(right))
    answers = [
        identity._same_at(left, right, {name: Num(value) for name, value in point.items()}, identity.Setting())
        for point in identity.sample_points(names)
    ]
    if answers.count(False) > 1:
        return False
    return None if False in answers or True not in answers else True


def test_every_character_is_a_piece_of_a_kind_that_is_known():
    kinds = set()
    for text in [*TEXTS, "½ of 0x1F … 2³ ³√8 → \\[asy] x"]:
        pieces = list(MASTER.finditer(text))
        assert [piece.start() for piece in pieces] == [0, *(piece.end() for piece in pieces)][: len(pieces)]
        kinds |= {(piece.lastgroup or "").rstrip("2345") for piece in pieces}
    assert kinds >= {"gap", "num", "word", "cmd", "rel", "op", "open", "close", "group", "sep", "vulgar", "coded"}
    assert "" not in kinds
    assert set(equations.KINDS[1:]) == equations.ALWAYS | equations.SOMETIMES | {"article", "other"}


@pytest.mark.parametrize("word", ["apples", "minus", "equals", "arcsin", "ab", "xy", "log₂", "Sinus", "theta", "the"])
def test_a_word_of_prose_computes_nothing(word):
    assert is_prose(word) is (word in ("apples", "Sinus", "theta", "the"))


PIECES = [
    "18 x $3 = $54", "a pen and I", "e^x = 2^X", "3xy + the integral of f", "integral from 0 to 1 of x dx = 1/2",
    r"$\alpha \cdot \lim_{x \to 2} x \le \frac12 \quad \pi$ \[ a \] \boxed{3} \begin{align} 2 &= 2 \end{align}",
    r"\begin{array}{c} x \times y \\ the \end{array}", r"\sum_{k=1}^3 k = 6 \, \text{the cm}", "2the 3to 4l",
]  # fmt: skip


PROBLEM = "Tom has 3 red balls and one blue ball here."
FORMS = [
    "We have $(2 + 3)^2 - 4$. Simplifying this, we get $21$.", "So (1, 2) + (3, 4) = (4, 6).", "17 mod 5 = 2",
    "v = (3, 4), so ||v|| = 5.", "17 divided by 5 leaves a remainder of 7.", "Expand $2(x + 3)$ as $2x + 6$.",
    "(2 + 2, 3) = (4, 3)", "The interval (2 + 2, 3) = (4, 3).",
    'The problem says "Tom has 5 red balls and one blue ball" here.',
]  # fmt: skip


def test_what_is_told_before_its_handler_is_told_by_it_as_well(monkeypatch):
    texts = [*TEXTS, *SAID, *PIECES]
    quick = [tokenize(text) for text in texts]
    monkeypatch.setattr(tokens, "PLAIN_LETTERS", frozenset())
    monkeypatch.setattr(tokens, "PLAIN_COMMANDS", {name: ("sym", name) for name in GREEK})
    monkeypatch.setattr(tokens, "is_prose", lambda word: False)
    assert [tokenize(text) for text in texts] == quick
    assert {token.text for text in quick for token in text} >= {"the", "y", "alpha", "<=", "the cm"}


@pytest.mark.parametrize("index", [phrases._INDEX, plain_facts._INDEX, verbal_arithmetic._INDEX])
def test_a_word_that_holds_another_one_hides_no_form(index):
    told = script_of(Trace("", thinking="\n\n".join(TEXTS)))
    forms = {form for numbers in index._forms.values() for form in numbers}
    by_form = {form: [word for word, numbers in index._forms.items() if form in numbers] for form in forms}
    for passage, numbers in index.by_passage(told):
        assert numbers == sorted(f for f in forms if any(word in passage.lower for word in by_form[f]))


@pytest.mark.parametrize(
    ("text", "prepared"),
    [
        ("5/9 = approximately 0.56", ["5", "/", "9", "≈", "0.56"]),
        ("$$x =\n 5$$\n\n$2 + 2$ = $4$", ["$$", "x", "=", "5", "$$", "\n\n", "(", "2", "+", "2", "=", "4", ")"]),
        (r"\[a &= b \\ &\qquad + 5\]", ["[", "a", "=", "b", "+", "5", "]"]),
        ("$2 + 2$\n= 4", ["(", "2", "+", "2", "=", "4"]),
        ("2 about = 2\n", ["2", "about", "=", "2", "\n"]),
    ],
)
def test_breaks_inside_a_relation_are_dropped(text, prepared):
    assert [token.text for token in prepare(tokenize(text))] == prepared


@pytest.mark.parametrize("module", [references, arrays, tuples, remainders, quotation])
def test_what_is_asked_of_a_whole_script_hides_nothing_in_a_passage(module, monkeypatch):
    told = [script_of(Trace(PROBLEM, thinking=f"Yes.\n\n{text}\n\nNo.")) for text in [*TEXTS[::3], *FORMS]]
    quick = [list(module.check(script)) for script in told]
    monkeypatch.setattr(Cue, "may_match", lambda cue, text: True)
    assert [list(module.check(script)) for script in told] == quick
    assert any(quick)


@pytest.mark.parametrize(
    ("module", "text", "is_found"),
    [
        (tuples, "(2 + 2, 3) = (4, 3)", True),
        (tuples, "The interval (2 + 2, 3) = (4, 3).", False),
        (arrays, "v = (3, 4), so ||v|| = 5.", True),
    ],
)
def test_brackets_of_another_meaning_and_names_are_those_of_their_passage(module, text, is_found):
    assert bool(list(module.check(script_of(Trace(PROBLEM, thinking=text))))) is is_found


def test_a_sign_that_is_given_a_meaning_is_found_from_its_word():
    texts = [*TEXTS, "Let a * b mean 3.", "(a) # (b) means ab", "x ~ y denotes", "$a \\ast b$ is", "f @ g stands for"]
    by_rule = [{match[1] for match in redefinitions._RULE.finditer(text) if match[0][-1] in "sr"} for text in texts]
    assert [set(redefinitions._said(text)) for text in texts] == by_rule
    assert sum(map(bool, by_rule)) >= 4


@pytest.mark.parametrize(
    ("text", "is_modular"),
    [
        ("in Z_7", True),
        ("of ℤ}_5", True),
        ("Z/3", True),
        ("F_{5}", True),
        ("AF_2 Z 3 z_7 F_n", False),
        ("base 8", True),
    ],
)
def test_residues_are_named_by_their_letters(text, is_modular):
    assert Passage(Source.THINKING, 0, text).is_modular is is_modular


def test_a_word_stands_where_its_span_says():
    text = "Tom's 1,200 apples and 3/4 of the 12 pears cost $3.50."
    words = quotation._words(text)
    spans = [quotation._span(text, index, index) for index in range(len(words))]
    assert [text[start:end].replace(",", "").lower() for start, end in spans] == words
    assert quotation._span(text, 1, 3) == (spans[1][0], spans[3][1])
    assert words[1] == "1200"


def test_a_number_is_a_value_once_and_a_percentage_twice():
    numbers = Passage(Source.THINKING, 0, "25% of 80 and 80 and 1,000").numbers
    assert numbers == set(map(Fraction, (25, 80, 1000))) | {Fraction(1, 4)}
    assert len(list(itertools.chain(numbers))) == 4
