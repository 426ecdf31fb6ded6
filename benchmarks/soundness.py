"""Soundness beside the released loop, which is followed step by step in code of our own, in the same run.

Prints for chains of 10 to 50 states: questions a chain, seconds a chain, P(max |error| > eps) against the exact tau,
and macro-F1 under the same noise. `--http` adds 20 chains a length over a loopback server in its own process.

    python benchmarks/soundness.py [--chains 20] [--runs 200] [--http]
"""

import argparse
import math
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from auditing.core.soundness.claims import BaseClaim, Chain
from auditing.core.soundness.entailment import Confirmed, NoisyOracle, Oracle
from auditing.core.soundness.particles import certify, exact_soundness, particles_needed
from auditing.research.soundness.core.thresholds import five_fold
from auditing.research.studies.chains.whole_judge import CountedChains as Counted
from auditing.research.studies.instruments.baselines import BASELINES
from auditing.research.studies.instruments.claimtree_chains import follows, make_line
from auditing.services.model_tier.judges.entailment import ModelEntailment

LENGTHS = (10, 20, 30, 50)
EPSILON = DELTA = 0.1


def released_loop(chain, model, rng):
    """The released sampling: counted subsets, drawn again with replacement before every claim, scaled up with ceil.

    The first claim too draws from what was drawn: without that draw (as here until November 2026) more distinct
    subsets are left, 2,128 questions at 50 states in place of 1,870.
    """
    n = particles_needed(derived=len(chain.derived))
    pool = Counter(map(tuple, rng.random((n, len(chain.base))) <= [claim.prior for claim in chain.base]))
    taus, whole = [], chain.undeclared()
    for k in range(len(chain.derived)):
        # 1. Draw n of the counted subsets, with replacement.
        counted = list(pool)
        weights = np.array([pool[subset] for subset in counted])
        pool = Counter(counted[i] for i in rng.choice(len(counted), size=n, p=weights / weights.sum()))
        # 2. Ask about each distinct one, and once with every premise.
        subsets, counts = list(pool), np.array(list(pool.values()))
        model.entail([whole.query(k, [True] * (len(chain.base) + k))])
        scores = np.array(model.entail([whole.query(k, subset) for subset in subsets]))
        taus.append(float((scores * counts).sum() / counts.sum()))
        # 3. Each goes on with and without the claim; the least share that is not 0 becomes a whole count.
        shares = np.concatenate([scores, 1 - scores])
        scale = 1 / shares[shares > 0].min()
        pool = Counter()
        for bit, outcomes in ((True, scores), (False, 1 - scores)):
            for subset, count, share in zip(subsets, counts, outcomes, strict=True):
                if share > 0:
                    pool[(*subset, bit)] += math.ceil(count * share * scale)
    return np.array(taus)


def with_prior(chain, prior):
    return Chain(tuple(BaseClaim(c.id, c.text, prior) for c in chain.base), chain.derived)


def speed_and_certificate(length, chains, runs):
    """Calls, seconds and violations of both, hard oracle, p = .95 (the setting of the released figures)."""
    rows = {}
    for name in ("released loop", "ours"):
        counted, violations, took = Counted(Oracle(follows)), 0, 0.0
        for n in range(max(chains, runs)):
            chain = with_prior(make_line(length=length, seed=n % chains).chain, 0.95)
            exact = exact_soundness(chain=chain, model=Oracle(follows))
            began = time.perf_counter()
            if name == "ours":
                found = certify(chain=chain, model=counted, seed=n, tell_local=False)
                taus = np.array([claim.tau for claim in found.claims])
            else:
                taus = released_loop(chain, counted, np.random.default_rng(n))
            took += time.perf_counter() - began
            violations += bool(np.abs(taus - exact).max() > EPSILON)
        many = max(chains, runs)
        rows[name] = counted.calls / many, took / many, violations / many
    return rows


def quality(length, chains, rate):
    """Macro-F1 on corrected labels and questions a chain, all on the same noisy oracle; p = 1."""
    noisy = NoisyOracle(Oracle(follows), rate)
    trees = [make_line(length=length, seed=s) for s in range(chains)]
    sound = [np.array(tree.corrected) for tree in trees]

    def fold(score):
        counted = Counted(noisy)
        scores = [score(tree.chain, counted) for tree in trees]
        return five_fold(scores=scores, sound=sound, seed=1).mean, counted.calls / chains

    def taus(chain, model, **options):
        return np.array([c.tau for c in certify(chain=chain, model=model, seed=1, **options).claims])

    yield "ours (default)", *fold(lambda c, m: taus(c, Confirmed(m), epsilon=0.02, tell_local=False))
    yield "ours, local errors told too", *fold(lambda c, m: taus(c, Confirmed(m), epsilon=0.02))
    yield "i.i.d. particles, p = 1", *fold(lambda c, m: taus(c.undeclared(), m, tell_local=False))
    few = trees[:10]
    counted = Counted(noisy)
    scores = [taus(tree.chain.undeclared(prior=0.95), counted, tell_local=False) for tree in few]
    score = five_fold(scores=scores, sound=sound[:10], seed=1).mean
    yield "i.i.d. particles, p = .95 (10 chains)", score, counted.calls / len(few)
    for name, baseline in BASELINES.items():
        yield name, *fold(baseline)


def over_http(length, chains):
    """The default on a noisy model behind a loopback server."""
    from hdag.chat.address import read_allowlist
    from hdag.chat.client import ChatClient
    from hdag.chat.endpoint import EndpointSettings
    from tests.doubles.chat_server import run_server

    with run_server() as server:
        endpoint = EndpointSettings("loopback", server.url("noisy-0.1"), "m-1", max_concurrency=4)
        with ChatClient(endpoint, allowed=read_allowlist(server.origin)) as client:
            trees = [make_line(length=length, seed=s) for s in range(chains)]
            counted = Counted(ModelEntailment(client, "benchmark"))
            began = time.perf_counter()
            found = [certify(chain=t.chain, model=Confirmed(counted), seed=1, tell_local=False) for t in trees]
            took = time.perf_counter() - began
    scores = [np.array([claim.tau for claim in one.claims]) for one in found]
    f1 = five_fold(scores=scores, sound=[np.array(t.corrected) for t in trees], seed=1).mean
    return f1, counted.calls / chains, took / chains


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chains", type=int, default=20)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--error", type=float, default=0.1)
    parser.add_argument("--http", action="store_true")
    options = parser.parse_args()
    for length in LENGTHS:
        print(f"\n{length} states")
        rows = speed_and_certificate(length, options.chains, options.runs)
        for name, (calls, seconds, violated) in rows.items():
            print(f"  {name:<40} {calls:8.1f} questions  {seconds:8.4f} s  P(error > {EPSILON}) = {violated:.3f}")
        ratio = rows["released loop"][0] / rows["ours"][0], rows["released loop"][1] / rows["ours"][1]
        print(f"  released / ours: {ratio[0]:.1f} times the questions, {ratio[1]:.1f} times the time")
        for name, f1, calls in quality(length, options.chains, options.error):
            print(f"  {name:<40} macro-F1 {f1:.3f}  {calls:8.1f} questions")
        if options.http:
            f1, calls, seconds = over_http(length, options.chains)
            print(f"  {'over loopback HTTP':<40} macro-F1 {f1:.3f}  {calls:8.1f} questions  {seconds:.2f} s a chain")


if __name__ == "__main__":
    main()
