"""Checker: an equation that is announced as another one rewritten must be equivalent to it, or share solutions with it.

"Expanding the left side: x^2 - 4 = 12" announces a rewriting of an equation before it. It is refuted only when it has
nothing in common with any earlier equation in the same symbols: no common factor, no common root, and no combination of
all of them yields it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from auditing.checker.checks.algebra.comparable import is_value, is_weaker_bound, symbols_of
from auditing.checker.checks.algebra.equations import is_equation, is_one_equation
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.division import are_related, is_near_miss
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.identity import agree_at_points
from auditing.checker.mathematics.knowledge import Knowledge, weights_of
from auditing.checker.mathematics.polynomial import Polynomial, difference, is_constant, names_in
from auditing.checker.mathematics.tree import Sym, Tree, free_symbols, latex, plain
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.combinations import of_combination
from auditing.checker.proofs.contradictions import Line
from auditing.checker.proofs.formulas import of_identity
from auditing.checker.proofs.solutions import of_rewriting
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "transitions"
# equations of a trace that are remembered
MAX_SOURCES = 60
# announced equations that are held against those before: each takes milliseconds
MOST_JUDGED = 250
HEADING = 240  # characters of a heading that may announce the line below it
# words that announce the same equation in another form
_ANNOUNCED = any_of("""
    simplif* expand* combin* distribut* rearrang* collect collecting collect*_like collect*_terms
    factor* rewrit* re-writ* complet*_the_square* clear*_the
    multiply*_out both_sides standard_form synthetic_division long_division common_denominator
    move moving divid*_by divid*_through multipl*_by multipl*_through
""")
# words beside them that allow another equation: a substitution, a case, a second curve, squaring both sides
_OTHERWISE = any_of("""
    substitut* plug* replac* let if when case assum* suppose derivative* differentiat* integra* second other another
    tangent perpendicular parallel bisector inverse swap* interchang* new reflect* shift* translat* using use since
    because where formula know known recall for identity notice system squar*_both taking square_root* add*_the
    subtract*_the add*_these
    similarly equating approximat* modulo mod option choice try
""")
# ... and beside one that follows at once
_REPLACED = any_of("""
    substitut* plug* replac* if when case assum* suppose derivative* differentiat* second other another perpendicular
    parallel inverse swap* interchang* reflect* shift* translat* rotat* similarly modulo mod option choice try next not
