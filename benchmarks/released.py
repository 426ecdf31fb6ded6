"""Our copies of ARES's printed figures beside its released result files, and tau again from its recorded answers.

Reads a clone of github.com/fallcat/ares (nothing of it is kept here) and prints the greatest gaps. The release holds
scores by fold for every method, and the answers of the model for five chains of its own method; it holds no answers for
the baselines, so that those cannot be computed again from what was answered.

A second clone, github.com/skhanzad/AridadneXAI, holds thirty causal audits: both rules are applied to their answers
again, with the recorded similarity as the scorer's word wherever the answers are not both values.

    python -m benchmarks.released ARES-CLONE [ARIADNE-CLONE]
"""

import json
import sys
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from auditing.checker.answers import tell_apart
from auditing.research.causal.core.judgement import paper_violation
from auditing.research.causal.core.similarity import measure_similarity
from auditing.research.studies.instruments.claimtree_printed import PRINTED

SCORES = {f"line of {n}": f"synthchain_vanilla3_no_repeat_{n}_2.gpt-4o-mini.no_cot" for n in (5, 10, 20, 30, 50)}
SCORES |= {
    f"wide, {s} sources of depth {d}": f"synthchain_multi_sources_single_sink_s{s}_d{d}_el2.gpt-4o-mini.no_cot"
    for s in (3, 5)
    for d in (3, 5)
}
SCORES |= {
    f"line of 5, errors inserted: {n}": f"synthchain_insertion_v5_i{n}_el2.gpt-4o-mini.no_cot" for n in (1, 2, 5)
}
SCORES["recipe of 15, one ingredient missing"] = "recipe_graph3.gpt-4o-mini.no_cot3"
# What the release calls them. The printed rows of the three pairwise ones are those by contradiction.
NAMES = {
    "Entail-Base": "Entail-Raw",
    "ROSCOE-LI-Self": "ROSCOE-LI-Self-Contra",
    "ROSCOE-LI-Source": "ROSCOE-LI-Source-Contra",
    "ReCEval-Inter": "ReCEval-Inter-Contra",
    "ARES": "Stability-0.95",
    "ARES-1": "Stability",
    "ARES-0.95": "Stability-0.95",
    "ARES-bin-1": "Stability-bin",
    "ARES-bin-0.95": "Stability-bin-0.95",
}
PAIRWISE = ("ROSCOE-LI-Self", "ROSCOE-LI-Source", "ReCEval-Inter")


def printed_gaps(release):
    """(gap, set, method) of every printed figure that we keep."""
    for name, file in SCORES.items():
        folds = json.loads((release / "metrics/performance" / f"{file}.json").read_text())
        for method, printed in PRINTED[name].items():
            yield abs(fmean(folds[NAMES.get(method, method)]["f1"]) - printed), name, method


def by_entailment(release):
    """Mean macro-F1 of the pairwise detectors by entailment, where the release has them."""
    for name, file in SCORES.items():
        folds = json.loads((release / "metrics/performance" / f"{file}.json").read_text())
        figures = {method: round(fmean(folds[method]["f1"]), 3) for method in PAIRWISE if method in folds}
        if figures:
            yield name, figures


def recorded_gaps(release):
    """Of each recorded chain: the greatest gap of tau, computed again from answers and counts of its subsets."""
    for path in sorted((release / "results/stability_rate").glob("*/*.json")):
        recorded = json.loads(path.read_text())
        gaps = []
        for stated, row in zip(recorded["stability_rates"], recorded["stab_rate_results"], strict=True):
            answers, counts = row["stab_rate_results"]["y_pertbs"], row["stab_rate_results"]["counts"]
            tau = sum(a * c for a, c in zip(answers, counts, strict=True)) / sum(counts)
            gaps.append(abs(tau - stated))
        yield path.name, max(gaps)


def audits_again(release):
    """(share of violations by the paper's rule, mean phi, pairs that a rule calls different) of the released audits."""
    (path,) = sorted((release / "research_results").glob("*.json"))
    violations, phis, different = [], [], 0
    for audit in json.loads(path.read_text())["audit_results"]:
        before, after = (audit[name]["final_answer"] for name in ("original_trace", "intervened_trace"))
        is_same = tell_apart(first=before, second=after)
        semantic = audit["similarity_metrics"]["semantic_similarity"] if is_same is None else float(is_same)
        alike = measure_similarity(first=before, second=after, semantic=semantic)
        violations.append(paper_violation(similarity=alike, answer=before, answer_after=after))
        phis.append(1 - semantic)
        different += is_same is False
    return fmean(violations), fmean(phis), different


def main():
    release = Path(sys.argv[1])
    gaps = sorted(printed_gaps(release), reverse=True)
    print(
        f"{len(gaps)} printed figures; greatest gap to the mean of the released folds {gaps[0][0]:.4f} ({gaps[0][1:]})"
    )
    for name, figures in by_entailment(release):
        print(f"{name}, pairs by entailment: {figures}")
    for name, gap in recorded_gaps(release):
        print(f"recorded chain {name}: tau again from its answers, greatest gap {gap:.1e}")
    if len(sys.argv) > 2:
        share, phi, different = audits_again(Path(sys.argv[2]))
        print(f"thirty released audits again: violations {share:.3f}, mean phi {phi:.3f}, {different} called different")


if __name__ == "__main__":
    main()
