"""Soundness of a reasoning chain with a certificate: independent particles over declared premises.

Each particle draws which base claims hold, then goes through the derived claims in order: a claim holds in it with the
probability that those of its premises which hold entail it. The soundness tau of a claim is its expected entailment,
estimated by the mean over particles. Particles are independent, so Hoeffding's inequality and a union bound certify
every estimate at once. Source: ARES, section 3 and theorem 3.1; particles instead of the released resampling loop,
whose estimates drift (docs/formulas.md section 2).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditing.core.soundness.claims import Chain
from auditing.core.soundness.entailment import EntailmentModel, Query

__all__ = [
    "Certificate",
    "ClaimSoundness",
    "ParticleRun",
    "certify",
    "exact_soundness",
    "particles_needed",
    "sample_particles",
]

UNKNOWN = 0.5  # what an entailment model answers when it cannot tell
Bits = NDArray[np.bool_]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ParticleRun:
    """What the particles saw: entailments[i, k] for particle i and derived claim k, and the questions it took."""

    entailments: Scores  # shape (particles, derived claims)
    calls: int
    batches: int
    settled: bool  # every prior and every entailment was 0 or 1, so nothing was left to chance


@dataclass(frozen=True, slots=True)
class ClaimSoundness:
    """tau of one claim with its interval; `local` is its entailment when all its premises are granted (if asked).

    context: by which premises (second_look.py). looked_at: a claim below this threshold was given everything earlier
    before it could be called unsound; 1 where no second look was meant. declared: the figure that a second replaced.
    """

    id: str
    tau: float
    low: float
    high: float
    local: float | None = None
    context: str = ""
    looked_at: float = 1.0
    declared: float | None = None

    def verdict(self, threshold: float) -> str:
        """'sound', 'open', 'local error' (does not follow even from granted premises), 'propagated error', 'unsound'.

        Open: the model does not know even with all premises granted (.5), or the interval holds the threshold, so
        that the certificate cannot say on which side the claim lies, or the claim was sound at the threshold of the
        run and would be unsound at this one without a second look.
        """
        if self.local == UNKNOWN or (self.low < threshold <= self.high and self.low < self.high):
            return "open"
        if self.tau >= threshold:
            return "sound"
        # Above the threshold of its run it was never looked at twice, so that no one may call it unsound at another.
        if self.tau >= self.looked_at:
            return "open"
        if self.local is None:
            return "unsound"
        return "local error" if self.local < threshold else "propagated error"


@dataclass(frozen=True, slots=True)
class Certificate:
    """Simultaneous intervals for every claim of a chain: a statement about this entailment model, not about truth."""

    model: str
    epsilon: float
    delta: float
    particles: int
    calls: int
    batches: int
    settled: bool
    claims: tuple[ClaimSoundness, ...]
    premises: str = "declared"
    of: int | None = None  # claims of the chain, where some of them are left out

    @property
    def statement(self) -> str:
        """The certificate in words, as pages and exports print it; without all claims its first word is "Partial"."""
        if self.of is None or self.of == len(self.claims):
            return self._statement
        return (
            f"Partial: {len(self.claims)} of {self.of} claims; questions about the others, or about what they lean on, "
            f"were not answered. {self._statement}"
        )

    @property
    def _statement(self) -> str:
        subject = f"the expected entailment that {self.model} assigns to each of {len(self.claims)} claims"
        limits = "It certifies the estimate under this entailment model; it does not certify that a claim is true."
        if self.settled:
            exact = f"These are exactly {subject}: every answer was 0 or 1, so nothing was sampled."
            return f"{exact} {self._looks} {limits}"
        return (
            f"With probability at least {1 - self.delta:g}, {subject} lies within {self.epsilon:g} of the figure "
            f"shown, for all claims at once ({self.particles} independent particles, {self.calls} questions). "
            f"{self._looks} {limits}"
        )

    @property
    def _looks(self) -> str:
        """Which premises the figures stand under, in words."""
        if self.premises == "all":
            return "Every claim was granted everything before it as a premise."
        if self.premises == "declared":
            return "Every claim was granted the premises that it declares, and no others."
        replaced = sum(claim.declared is not None for claim in self.claims)
        return (
            "Claims were judged by the premises that they declare; none is called unsound before everything earlier "
            f"was granted too (each look at half of delta; for {replaced} the second, higher figure stands)."
        )

    @property
    def mean(self) -> float:
        """Mean soundness: selects the best of N chains by all claims."""
        return float(np.mean([claim.tau for claim in self.claims])) if self.claims else 1.0

    @property
    def last(self) -> float:
        """Soundness of the last claim: selects the best of N chains by where they end."""
        return self.claims[-1].tau if self.claims else 1.0


def particles_needed(*, derived: int, epsilon: float = 0.1, delta: float = 0.1) -> int:
    """Particles that certify `derived` claims at once: N = ceil(ln(2 m / delta) / (2 epsilon^2)).

    Source: ARES, theorem 3.1 (Hoeffding and a union bound). Raises ValueError outside 0 < epsilon, delta < 1.

    >>> [particles_needed(derived=m) for m in (4, 9, 19, 49)]
    [220, 260, 298, 345]
    """
    if not (0 < epsilon < 1 and 0 < delta < 1):
        raise ValueError(f"epsilon and delta must lie between 0 and 1, not {epsilon} and {delta}")
    return math.ceil(math.log(2 * max(derived, 1) / delta) / (2 * epsilon**2))


def sample_particles(*, chain: Chain, model: EntailmentModel, particles: int, seed: int) -> ParticleRun:
    """Draw `particles` independent particles through the chain, asking about each distinct premise set once.

    Each level of the chain costs one batch; a claim with h declared premises costs at most 2^h questions however
    many particles there are. Raises ValueError when the model answers outside [0, 1] or not once for each question.
    """
    rng = np.random.default_rng(seed)
    ahead = len(chain.base)
    # 1. Base claims: particle i holds claim j with the claim's prior.
    holds = np.empty((particles, ahead + len(chain.derived)), dtype=np.bool_)
    holds[:, :ahead] = rng.random((particles, ahead)) < np.array([claim.prior for claim in chain.base])
    entailments = np.empty((particles, len(chain.derived)))
    calls, settled = 0, all(claim.prior in (0.0, 1.0) for claim in chain.base)
    # 2. Derived claims, one level at a time: none of a level leans on another of it, so all can be asked together.
    for level in chain.levels:
        # Particles that hold the same premises ask the same question; only distinct ones go to the model.
        patterns = [_patterns(holds[:, list(chain.parents[k])]) for k in level]
        queries = [chain.query(k, row) for k, (rows, _) in zip(level, patterns, strict=True) for row in rows]
        answers = ask_checked(model=model, queries=queries)
        calls += len(queries)
        settled = settled and bool(np.isin(answers, (0.0, 1.0)).all())
        # 3. Answers come in the order of the questions; each particle takes the one to its own premise set and draws.
        for k, (rows, which) in zip(level, patterns, strict=True):
            own, answers = answers[: len(rows)], answers[len(rows) :]
            entailments[:, k] = own[which]
            holds[:, ahead + k] = rng.random(particles) < entailments[:, k]
    return ParticleRun(entailments, calls, len(chain.levels), settled)


def certify(
    *,
    chain: Chain,
    model: EntailmentModel,
    seed: int,
    epsilon: float = 0.1,
    delta: float = 0.1,
    tell_local: bool = True,
) -> Certificate:
    """Estimate tau of every derived claim with |error| <= epsilon for all at once, with probability 1 - delta.

    One particle is enough when nothing is left to chance, so it goes first; otherwise N from `particles_needed`
    follow. `tell_local` also asks about each claim with all its premises granted. Raises ValueError as
    `sample_particles` does.
    """
    memory = _Remembered(model)
    many = particles_needed(derived=len(chain.derived), epsilon=epsilon, delta=delta)
    # With answers of 0 and 1 alone every particle is the same: the first one saves hundreds.
    run = sample_particles(chain=chain, model=memory, particles=1, seed=seed)
    if not run.settled:
        run = sample_particles(chain=chain, model=memory, particles=many, seed=seed)
    every = [chain.query(k, [True] * len(parents)) for k, parents in enumerate(chain.parents)]
    granted = memory.entail(every) if tell_local else [None] * len(every)
    half = 0.0 if run.settled else epsilon
    claims = tuple(
        ClaimSoundness(claim.id, tau, max(0.0, tau - half), min(1.0, tau + half), local)
        for claim, tau, local in zip(chain.derived, map(float, run.entailments.mean(axis=0)), granted, strict=True)
    )
    drawn = 1 if run.settled else many
    return Certificate(model.name, half, delta, drawn, memory.calls, memory.batches, run.settled, claims)


def exact_soundness(*, chain: Chain, model: EntailmentModel, max_states: int = 100_000) -> Scores:
    """Exact tau of every derived claim by dynamic programming over the claims that are still needed.

    State = which of the needed claims hold; a claim enters when first used and leaves after its last use, so a chain
    costs a handful of states at any length. Raises ValueError when more than `max_states` states would be needed.
    """
    ahead, last_use = len(chain.base), {}
    for k, parents in enumerate(chain.parents):
        last_use.update(dict.fromkeys(parents, k))  # a later claim overwrites an earlier one
    # probability of each set of claims that hold, of those that later claims still lean on
    states: dict[frozenset[int], float] = {frozenset(): 1.0}
    entered: set[int] = set()
    taus = np.empty(len(chain.derived))
    for k, parents in enumerate(chain.parents):
        # 1. Base claims enter with their priors when they are first needed.
        for position in (p for p in parents if p < ahead and p not in entered):
            entered.add(position)
            states = _split(states, position, dict.fromkeys(states, chain.base[position].prior))
        # 2. The model is asked once about each distinct set of premises that can hold.
        sets = sorted({state.intersection(parents) for state in states}, key=sorted)
        queries = [chain.query(k, [p in granted for p in parents]) for granted in sets]
        answer = dict(zip(sets, map(float, ask_checked(model=model, queries=queries)), strict=True))
        entailed = {state: answer[state.intersection(parents)] for state in states}
        # 3. tau_k is the mean entailment over states; then the claim itself enters, and what is used up leaves.
        taus[k] = sum(weight * entailed[state] for state, weight in states.items())
        states = _forget(_split(states, ahead + k, entailed), {p for p, use in last_use.items() if use > k})
        if len(states) > max_states:
            raise ValueError(f"exact soundness needs more than {max_states} states at claim {chain.derived[k].id}")
    return taus


def ask_checked(*, model: EntailmentModel, queries: Sequence[Query]) -> Scores:
    """The model's answers as an array. Raises ValueError unless there is one probability for each query."""
    answers = np.asarray(model.entail(queries), dtype=np.float64)
    if answers.shape != (len(queries),) or not bool(((answers >= 0) & (answers <= 1)).all()):
        raise ValueError(f"{model.name} must answer {len(queries)} queries with one probability each")
    return answers


