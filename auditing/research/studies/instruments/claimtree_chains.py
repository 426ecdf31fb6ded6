"""ClaimTrees: synthetic chains whose sound claims are known exactly.

A start fact, rules from state to state, and derived claims that walk along them; one base claim is left out, so what
stands on it no longer follows. Kinds: a line, a wide tree (several sources, one sink, irrelevant branches), inserted
errors (a step by a rule that does not exist and that nothing later needs) and recipes with a removed ingredient.

Two label columns are kept. The original one marks derived claims from the missing *rule* on; when the start fact is
what is missing (once in L chains) it marks nothing, although nothing follows, so that a perfect oracle scores below 1.
`corrected` is what follows from the base claims. Source: ARES, appendix C.4 and its released generator.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import Query

__all__ = [
    "ClaimTree",
    "follows",
    "insert_errors",
    "make_attempts",
    "make_line",
    "make_recipe",
    "make_whole",
    "make_wide",
]

Move = tuple[tuple[str, ...], str]  # the states that a rule needs, the state that it gives
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_RULE = re.compile(r"Rule: ([A-Z0-9 ,]+) -> ([A-Z0-9]+) ")
_USES = re.compile(r"I use rule \(([A-Z0-9 ,]+) -> ([A-Z0-9]+)\)")
_HAVE = re.compile(r"(?:^I have|now I have) ([A-Z0-9]+)$")


@dataclass(frozen=True, slots=True)
class ClaimTree:
    """A chain with both label columns, True where the claim is sound."""

    chain: Chain
    corrected: tuple[bool, ...]
    original: tuple[bool, ...]


def follows(query: Query) -> bool:
    """Does the hypothesis follow in one move: its rule and everything the rule needs stand among the premises?"""
    # A base claim follows when it stands among the premises.
    used = _USES.search(query.hypothesis)
    if used is None:
        return query.hypothesis in query.premises or _is_own_conclusion(query)
    # Each premise is a rule, a state, or (for a derived claim) a state that it reaches.
    rules, states = zip(*map(_read, query.premises), strict=True) if query.premises else ((), ())
    return used.groups() in rules and set(states).issuperset(used[1].split(", "))


def _is_own_conclusion(query: Query) -> bool:
    """Whether the premises, parts of one step, have what the rule needs that they name, and it gives the hypothesis."""
    reached = _HAVE.search(query.hypothesis)
    used = next(filter(None, map(_USES.search, query.premises)), None)
    if reached is None or used is None or used[2] != reached[1]:
        return False
    states = {state for premise in query.premises for state in re.findall(r"I have ([A-Z0-9]+)", premise)}
    return states.issuperset(used[1].split(", "))


@lru_cache(maxsize=4096)
def _read(claim: str) -> tuple[tuple[str | None, ...] | None, str | None]:
    """The rule that a claim states and the state that it reaches."""
    rule, state = _RULE.match(claim), _HAVE.search(claim)
    return (rule.groups() if rule else None), (state[1] if state else None)


def make_line(*, length: int, seed: int) -> ClaimTree:
    """`length` states in a row (`length - 1` derived claims); one of the `length` base claims is left out."""
    rng = Random(seed)  # noqa: S311  data, not secrets
    states = _names(length, rng)
    # A state follows from the one before.
    moves = [((before,), after) for before, after in pairwise(states)]
    return _build(starts=states[:1], moves=moves, missing=rng.randrange(length), rng=rng)


def make_whole(*, length: int, seed: int) -> ClaimTree:
    """A line of `length` states of which nothing is left out: every claim is sound."""
    rng = Random(seed)  # noqa: S311
    states = _names(length, rng)
    moves = [((before,), after) for before, after in pairwise(states)]
    return _build(starts=states[:1], moves=moves, missing=None, rng=rng)


def make_wide(*, depth: int, sources: int, seed: int) -> ClaimTree:
    """`sources` branches of `depth` states that meet in one sink; one rule of one branch is left out."""
    rng = Random(seed)  # noqa: S311
    states = _names(depth * sources + 1, rng)
    branches = [states[i * depth : (i + 1) * depth] for i in range(sources)]
    moves: list[Move] = [((a,), b) for branch in branches for a, b in pairwise(branch)]
    moves.append((tuple(branch[-1] for branch in branches), states[-1]))
    starts = [branch[0] for branch in branches]
    # Base claims come as start facts, then rules: `sources` skips the facts, - 1 spares the rule of the sink.
    return _build(starts=starts, moves=moves, missing=sources + rng.randrange(len(moves) - 1), rng=rng)


def make_recipe(*, steps: int, seed: int) -> ClaimTree:
    """A recipe: each action needs one or two earlier results and its own ingredient; one ingredient is missing."""
    rng = Random(seed)  # noqa: S311
    states = _names(2 * steps, rng)
    ingredients, results = states[:steps], states[steps:]
    moves: list[Move] = []
    for k, result in enumerate(results):
        # The first action has no earlier result to need.
        needed = rng.sample(results[:k], k=min(k, rng.choice((1, 1, 2))))
        moves.append(((ingredients[k], *needed), result))
    return _build(starts=ingredients, moves=moves, missing=rng.randrange(steps), rng=rng)


def make_attempts(*, length: int, count: int, seed: int) -> list[ClaimTree]:
    """`count` chains for one whole line of `length` states: one takes every step, the others each skip a state once.

    After the leap every step follows from the one before, so that only the leap is wrong by itself.
    """
    rng = Random(seed)  # noqa: S311
    states = _names(length, rng)
    line: list[Move] = [((before,), after) for before, after in pairwise(states)]
    base = _base(states[:1], line)
    rng.shuffle(base)
    rules_of = {move: f"rule {k}" for k, move in enumerate(line)}
    trees = []
    for leap in [None, *(rng.randrange(length - 2) for _ in range(count - 1))]:
        moves = line if leap is None else [*line[:leap], ((states[leap],), states[leap + 2]), *line[leap + 2 :]]
        derived, corrected = _derive(moves, rules_of, {name for name, _ in base}, {states[0]: f"have {states[0]}"})
        chain = Chain(tuple(BaseClaim(name, text) for name, text in base), derived)
        trees.append(ClaimTree(chain, corrected, corrected))
    rng.shuffle(trees)
    return trees


def insert_errors(*, tree: ClaimTree, count: int, seed: int) -> ClaimTree:
    """`count` claims by rules that do not exist, leading to states that nothing later needs (benign errors)."""
    rng = Random(seed)  # noqa: S311
    taken = set(re.findall(r"[A-Z0-9]{2}", " ".join(claim.text for claim in tree.chain.claims)))
    fresh = [name for name in _names(count + len(taken), rng) if name not in taken][:count]
    rows = list(zip(tree.chain.derived, tree.corrected, tree.original, strict=True))
    for n, name in enumerate(fresh):
        # After at least one derived claim, on which the wrong one can rest.
        at = rng.randrange(1, len(rows) + 1)
        leaned = rows[at - 1][0]
        state = leaned.text.rsplit(" ", 1)[1]
        rows.insert(at, (DerivedClaim(f"x{n}", _step((state,), name), (leaned.id,)), False, False))
    derived, corrected, original = zip(*rows, strict=True)
    return ClaimTree(Chain(tree.chain.base, tuple(derived)), tuple(corrected), tuple(original))


def _build(*, starts: Sequence[str], moves: Sequence[Move], missing: int | None, rng: Random) -> ClaimTree:
    base = _base(starts, moves)
    if missing is not None:
        del base[missing]
    rng.shuffle(base)
    rules_of = {move: f"rule {k}" for k, move in enumerate(moves)}
    derived, corrected = _derive(
        moves, rules_of, {name for name, _ in base}, {state: f"have {state}" for state in starts}
    )
    chain = Chain(tuple(BaseClaim(name, text) for name, text in base), derived)
    return ClaimTree(chain, corrected, _original(corrected, missing, len(starts)))


def _base(starts: Sequence[str], moves: Sequence[Move]) -> list[tuple[str, str]]:
    """Name and text of the facts and rules that these moves need."""
    facts = [(f"have {state}", f"I have {state}") for state in starts]
    rules = [
        (f"rule {k}", f"Rule: {', '.join(needs)} -> {to} (meaning that {' and '.join(needs)} give {to})")
        for k, (needs, to) in enumerate(moves)
    ]
    return [*facts, *rules]


def _derive(
    moves: Sequence[Move], rules_of: Mapping[Move, str], present: set[str], claim_of: dict[str, str]
) -> tuple[tuple[DerivedClaim, ...], tuple[bool, ...]]:
    """Claims that make these moves, and which of them follow; `known` leads from a state to the claim that has it."""
    derived, sound = [], dict.fromkeys(present, True)
    for k, (needs, to) in enumerate(moves):
        # What does not exist is left out of the premises that the claim names, and makes the claim unsound.
        leans = [rules_of.get((needs, to), "no such rule"), *(claim_of[state] for state in needs)]
        derived.append(DerivedClaim(f"d{k}", _step(needs, to), tuple(name for name in leans if name in sound)))
        # Sound: everything it rests on is present and itself sound.
        sound[f"d{k}"] = all(sound.get(name, False) for name in leans)
        claim_of[to] = f"d{k}"
    return tuple(derived), tuple(sound[claim.id] for claim in derived)


def _original(corrected: tuple[bool, ...], missing: int | None, starts: int) -> tuple[bool, ...]:
    """The released labels: nothing is marked when a start fact of a line is what is missing."""
    return (True,) * len(corrected) if starts == 1 and missing == 0 else corrected


def _step(needs: Sequence[str], to: str) -> str:
    has = " and ".join(f"I have {state}" for state in needs)
    return f"{has}, I use rule ({', '.join(needs)} -> {to}) to derive {to}, now I have {to}"


def _names(count: int, rng: Random) -> list[str]:
    """Distinct two-character state names."""
    return rng.sample([a + b for a in _LETTERS[:26] for b in _LETTERS], count)
