"""Checker: congruences between numbers, with the modulus that is written behind them: 17 * 5 ≡ 2 (mod 83)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.numbers.beginnings import begins_before
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, latex, plain
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_congruence
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "congruences"
_MODULUS = re.compile(r"[\s\\,;$)]{0,8}\(?\s*(?:\\?p?mod|\\bmod|\\text\{mod\}|modulo)\b[\s{]{0,4}(\d{1,9})\b")
_IN_WORDS = re.compile(
    r"(?<![\w.,^/*+\-−–×·√(=])(\d{1,12})[\s\\)$]{1,4}is\s(not\s)?congruent\sto[\s\\($]{1,4}(-?\d{1,12})[\s\\)$]{1,4}"
    r"\(?(?:modulo|mod)[\s\\($]{1,4}(\d{1,9})(?!\d|\.\d|\^)"
)
_MOD_BEFORE = re.compile(r"mod(?:ulo)?[\s{]{0,4}$")
_DOUBT = any_of("if whether suppose assume claim* not_true check* let wrong incorrect")
_CLAUSE_END = re.compile(r"[.!?;:,]\s|\n|\bthen\b")
_ASKED = re.compile(r"[^.;\n?]{0,24}\?")
_RELATIONS = frozenset(("≡", "="))


def check(script: Script) -> Iterator[Placed]:
    """Every link of every chain that holds a sign of congruence and ends with its modulus."""
    for passage in script.passages:
        if not passage.is_modular:
            continue
        for chain in passage.page.chains:
            modulus = _modulus(passage, chain)
            # "a = b ≡ c (mod m)": equal numbers are congruent, so both signs may be judged by the modulus
            if modulus and "≡" in chain.relations and set(chain.relations) <= _RELATIONS:
                yield from _links(passage, chain, modulus)
        for match in _IN_WORDS.finditer(passage.text):
            yield from _said(passage, match)


def _said(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    """37 is congruent to 2 modulo 7."""
    left, right, modulus = int(match[1]), int(match[3]), int(match[4])
    holds = modulus > 0 and (left - right) % modulus == 0
    head = re.split(r"[.!?;]\s|\n", passage.text[max(0, match.start() - 120) : match.start()])[-1]
    is_asked = "?" in passage.text[match.end() : match.end() + 3]
    # "is not congruent" is left to its reader: no proof is made of it
    if modulus == 0 or is_asked or match[2] or (not holds and (_DOUBT.search(head) or begins_before(head))):
        return
    trees = Num(Fraction(left)), Num(Fraction(abs(right)))
    signed: Tree = Node("neg", (trees[1],)) if right < 0 else trees[1]
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule="congruence in words",
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        grade=Grade.CERTAIN if holds else Grade.LIKELY,
        sentence=f"{left} leaves {left % modulus} modulo {modulus}, {right} leaves {right % modulus}.",
        details={
            "left": str(left % modulus),
            "right": str(right % modulus),
            "rule": "congruence in words",
            "evidence_latex": rf"{left} \equiv {left % modulus} \pmod{{{modulus}}}",
            **of_congruence(trees[0], signed, modulus),
        },
    )


def _modulus(passage: Passage, chain: Chain) -> int:
    """The modulus behind the chain, or inside its last side ("1 \\mod 8"); 0 where there is none."""
    last = chain.sides[-1].tree
    modulus = None if last is None else _parted(last)[1]
    if modulus is not None:
        written = value_of(modulus)
        return int(written) if written is not None and written.denominator == 1 and written > 1 else 0
    match = _MODULUS.match(passage.text, chain.end)
    return int(match[1]) if match and int(match[1]) > 1 else 0


def _links(passage: Passage, chain: Chain, modulus: int) -> Iterator[Placed]:
    for index, relation in enumerate(chain.relations):
        left, right = _residue(chain.sides[index].tree), _residue(chain.sides[index + 1].tree)
        # "109 (mod 94) ≡ 15 (mod 94)": the 94 is the modulus of the side before, and no side
        if _MOD_BEFORE.search(passage.text[max(0, chain.sides[index].start - 12) : chain.sides[index].start]):
            continue
        if relation != "≡" or left is None or right is None or _has_doubt(chain, index):
            continue
        holds = (left - right) % modulus == 0
        if holds or not (_is_supposed(passage.text, chain) or context_doubt(passage.text, chain, index)):
            yield _placed(passage, chain, index, (left, right, modulus), holds=holds)


def _is_supposed(text: str, chain: Chain) -> bool:
    """If 5 ≡ 2 (mod 7); is 5 ≡ 2 (mod 7)?"""
    clause = _CLAUSE_END.split(text[max(0, chain.start - 120) : chain.start])[-1]
    return _DOUBT.search(clause) is not None or _ASKED.match(text, chain.end) is not None


def _residue(tree: Tree | None) -> int | None:
    """The whole number that a side stands for, its own "mod m" left out."""
    if tree is None or free_symbols(tree):
        return None
    value: Fraction | None = value_of(_without_modulus(tree))
    return int(value) if value is not None and value.denominator == 1 else None


def _without_modulus(tree: Tree) -> Tree:
    return _parted(tree)[0]


def _parted(tree: Tree) -> tuple[Tree, Tree | None]:
    """A side and the modulus at its end, which is that of the whole side: 2 * 3 - 4 mod 7."""
    if not isinstance(tree, Node) or tree.op not in ("mod", "+", "-"):
        return tree, None
    if tree.op == "mod":
        return tree.args[0], tree.args[1]
    last, modulus = _parted(tree.args[-1])
    return Node(tree.op, (*tree.args[:-1], last)), modulus


def _has_doubt(chain: Chain, index: int) -> bool:
    # the modulus itself stands behind the last side, and is no doubt about it
    doubts = (*chain.sides[index].doubts, *chain.sides[index + 1].doubts)
    return any(not doubt.startswith(("pmod", "a bracket", "mod", "the word mod", "\\")) for doubt in doubts)


def _placed(passage: Passage, chain: Chain, index: int, numbers: tuple[int, int, int], *, holds: bool) -> Placed:
    left, right = chain.sides[index], chain.sides[index + 1]
    assert left.tree is not None
    assert right.tree is not None
    a, b, modulus = numbers
    text = f"{plain(left.tree)} ≡ {b} (mod {modulus})"
    sentence = (
        f"{text} holds." if holds else f"{plain(left.tree)} leaves {a % modulus} modulo {modulus}, not {b % modulus}."
    )
    return place(
        passage=passage,
        start=left.start,
        end=right.end,
        checker=NAME,
        rule="congruence",
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=sentence,
        details={
            "normal_form": text,
            "left": str(a % modulus),
            "right": str(b % modulus),
            "rule": "congruence",
            **of_congruence(_without_modulus(left.tree), _without_modulus(right.tree), modulus),
            "evidence_latex": rf"{latex(left.tree)} \equiv {b} \pmod{{{modulus}}}",
        },
    )