class _Remembered:
    """Asks a model each distinct question once and counts."""

    def __init__(self, model: EntailmentModel) -> None:
        self.name, self._model, self._answers = model.name, model, dict[Query, float]()
        self.calls = self.batches = 0

    def entail(self, queries: Sequence[Query]) -> list[float]:
        new = list(dict.fromkeys(query for query in queries if query not in self._answers))
        if new:
            self._answers.update(zip(new, map(float, ask_checked(model=self._model, queries=new)), strict=True))
            self.calls, self.batches = self.calls + len(new), self.batches + 1
        return [self._answers[query] for query in queries]


def _patterns(holds: Bits) -> tuple[Bits, NDArray[np.intp]]:
    """Distinct rows of `holds` (particles, premises) and, for each particle, the number of its row among them."""
    if holds.shape[1] == 0:
        return np.zeros((1, 0), dtype=np.bool_), np.zeros(len(holds), dtype=np.intp)
    # Rows packed into bytes and read as one opaque value each: sorting those is faster than sorting rows of booleans.
    packed = np.ascontiguousarray(np.packbits(holds, axis=1))
    keys = packed.ravel() if packed.shape[1] == 1 else packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return holds[first], which


def _split(
    states: Mapping[frozenset[int], float], position: int, chance: Mapping[frozenset[int], float]
) -> dict[frozenset[int], float]:
    """States in which the claim at `place` holds (by chance[state]) or does not."""
    split: dict[frozenset[int], float] = {}
    for state, weight in states.items():
        for successor, share in ((state | {position}, chance[state]), (state, 1.0 - chance[state])):
            if share > 0:  # impossible states would only multiply
                split[successor] = split.get(successor, 0.0) + weight * share
    return split


def _forget(states: Mapping[frozenset[int], float], needed: set[int]) -> dict[frozenset[int], float]:
    """Merge states that differ only in claims that nobody asks about any more."""
    merged: dict[frozenset[int], float] = {}
    for state, weight in states.items():
        merged[state & needed] = merged.get(state & needed, 0.0) + weight
    return merged
