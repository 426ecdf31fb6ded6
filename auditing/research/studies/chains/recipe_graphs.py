"""The 24 recipes of CaptainCook4D as chains of claims: each with one ingredient left out.

A step follows when its recipe's rule, the steps before it and its ingredients stand among the premises; what needs the
missing ingredient does not, nor does anything behind it. Source: ARES, appendix C.5 and its released graphs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import Query
from auditing.research.studies.instruments.claimtree_chains import ClaimTree
from auditing.research.studies.instruments.labelled import Record, read_lines

__all__ = ["FOLDER", "RecipeTruth", "read_recipe", "recipe_trees"]

FOLDER = "captaincook"


@dataclass(slots=True)
class RecipeTruth:
    """What each sentence of the recipes needs: an oracle of single moves, as `follows` is one for ClaimTrees."""

    needed: dict[str, frozenset[str]] = field(default_factory=dict)

    def follows(self, query: Query) -> bool:
        """Whether everything that the hypothesis needs stands among the premises. A sentence nobody wrote does not."""
        wanted = self.needed.get(query.hypothesis)
        return wanted is not None and wanted <= frozenset(query.premises)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Steps in an order that they can be done in, with the steps and the ingredients that each needs."""

    name: str
    steps: Mapping[int, str]
    before: Mapping[int, tuple[int, ...]]
    uses: Mapping[int, tuple[str, ...]]

    @property
    def ingredients(self) -> tuple[str, ...]:
        """All ingredients, each once, in alphabetical order."""
        return tuple(sorted({name for names in self.uses.values() for name in names}))


def read_recipe(*, record: Record, name: str) -> Recipe:
    """A released graph: steps, edges [before, after], topo_order, step_mapped_ingredients (in order of the ids).

    Raises ValueError, KeyError, TypeError where a field is not what is published.
    """
    texts = {int(number): str(text) for number, text in record["steps"].items()}
    # "START" is no step: it stands for nothing having to be done before.
    start = next((number for number, text in texts.items() if text == "START"), None)
    order = [int(number) for number in record["topo_order"] if int(number) != start]
    position = {number: rank for rank, number in enumerate(order)}
    before: dict[int, list[int]] = {number: [] for number in order}
    for source, target in record["edges"]:
        if source == start:
            continue
        if position[source] >= position[target]:
            raise ValueError(f"step {target} stands before step {source}, which it needs")
        before[target].append(source)
    uses = dict(zip(sorted(texts), map(_names, record["step_mapped_ingredients"]), strict=True))
    return Recipe(
        name,
        {number: texts[number] for number in order},
        {number: tuple(sources) for number, sources in before.items()},
        {number: uses[number] for number in order},
    )


def tree_of(*, recipe: Recipe, missing: str, truth: RecipeTruth) -> ClaimTree:
    """The chain of a recipe without one ingredient; `truth` learns what its sentences need."""
    # Rules of all steps stay: what is missing is an ingredient, never the knowledge of what a step needs.
    base = [BaseClaim(f"rule {number}", _rule(recipe, number)) for number in recipe.steps]
    base += [BaseClaim(f"have {name}", _have(recipe, name)) for name in recipe.ingredients if name != missing]
    present = {claim.id for claim in base}
    derived, sound = list[DerivedClaim](), dict[int, bool]()
    for number in recipe.steps:
        wanted = [f"rule {number}", *(f"have {name}" for name in recipe.uses[number])]
        premises = (*(key for key in wanted if key in present), *(f"d{source}" for source in recipe.before[number]))
        derived.append(DerivedClaim(f"d{number}", _done(recipe, number), premises))
        sound[number] = set(wanted) <= present and all(sound[source] for source in recipe.before[number])
        # What the oracle wants is the whole need, with the missing ingredient too.
        needs = [_rule(recipe, number), *(_have(recipe, name) for name in recipe.uses[number])]
        needs += [_done(recipe, source) for source in recipe.before[number]]
        truth.needed[_done(recipe, number)] = frozenset(needs)
    labels = tuple(sound.values())
    return ClaimTree(Chain(tuple(base), tuple(derived)), labels, labels)


def recipe_trees(*, data: Path, most: int) -> tuple[list[ClaimTree], RecipeTruth]:
    """Each recipe with each of its ingredients left out in turn, at most `most` of them; none without the files."""
    truth, trees = RecipeTruth(), list[ClaimTree]()
    recipes = [
        read_recipe(record=record, name=path.stem)
        for path in sorted((data / FOLDER).glob("*.jsonl"))
        for record in read_lines(path)
    ]
    pairs = [(recipe, name) for recipe in recipes for name in recipe.ingredients]
    # Evenly over the recipes, whose files come in alphabetical order.
    step = max(1, -(-len(pairs) // most))
    for recipe, name in pairs[::step]:
        trees.append(tree_of(recipe=recipe, missing=name, truth=truth))
    return trees, truth


def _names(value: Any) -> tuple[str, ...]:
    # The release writes null, or a list with the word "None", where a step uses nothing.
    names: Sequence[Any] = value or ()
    return tuple(dict.fromkeys(str(name) for name in names if name not in (None, "None")))


def _rule(recipe: Recipe, number: int) -> str:
    earlier = "; ".join(recipe.steps[source] for source in recipe.before[number]) or "nothing"
    things = ", ".join(recipe.uses[number]) or "nothing"
    return f"{recipe.name}: step {number}, {recipe.steps[number]!r}, can be done after {earlier!r}, with {things}."


def _have(recipe: Recipe, name: str) -> str:
    return f"{recipe.name}: there is {name}."


def _done(recipe: Recipe, number: int) -> str:
    # With its number: a recipe may say the same of two steps.
    return f"{recipe.name}: what it needs is there, so step {number}, {recipe.steps[number]!r}, is done."
