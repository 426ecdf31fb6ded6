"""What soundness is compared with: the error detectors of the ARES paper on the same entailment model.

Source: ARES, section 4 (Entail-Prev, Entail-Base, LLM-Judge) and, pairwise in the manner of the cited methods,
ROSCOE-LI (Golovneva et al. 2023) and ReCEval (Prasad et al. 2023): ROSCOE-LI and ReCEval-Inter take the worst of their
pairs, ReCEval-Intra asks whether a step follows from itself, LLM-Judge asks once for the whole chain, as they are
released. Every function returns one score a derived claim.

Apart from what is released: a step is split into premises and conclusion by its clauses, in place of a model's word.
"""

import re
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import EntailmentModel, Query
from auditing.core.soundness.particles import ask_checked

__all__ = [
    "BASELINES",
    "ChainJudge",
    "entail_base",
    "entail_prev",
    "in_view",
    "llm_judge",
    "receval_inter",
    "receval_intra",
    "roscoe_li",
    "split_step",
]

Scores = NDArray[np.float64]
Claims = Sequence[BaseClaim | DerivedClaim]
Baseline = Callable[[Chain, EntailmentModel], Scores]
# Where one clause of a step ends and the next begins; what stands in brackets stays together.
_CLAUSE = re.compile(r"(?<=[.;!?])\s+|,\s+(?![^()]{0,80}\))|\s+(?=(?:so|therefore|hence|thus)\b)", re.IGNORECASE)


@runtime_checkable
class ChainJudge(Protocol):
    """A model that can be asked about all claims of a chain in one question."""

    def judge_chain(self, chain: Chain) -> Sequence[float]:
        """How probable it is that each derived claim is right, in order."""
        ...


def entail_prev(chain: Chain, model: EntailmentModel) -> Scores:
    """Entailment of each claim by everything before it, taken at its word: blind to propagated errors."""
    return _ask(chain, model, lambda k: [(*chain.base, *chain.derived[:k])])


def entail_base(chain: Chain, model: EntailmentModel) -> Scores:
    """Entailment of each claim by the base claims alone."""
    return _ask(chain, model, lambda k: [chain.base])


def llm_judge(chain: Chain, model: EntailmentModel) -> Scores:
    """One question for the whole chain; a model that takes none is asked claim by claim, the others in view."""
    # The claim-by-claim way has the same view, but costs a question a claim.
    if isinstance(model, ChainJudge):
        return np.array(model.judge_chain(chain), dtype=np.float64)
    return np.array(ask_checked(model=model, queries=in_view(chain)))


def in_view(chain: Chain) -> list[Query]:
    """Each derived claim beside all other claims, later ones included: what a look at the whole chain shows of it."""
    queries = []
    for k, claim in enumerate(chain.derived):
        others: Claims = (*chain.base, *chain.derived[:k], *chain.derived[k + 1 :])
        queries.append(_query(others, claim))
    return queries


def roscoe_li_source(chain: Chain, model: EntailmentModel) -> Scores:
    """Worst single base claim as premise (ROSCOE-LI-Source)."""
    return _ask(chain, model, lambda k: [(claim,) for claim in chain.base], of_pairs=min)


def roscoe_li(chain: Chain, model: EntailmentModel) -> Scores:
    """Worst single earlier derived claim as premise (ROSCOE-LI-Self)."""
    return _ask(chain, model, lambda k: [(claim,) for claim in chain.derived[:k]], of_pairs=min)


def receval_intra(chain: Chain, model: EntailmentModel) -> Scores:
    """Whether the conclusion of each step follows from the premises that the step itself states; 1 without any."""
    parts = [split_step(claim.text) for claim in chain.derived]
    queries = [
        Query(premises, conclusion, hypothesis_id=claim.id)
        for (premises, conclusion), claim in zip(parts, chain.derived, strict=True)
        if premises
    ]
    # A step that states no premise of its own cannot disagree with itself.
    answers = iter(ask_checked(model=model, queries=queries))
    return np.array([next(answers) if premises else 1.0 for premises, _ in parts])


def split_step(text: str) -> tuple[tuple[str, ...], str]:
    """(premises, conclusion) of a step by its clauses: the last one is the conclusion.

    >>> split_step("Anna has 3 pens, Bo has 1,200, so they have 1,203.")
    (('Anna has 3 pens', 'Bo has 1,200'), 'so they have 1,203.')
    """
    clauses = [clause.strip() for clause in _CLAUSE.split(text) if clause.strip()]
    return (tuple(clauses[:-1]), clauses[-1]) if clauses else ((), text)


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
