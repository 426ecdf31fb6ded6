"""Refits the two logistic rules for premise edges on the public graphs and cross-validates them by problem.

Prints the weights as they stand in hdag/decomposers/rules beside a new fit, and F1 on held-out problems (five folds)
beside the previous-step baseline. Run: python -m benchmarks.premises
"""

import importlib.util
import random
from collections import defaultdict
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.public_traces import DATA
from hdag.decomposers.rules import derivation, statements
from hdag.decomposers.rules.evidence import read_evidence, values_in

FOLDS = 5
Case = tuple[str, str, list[str], set[tuple[int, int]]]


def public_cases() -> list[Case]:
    """(set, problem, steps, gold edges) as the public scorer reads them."""
    spec = importlib.util.spec_from_file_location("score_edges", DATA.parent / "checks" / "score_edges.py")
    assert spec is not None
    assert spec.loader is not None
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    return list(scorer.cases(str(DATA)))


def is_list(case: Case) -> bool:
    """Whether the case is a list of statements."""
    return case[0] == "entailment_bank"


def reader(case: Case) -> Any:
    """The rule's reader of the case's steps."""
    if is_list(case):
        return statements.Statements(texts=case[2])
    evidence = [read_evidence(text=step) for step in case[2]]
    return derivation.Derivation(steps=evidence, givens=frozenset(values_in(text=case[1])))


def rows(case: Case) -> Iterator[tuple[list[float], bool]]:
    """Features of every weighed pair with its gold label, history as the gold graph has it."""
    gold, made = case[3], reader(case)
    spent: set[int] = set()
    made.first = min(step for _, step in gold)
    for step in range(made.first if is_list(case) else 0, len(case[2])):
        found = made.candidates(step, spent) if is_list(case) else made.candidates(step)
        yield from ((row, (other, step) in gold) for other, row in found.items())
        used = [premise for premise, other in gold if other == step]
        spent.update(used)
        if not is_list(case):
            made.memory.learn(step, made.steps[step], used)


def fit(cases: list[Case]) -> np.ndarray[Any, Any]:
    """Bias and weights of a logistic rule, ridge 1, by Newton steps."""
    pairs = [pair for case in cases for pair in rows(case)]
    x = np.array([[1.0, *row] for row, _ in pairs])
    y = np.array([label for _, label in pairs], float)
    weights = np.zeros(x.shape[1])
    ridge = np.eye(x.shape[1])
    ridge[0, 0] = 1e-6
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (y - p) - ridge @ weights
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, gradient)
    return weights


def install(module: ModuleType, weights: np.ndarray[Any, Any]) -> None:
    """Put `weights` where the rule reads them; an explicit reference keeps its set weight."""
    fitted = dict(zip(module.NAMES, map(float, weights[1:]), strict=True))
    if "referred to" in fitted:
        fitted["referred to"] = module.WEIGHTS["referred to"]
    module.BIAS, module.WEIGHTS = float(weights[0]), fitted


def validate(cases: list[Case], module: ModuleType, seed: int) -> None:
    """F1 of each set on problems that the fit has not seen."""
    problems = sorted({case[1] for case in cases})
    random.Random(seed).shuffle(problems)
    fold = {problem: place % FOLDS for place, problem in enumerate(problems)}
    tally: dict[str, list[int]] = defaultdict(lambda: [0] * 5)
    for held in range(FOLDS):
        install(module, fit([case for case in cases if fold[case[1]] != held]))
        for case in (case for case in cases if fold[case[1]] == held):
            ours = {(link.premise, link.step) for link in reader(case).links()}
            before = {(step - 1, step) for step in range(1, len(case[2]))}
            seen = (len(ours & case[3]), len(ours), len(case[3]), len(before & case[3]), len(before))
            tally[case[0]] = [a + b for a, b in zip(tally[case[0]], seen, strict=True)]
    for name, (hit, said, gold, hit_before, said_before) in sorted(tally.items()):
        ours_f1, before_f1 = 2 * hit / (said + gold), 2 * hit_before / (said_before + gold)
        print(f"  {name:16s} held-out F1 {ours_f1:.3f}, previous step {before_f1:.3f}")


def main() -> None:
    """Refit, print, cross-validate."""
    cases = public_cases()
    for module, chosen in (
        (derivation, [case for case in cases if not is_list(case)]),
        (statements, [case for case in cases if is_list(case)]),
    ):
        weights = fit(chosen)
        print(f"{module.__name__}: bias {module.BIAS} in use, {weights[0]:.2f} fitted")
        for (name, used), fitted in zip(module.WEIGHTS.items(), weights[1:], strict=True):
            print(f"  {name:28s} {used:6.2f} in use {fitted:6.2f} fitted")
        validate(chosen, module, seed=0)


if __name__ == "__main__":
    main()
