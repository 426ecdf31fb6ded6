"""What soundness is compared with: the error detectors of the ARES paper on the same entailment model.

Source: ARES, section 4 (Entail-Prev, Entail-Base, LLM-Judge) and, pairwise in the manner of the cited methods,
ROSCOE-LI (Golovneva et al. 2023) and ReCEval (Prasad et al. 2023): ROSCOE-LI and ReCEval-Inter take the worst of their
pairs, as they are released. Every function returns one score a derived claim.

Still apart from what is released: ReCEval-Intra takes the claim before in place of a split of the step itself, and
LLM-Judge asks claim by claim in place of once for the whole chain.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import EntailmentModel, Query
from auditing.core.soundness.particles import ask_checked

__all__ = ["BASELINES", "entail_base", "entail_prev", "llm_judge", "receval_inter", "receval_intra", "roscoe_li"]

Scores = NDArray[np.float64]
Claims = Sequence[BaseClaim | DerivedClaim]
Baseline = Callable[[Chain, EntailmentModel], Scores]


def entail_prev(chain: Chain, model: EntailmentModel) -> Scores:
    """Entailment of each claim by everything before it, taken at its word: blind to propagated errors."""
    return _ask(chain, model, lambda k: [(*chain.base, *chain.derived[:k])])


def entail_base(chain: Chain, model: EntailmentModel) -> Scores:
    """Entailment of each claim by the base claims alone."""
    return _ask(chain, model, lambda k: [chain.base])


def llm_judge(chain: Chain, model: EntailmentModel) -> Scores:
    """One look at the whole chain: each claim judged with every other claim in view, later ones included."""
    return _ask(chain, model, lambda k: [(*chain.base, *chain.derived[:k], *chain.derived[k + 1 :])])


def roscoe_li_source(chain: Chain, model: EntailmentModel) -> Scores:
    """Worst single base claim as premise (ROSCOE-LI-Source)."""
    return _ask(chain, model, lambda k: [(claim,) for claim in chain.base], of_pairs=min)


def roscoe_li(chain: Chain, model: EntailmentModel) -> Scores:
    """Worst single earlier derived claim as premise (ROSCOE-LI-Self)."""
    return _ask(chain, model, lambda k: [(claim,) for claim in chain.derived[:k]], of_pairs=min)


def receval_intra(chain: Chain, model: EntailmentModel) -> Scores:
    """The claim just before as the only premise (the step inside itself, once premises are split off)."""
    return _ask(chain, model, lambda k: [chain.derived[k - 1 : k] if k else chain.base[-1:]])


def receval_inter(chain: Chain, model: EntailmentModel) -> Scores:
    """Worst single claim, base or derived, as premise."""
    return _ask(chain, model, lambda k: [(claim,) for claim in chain.claims[: len(chain.base) + k]], of_pairs=min)


def _ask(
    chain: Chain,
    model: EntailmentModel,
    premises: Callable[[int], Sequence[Claims]],
    of_pairs: Callable[[Sequence[float]], float] = max,
) -> Scores:
    """One entailment of those over the premise sets of each claim; 1 where it has none.

    premises: of derived claim k, the sets that it is asked under. All questions go out in one batch.
    """
    by_claim = [premises(k) for k in range(len(chain.derived))]
    queries = [
        _query(premise_set, claim)
        for claim, premise_sets in zip(chain.derived, by_claim, strict=True)
        for premise_set in premise_sets
    ]
    # One batch for all claims, taken apart in the order in which it was put together.
    answers = iter(ask_checked(model=model, queries=queries))
    return np.array([of_pairs([next(answers) for _ in sets]) if sets else 1.0 for sets in by_claim])


def _query(premises: Claims, hypothesis: DerivedClaim) -> Query:
    texts, ids = tuple(claim.text for claim in premises), tuple(claim.id for claim in premises)
    return Query(texts, hypothesis.text, ids, hypothesis.id)


BASELINES: dict[str, Baseline] = {
    "Entail-Prev": entail_prev,
    "Entail-Base": entail_base,
    "ROSCOE-LI-Self": roscoe_li,
    "ROSCOE-LI-Source": roscoe_li_source,
    "ReCEval-Intra": receval_intra,
    "ReCEval-Inter": receval_inter,
    "LLM-Judge": llm_judge,
}