""")
_GIVEN = any_of("given original")
_REASON = re.compile(r"\W*(?:since|because|as|given)\b", re.IGNORECASE)  # "since a + b = 0, this simplifies to"
# ", or" between two equations in several symbols: the second is the first in another form
_OR = re.compile(r"[\s.$\\\])}]*,[\s$]*or(?: equivalently,?)?[\s$\\([]*")
_SOLVED_FOR = Cue(r"\b(?:solv|rearrang)(?:e|ing)\s(?:this|it|that)(?:\sequation)?\sfor\b", re.IGNORECASE)
# "which is equivalent to": whatever symbols both hold
_EQUIVALENT = re.compile(
    r"[\s.,;$\\\])}]{0,12}(?:(?:which|this|that|it)(?:\sequation)?\s)?(?:(?:is|are)\s(?:also\s|then\s)?"
    r"(?:equivalent to|the same as)|(?:or,?\s|and\s)?equivalently)(?:\sthe\sequation)?[\s$\\(\[,:]{0,12}",
    re.IGNORECASE,
)
# "3x + 2y = 14 implies 3x = 14 + 2y": nothing stands between the two but the words that make one of the other
_IMPLIED = re.compile(
    r"[\s.,;$\\\])}]{0,12}(?:\\(?:implies|Rightarrow|Longrightarrow|iff|Leftrightarrow)(?![A-Za-z])|⟹|⇒|=>|⟺|⇔|"
    r"(?:(?:and\s)?(?:so|thus|hence|therefore)|implies(?:\sthat)?|(?:which|this)\s(?:gives|yields|implies|means)(?:\sthat)?|"
    r"we\s(?:get|obtain|find)(?:\sthat)?|gives|yields)(?:\sus)?)[\s$\\(\[{,:]{0,12}(?:quad|qquad)?[\s$\\(\[{,:]{0,12}",
    re.IGNORECASE,
)
IMPLIED = "implied"
ANOTHER, AT_ONCE, AGAIN, FOLLOWS = "not the same equation", "follows at once", "the same equation", "follows from some"
NEAREST = 4  # equations before, of which one may be told again
_SENTENCE = re.compile(r"[.!?](?:\s|\\\]|\$)|\n\s*\n|;")


@dataclass(slots=True)
class Source:
    """An equation that stands before, in polynomial form."""

    chain: Chain
    text: str
    polynomial: Polynomial
    names: frozenset[str]


@dataclass(slots=True)
class Past:
    """All equations so far, and the last chain whether or not it could be read."""

    sources: list[Source] = field(default_factory=list)
    knowledge: Knowledge = field(default_factory=Knowledge)
    last: Source | None = None
    last_chain: Chain | None = None
    last_text: str = ""
    judged: int = 0
    learnt: int = 0  # how many of the sources the knowledge holds

    def add(self, chain: Chain, source: Source | None, text: str) -> None:
        self.last, self.last_chain, self.last_text = source, chain, text
        if source is not None and len(self.sources) < MAX_SOURCES:
            self.sources.append(source)

    def follows(self, polynomial: Polynomial) -> bool:
        """Whether polynomial = 0 follows from several together; learnt here, for most traces never ask."""
        for number in range(self.learnt, len(self.sources)):
            self.knowledge.learn(self.sources[number].polynomial, number + 1)
        self.learnt = len(self.sources)
        return self.knowledge.follows(polynomial)


def check(script: Script) -> Iterator[Placed]:
    """Every announced rewriting of the equation before it, or of the given one."""
    if not script.has_symbols or script.problem.is_modular:
        return
    past, heading = Past(), ""
    for passage in (script.problem, *script.passages):
        end = 0
        for chain in passage.page.chains:
            text = passage.text[chain.start : chain.end]
            source = _source(chain, text)
            if passage is not script.problem and not passage.is_modular:
                yield from _told_again(passage, chain, source, past)
                may_be_judged = source is not None or chain.relations[0] != "="
                sentence = _sentence(passage, chain, heading, end) if may_be_judged else ""
                if sentence and source is not None and past.judged < MOST_JUDGED:
                    past.judged += 1
                    yield from _equation(passage, chain, source, sentence, past)
                elif sentence:
                    yield from _inequality(passage, chain, past)
            past.add(chain, source, text)
            end = chain.end
        heading = passage.text[-HEADING:] if passage is not script.problem else ""


def _sentence(passage: Passage, chain: Chain, heading: str, after: int) -> str:
    """The words between the chain before, or the heading, and a chain, when they announce a rewriting."""
    head = passage.text[max(after, chain.start - HEADING) : chain.start]
    *earlier, sentence = _SENTENCE.split(head)
    if after and ((_OR.fullmatch(head) and len(symbols_of(chain)) > 1) or _EQUIVALENT.fullmatch(head)):
        return "rewritten"
    if after and _IMPLIED.fullmatch(head) and len(symbols_of(chain)) > 1:
        before = _SENTENCE.split(passage.text[max(0, after - HEADING) : after])[-1]
        return "" if _REPLACED.search(before) or "C" in symbols_of(chain) else IMPLIED
    if after and not earlier and _REASON.match(_SENTENCE.split(passage.text[max(0, after - HEADING) : after])[-1]):
        return ""
    # A line that begins with its equation is announced by the end of the passage before it: "Expanding both sides:"
    if not after and not earlier and len(head) < 12:
        sentence = _SENTENCE.split(heading.rstrip(" .:"))[-1] + " " + sentence
    # "Solving this for m gives": the last equation in another form
    sentence = _SOLVED_FOR.sub("rearranging ", sentence)
    return sentence if _ANNOUNCED.search(sentence) and not _OTHERWISE.search(sentence) else ""


def _source(chain: Chain, text: str) -> Source | None:
    """A single equation between readable sides without unknown functions, as a polynomial that is not zero."""
    if not chain.once(is_one_equation):
        return None
    left, right = chain.sides[0].tree, chain.sides[1].tree
    assert left is not None
    assert right is not None
    try:
        polynomial = difference(left, right)
    except IncalculableError:
        return None
    names = free_symbols(left) | free_symbols(right)
    # i may be the imaginary unit, whose square is a number
    if is_constant(polynomial) or not names_in(polynomial) <= names or "i" in names or is_value(chain.sides):
        return None
    return Source(chain, text, polynomial, names)


def _told_again(passage: Passage, chain: Chain, source: Source | None, past: Past) -> Iterator[Placed]:
    """2x = 38 behind 2x + 7 = 45, and what follows when equations before are multiplied by numbers and added.

    Whether those before are right is not said by it.
    """
    if not past.sources or not chain.once(is_one_equation):
        return
    left, right = (side.tree for side in chain.sides)
    if left is None or right is None or any(side.doubts for side in chain.sides):
        return
    near = past.sources[: -1 - NEAREST : -1]
    # a symbol that stands in none of them cannot follow, and what is written once more says nothing new
    is_known = free_symbols(left) | free_symbols(right) <= frozenset().union(*(earlier.names for earlier in near))
    if not is_known or any([side.tree for side in earlier.chain.sides] == [left, right] for earlier in near):
        return
    weights = _weights(left, right, source, near)
    used = [(weight, earlier) for weight, earlier in zip(weights or (), near, strict=False) if weight]
    if not used:
        return
    proof = of_combination(
        claim=Line(passage.text[chain.start : chain.end], left, right),
        lines=[_line(earlier.chain, earlier.text) for _, earlier in used],
        weights=[weight for weight, _ in used],
    )
    if not proof:
        return
    before = " and ".join(_shown(earlier.chain) for _, earlier in used)
    claim, rule = (f"is {before}, rewritten", AGAIN) if len(used) == 1 else (f"follows from {before}", FOLLOWS)
    yield _placed(passage, chain, used[0][1].chain, proof, rule, Verdict.VERIFIED, f"{_shown(chain)} {claim}.")


def _weights(left: Tree, right: Tree, source: Source | None, near: list[Source]) -> list[Fraction] | None:
    try:
        polynomial = source.polynomial if source is not None else difference(left, right)
        return weights_of(polynomial, [earlier.polynomial for earlier in near])
    except IncalculableError:
        return None


def _equation(passage: Passage, chain: Chain, source: Source, sentence: str, past: Past) -> Iterator[Placed]:
    alike = [earlier for earlier in past.sources if earlier.names == source.names]
    # 1. Something in common with an earlier equation in the same symbols: no accusation.
    if not alike or any(are_related(earlier.polynomial, source.polynomial) for earlier in alike):
        return
    # 2. It must be plain which equation is meant: the last one, or "the given equation" where there is one alone.
    near = past.last is not None and past.last.names == source.names
    if not near and not (_GIVEN.search(sentence) and len(alike) == 1):
        return
    # 3. It may follow from several earlier equations together.
    if past.follows(source.polynomial) or context_doubt(passage.text, chain, 0):
        return
    # 4. Where nothing announces it, another equation may be meant: but not one that differs in a single term.
    if sentence == IMPLIED and not (near and past.last and is_near_miss(past.last.polynomial, source.polynomial)):
        return
    meant = past.last if near and past.last is not None else alike[-1]
    proof = of_rewriting(_line(meant.chain, meant.text), _line(chain, source.text))
    yield _placed(passage, chain, meant.chain, proof, AT_ONCE if sentence == IMPLIED else ANOTHER)


def _inequality(passage: Passage, chain: Chain, past: Past) -> Iterator[Placed]:
    """A > B, rewritten as A > C: then B and C are the same expression."""
    before = past.last_chain
    if before is None or len(chain.relations) != 1 or before.relations != chain.relations or chain.relations[0] == "=":
        return
    if not (is_equation(*chain.sides) and is_equation(*before.sides)):
        return
    (left, right), (same, source) = chain.sides, before.sides
    # Only a whole expression on the left is rewritten; of a bare symbol two bounds may both hold.
    if left.tree != same.tree or isinstance(left.tree, Sym) or right.tree is None or source.tree is None:
        return
    if free_symbols(right.tree) != free_symbols(source.tree) or context_doubt(passage.text, chain, 0):
        return
    if is_weaker_bound(relation=chain.relations[0], bound=source.tree, weaker=right.tree):
        return
    if agree_at_points(left=source.tree, right=right.tree) is False:
        proof = of_identity(source.tree, right.tree, is_same=False, texts=(past.last_text,))
        yield _placed(passage, chain, before, proof, ANOTHER)


def _line(chain: Chain, text: str) -> Line:
    left, right = chain.sides[0].tree, chain.sides[1].tree
    assert left is not None
    assert right is not None
    return Line(text, left, right)


def _placed(
    passage: Passage,
    chain: Chain,
    against: Chain,
    proof: dict[str, str],
    rule: str,
    verdict: Verdict = Verdict.REFUTED,
    sentence: str = "",
) -> Placed:
    before, after = _shown(against), _shown(chain)
    pictures = {"evidence_latex": _shown(chain, latex), "against_latex": _shown(against, latex)}
    details = {"normal_form": after, "against": before, "rule": rule, **pictures, **proof}
    return place(
        passage=passage,
        start=chain.start,
        end=chain.end,
        verdict=verdict,
        checker=NAME,
        rule=rule,
        sentence=sentence or f"{after} is not {before} rewritten: the two do not have the same solutions.",
        details=details,
    )


def _shown(chain: Chain, write: Callable[[Tree], str] = plain) -> str:
    return f" {chain.relations[0]} ".join(write(side.tree) for side in chain.sides if side.tree is not None)
