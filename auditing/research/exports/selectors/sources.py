"""Which selector yields the rows of which data set; each gives mappings with exactly the columns of its data set."""

from collections.abc import Callable, Iterator

from auditing.research.exports.selectors.certificates import soundness
from auditing.research.exports.selectors.ledger import ledger
from auditing.research.exports.selectors.outcomes import outcomes
from auditing.research.exports.selectors.overruled import overruled
from auditing.research.exports.selectors.points import postings, reputation
from auditing.research.exports.selectors.remarks import remarks
from auditing.research.exports.selectors.scope import Scope
from auditing.research.exports.selectors.segments import edges, segments
from auditing.research.exports.selectors.steps import steps
from auditing.research.exports.selectors.streams import Row
from auditing.research.exports.selectors.votes import criteria, evidence, votes

SOURCES: dict[str, Callable[[Scope], Iterator[Row]]] = {
    "segments": segments,
    "edges": edges,
    "votes": votes,
    "criteria": criteria,
    "evidence": evidence,
    "outcomes": outcomes,
    "steps": steps,
    "remarks": remarks,
    "overruled": overruled,
    "soundness": soundness,
    "postings": postings,
    "reputation": reputation,
    "ledger": ledger,
}
