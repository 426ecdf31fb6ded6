"""Recipes of CaptainCook4D in the released form: what a missing ingredient spoils, and what sample sizes buy."""

import json

import numpy as np
import pytest

from auditing.core.soundness.entailment import NoisyOracle, Oracle
from auditing.core.soundness.particles import certify, particles_needed
from auditing.research.studies.chains.recipe_graphs import RecipeTruth, read_recipe, recipe_trees, tree_of
from auditing.research.studies.chains.sample_sizes import by_epsilon, by_particles
from auditing.research.studies.instruments.claimtree_chains import follows
from auditing.research.studies.instruments.runner import Run

# Toast and tea, which meet on the tray; 0 is no step.
GRAPH = {
    "steps": {"0": "START", "1": "Boil the water", "2": "Toast the bread", "3": "Carry both", "4": "Butter it"},
    "edges": [[0, 1], [0, 2], [2, 4], [1, 3], [4, 3]],
    "topo_order": [0, 1, 2, 4, 3],
    "step_mapped_ingredients": [None, ["water"], ["bread"], ["None"], ["butter", "butter"]],
}


def spoiled(missing):
    tree = tree_of(recipe=read_recipe(record=GRAPH, name="toast"), missing=missing, truth=RecipeTruth())
    return [claim.id for claim, sound in zip(tree.chain.derived, tree.corrected, strict=True) if not sound]


def test_a_missing_ingredient_spoils_its_step_and_all_that_rest_on_it():
    assert spoiled("water") == ["d1", "d3"]
    assert spoiled("bread") == ["d2", "d4", "d3"]
    assert spoiled("butter") == ["d4", "d3"]
    assert read_recipe(record=GRAPH, name="toast").ingredients == ("bread", "butter", "water")


def test_a_perfect_judge_of_single_moves_finds_just_the_spoiled_steps(tmp_path):
    folder = tmp_path / "captaincook"
    folder.mkdir()
    (folder / "toast.jsonl").write_text(json.dumps(GRAPH) + "\n")
    trees, truth = recipe_trees(data=tmp_path, most=10)
    assert len(trees) == 3
    for tree in trees:
        claims = certify(chain=tree.chain, model=Oracle(truth.follows), seed=1, tell_local=False).claims
        assert tuple(claim.tau >= 0.5 for claim in claims) == tree.corrected
    assert recipe_trees(data=tmp_path / "elsewhere", most=10)[0] == []


def test_a_step_before_what_it_needs_is_refused():
    with pytest.raises(ValueError, match="step 3 stands before step 4"):
        read_recipe(record={**GRAPH, "topo_order": [0, 1, 2, 3, 4]}, name="toast")


def test_more_particles_bring_the_estimate_nearer_to_the_exact_value():
    model = NoisyOracle(Oracle(follows), 0.1, seed=1, certainty=0.9)
    table = by_particles(run=Run(), model=model, many=8)
    errors = [float(row[1]) for row in table.rows]
    assert errors == sorted(errors, reverse=True)
    # A hundred times the particles: about a tenth of the error.
    assert errors[0] / errors[-1] == pytest.approx(10, rel=0.5)


def test_no_more_chains_than_delta_allows_lie_beyond_epsilon():
    table = by_epsilon(run=Run(), model=Oracle(follows), many=8)
    cells = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [cell["particles"] for cell in cells[:4]] == [
        particles_needed(derived=4, epsilon=epsilon) for epsilon in (0.1, 0.2, 0.3, 0.4)
    ]
    assert np.mean([cell["share beyond epsilon"] for cell in cells]) <= 0.1
