"""Checker: what a step says of an order, against every order that fits the statements of the problem.

A claim is refuted when no order keeps it; what some orders keep and others do not is left alone, for a step may
know more than was read here. Rests on a supposition: likely at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from auditing.checker.checks.logic.axes import BY_NAME
from auditing.checker.checks.logic.names import first_name, with_pronouns
from auditing.checker.checks.logic.plainness import OF_PLACES, first_heading, is_plain, is_set_apart, words_known
from auditing.checker.checks.logic.rows import CLAUSE, rows_of
from auditing.checker.checks.logic.sentences import Sentence, is_hedged, sentences_of, supposes
from auditing.checker.checks.logic.sequences import DIRECTION, Listed, numbered_order, sequences_of
from auditing.checker.checks.logic.statements import Rule, statements_of
from auditing.checker.checks.logic.worlds import World, find_world
from auditing.checker.findings import Grade, Verdict
from auditing.checker.proofs.formulas import packed
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "placings"
_ANSWER = re.compile(
    r"\b(?:answer|correct (?:option|choice|answer|statement))(?:\sis|\smust be|:)\s?(?:the )?(?:option |choice )?"
    r"\W{0,4}\(?(?P<letter>[A-H])\)?(?![\w'’])",
    re.IGNORECASE,
)
# behind a claim its clause ends, or the object is called what it is: more would be a condition or a part
_ENDS = re.compile(
    r"(?:\s(?:book|bird|fruit|vehicle|person|one|house|seat|place|position|car|box|team)s?)?\s?"
    r"(?:[^\w\s]|\n|$|(?:and|but(?!\sone|\stwo)|so|because|since|as|while|which|who|then|therefore|hence|thus)\b)",
    re.IGNORECASE,
)
_OPTION = re.compile(r"\(([A-H])\)\s{0,3}([^\n(]{3,120})")
# only the answer to such a question is what holds: not to "which is false", "which could be", "which is least"
_ASKED = re.compile(r"[^.?!\n]{0,300}\?|\b(?:choose|select|identify|pick|mark|find)\b[^.\n]{0,200}", re.IGNORECASE)
_ASKS_WHAT_HOLDS = re.compile(
    r"\W*(?:who|what|where|which)\b(?:\W+(?:of|the|these|following|options?|statements?|answers?|choices?|sentences?|"
    r"conclusions?|one|is|are|was|must|be|true|correct|right|holds?|follows?))*\W*",
    re.IGNORECASE,
)


def check(script: Script) -> Iterator[Placed]:
    """Places, comparisons, whole orders and chosen answers that no order of the objects keeps."""
    world = find_world(script.problem.text)
    if world is None:
        return
    # statements were read in English; in another script a word may say "if"
    is_supposed, told = script.is_in_another_script, ""
    vocabulary = words_known(script.problem.text) | OF_PLACES
    for passage in script.passages:
        masked = world.names.masked(passage.text[:6_000])
        is_supposed = is_supposed or supposes(passage)
        told += " " + passage.lower
        heading = first_heading(masked, vocabulary)
        for claim, text in _claims(masked, script.problem.text, world, told, vocabulary):
            holds = world.holds(claim.rule)
            is_doubtful = is_supposed or not claim.is_called_so or claim.start > heading
            if holds is False:
                grade = Grade.LIKELY if is_doubtful else Grade.CERTAIN
                yield _judged(passage, world, claim, text, Verdict.REFUTED, grade)
            elif holds and claim.fills_a_row:
                yield _judged(passage, world, claim, text, Verdict.VERIFIED, Grade.CERTAIN)


def _claims(
    masked: str, problem: str, world: World, told: str, vocabulary: frozenset[str]
) -> Iterator[tuple[Listed, str]]:
    """Each claim of a passage, with the option of the problem that it chooses, if any."""
    axis, size = BY_NAME[world.axis], len(world.names.objects)
    listed = numbered_order(masked, size, axis)
    if listed is not None:
        is_alone = is_plain(masked[: listed.start], vocabulary)
        yield replace(listed, is_called_so=listed.is_called_so and is_alone), ""
    told = " ".join(told.split())
    for original in sentences_of(masked):
        sentence = Sentence(with_pronouns(original.text), original.start)
        yield from _rows(sentence, world, told)
        if is_hedged(sentence.text):
            continue
        for statement in statements_of(sentence.text, world.axis, size):
            # what is said of "it" is read from the name on that it stands for
            is_named = original.text[statement.start : statement.end] == sentence.text[statement.start : statement.end]
            start = statement.start if is_named else first_name(original.text)
            claim = _moved(Listed(statement.rule, start, statement.end), sentence.start)
            before = masked[original.start : claim.start + 1]
            is_apart = is_set_apart(masked, original, before, vocabulary) or not _ENDS.match(masked, claim.end)
            yield replace(claim, is_called_so=not is_apart), ""
        for order in sequences_of(sentence.text, axis, size):
            claim = _moved(order, sentence.start)
            # the direction of a list was read with it
            before = DIRECTION.sub(" ", masked[original.start : claim.start + 1])
            is_apart = is_set_apart(masked, original, before, vocabulary)
            yield replace(claim, is_called_so=claim.is_called_so and not is_apart), ""
        yield from _answers(sentence, problem, world)


def _rows(sentence: Sentence, world: World, told: str) -> Iterator[tuple[Listed, str]]:
    # a row leaves places open ("third can be any bird"), and what it says of others is claimed all the same
    if is_hedged(CLAUSE.sub(" ", sentence.text)):
        return
    for claim in rows_of(sentence.text, BY_NAME[world.axis], world, told):
        yield _moved(claim, sentence.start), ""


def _moved(claim: Listed, by: int) -> Listed:
    return replace(claim, start=claim.start + by, end=claim.end + by)


def _answers(sentence: Sentence, problem: str, world: World) -> Iterator[tuple[Listed, str]]:
    if not all(_ASKS_WHAT_HOLDS.fullmatch(asked) for asked in _ASKED.findall(problem)):
        return
    for match in _ANSWER.finditer(sentence.text):
        texts = [text.strip() for letter, text in _OPTION.findall(problem) if letter == match["letter"].upper()]
        if len(texts) != 1:
            continue
        told = world.names.masked(texts[0])
        rules: list[Rule] = [statement.rule for statement in statements_of(told, world.axis, len(world.names.objects))]
        if len(rules) == 1:
            yield Listed(rules[0], sentence.start + match.start(), sentence.start + match.end()), texts[0]


def _judged(passage: Passage, world: World, claim: Listed, option: str, verdict: Verdict, grade: Grade) -> Placed:
    read = passage.text[claim.start : claim.end]
    quoted = " ".join(read.strip(" \n,;:").split())
    where = f" ({option})" if option else ""
    orders = "Every order" if verdict is Verdict.VERIFIED else "No order"
    sentence = f"{orders} that fits the statements of the problem has it so: {quoted}{where}."
    proof = {
        "kind": "models",
        "objects": list(world.names.objects),
        "rules": [world.spelled(rule) for rule in world.rules],
        "texts": [*world.texts, *([option] if option else [])],
        "claim": world.spelled(claim.rule),
    }
    details = {"said": quoted, "computed": _standing(world, claim.rule), "rule": "order"}
    details |= {"orders": str(len(world.orders)), "evidence_latex": rf"\text{{{sentence}}}", **packed(proof)}
    return place(
        passage=passage,
        start=claim.start,
        end=claim.end,
        checker=NAME,
        rule="order",
        sentence=sentence,
        details=details,
        verdict=verdict,
        grade=grade,
    )


def _standing(world: World, rule: Rule) -> str:
    """Who may stand at the one place that a claim is about."""
    if rule[0] != "at" or not 0 <= rule[2] < len(world.names.objects):
        return ""
    return " or ".join(sorted({world.names.named(order[rule[2]]) for order in world.orders}))
