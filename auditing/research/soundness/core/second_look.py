"""Which premises a claim is judged by: those it declares, everything before it, or the second after the first.

Declared premises alone call many right claims unsound, because what a trace (or a rule that reads it) declares is
rarely all that a step uses. So no claim is called unsound before everything earlier was granted to it as well: the
chain is certified twice, each time at delta / 2, and the second figure of a claim replaces its first only upward. Both
families of intervals hold at once with probability 1 - delta, whichever of its two figures a claim is given.
Source: ARES, section 3 (all earlier claims); docs/formulas.md section 2.
"""

from collections.abc import Collection
from dataclasses import replace
from enum import StrEnum

from auditing.core.soundness.claims import Chain
from auditing.core.soundness.entailment import EntailmentModel
from auditing.core.soundness.particles import Certificate, ClaimSoundness, certify

__all__ = ["Context", "Premises", "certify_by", "is_doubtful", "with_everything_earlier"]

# Verdicts that call a claim neither sound nor open.
_SETTLED_WELL = frozenset({"sound", "open"})


class Premises(StrEnum):
    """What a claim may lean on."""

    DECLARED_FIRST = "declared first"  # declared premises, then everything earlier before a claim is called unsound
    ALL = "all"  # everything earlier, as the paper
    DECLARED = "declared"  # declared premises alone


class Context(StrEnum):
    """By which premises the figure of a claim was estimated."""

    DECLARED = "declared"
    EARLIER = "everything earlier"


def certify_by(
    *,
    chain: Chain,
    model: EntailmentModel,
    seed: int,
    premises: Premises = Premises.DECLARED_FIRST,
    limits: tuple[float, float] = (0.1, 0.1),
    threshold: float = 0.5,
) -> Certificate:
    """The certificate of a chain by the chosen premises; `limits` are epsilon and delta, `threshold` calls unsound.

    Declared first: a claim that the first look calls unsound, and only such a claim, leans on everything earlier in the
    second; the others keep what they declare, so that the second look stays cheap. Its particles are drawn anew.
    Raises ValueError as `certify` does.
    """
    epsilon, delta = limits
    if premises is not Premises.DECLARED_FIRST:
        wanted = chain if premises is Premises.DECLARED else chain.undeclared()
        only = certify(chain=wanted, model=model, seed=seed, epsilon=epsilon, delta=delta)
        context = Context.DECLARED if premises is Premises.DECLARED else Context.EARLIER
        return replace(only, premises=str(premises), claims=tuple(replace(c, context=context) for c in only.claims))
    first = certify(chain=chain, model=model, seed=seed, epsilon=epsilon, delta=delta / 2)
    doubtful = {claim.id for claim in first.claims if is_doubtful(claim=claim, threshold=threshold)}
    wider = with_everything_earlier(chain=chain, doubtful=doubtful)
    if wider.parents == chain.parents:
        claims = tuple(replace(claim, context=Context.DECLARED, looked_at=threshold) for claim in first.claims)
        return replace(first, premises=str(premises), delta=delta, claims=claims)
    # Another seed: the choice of what to look at again rests on the particles of the first look.
    second = certify(chain=wider, model=model, seed=seed + 1, epsilon=epsilon, delta=delta / 2)
    return _joined(first, second, doubtful, delta, threshold)


def is_doubtful(*, claim: ClaimSoundness, threshold: float) -> bool:
    """Whether a claim would be called unsound."""
    return claim.verdict(threshold) not in _SETTLED_WELL


def with_everything_earlier(*, chain: Chain, doubtful: Collection[str]) -> Chain:
    """The chain in which the doubtful claims lean on everything before them."""
    derived = tuple(replace(claim, premises=None) if claim.id in doubtful else claim for claim in chain.derived)
    return Chain(chain.base, derived)


def _joined(
    first: Certificate, second: Certificate, doubtful: Collection[str], delta: float, threshold: float
) -> Certificate:
    """Each claim at the higher of its two figures."""
    pairs = zip(first.claims, second.claims, strict=True)
    claims = tuple(_higher(early, late, early.id in doubtful, threshold) for early, late in pairs)
    return replace(
        first,
        premises=str(Premises.DECLARED_FIRST),
        # An interval of the sampled look holds within epsilon, one of a settled look exactly.
        epsilon=max(first.epsilon, second.epsilon),
        delta=delta,
        particles=max(first.particles, second.particles),
        calls=first.calls + second.calls,
        batches=first.batches + second.batches,
        settled=first.settled and second.settled,
        claims=claims,
    )


def _higher(first: ClaimSoundness, second: ClaimSoundness, is_doubtful: bool, threshold: float) -> ClaimSoundness:
    if not is_doubtful or second.tau <= first.tau:
        return replace(first, context=Context.DECLARED, looked_at=threshold)
    return replace(second, context=Context.EARLIER, looked_at=threshold, declared=first.tau)
