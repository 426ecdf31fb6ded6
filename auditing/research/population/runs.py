"""What a simulated crowd is asked, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from auditing.core.consensus.ballots import Ballots
from auditing.core.policy import Policy
from auditing.core.values import Outcome
from auditing.research.conduct.core import Suspicion
from auditing.research.population.accounts import Account
from auditing.research.population.conducts import MODEL_ACCURACY, Auditor, Conduct


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is simulated. suspends: whether low reputations leave the draw, as they do.

    gold: share of seats on gold; misleading: on gold that models fail on, within it; transfer: the chance that the
    pasters' model fails there too (1 when it is a model of the house). waves: passages of a trace, which is asked about
    in waves as the policy plans them; 0: each passage by itself, by `votes` auditors.
    """

    mix: Mapping[Conduct, int]
    policy: Policy
    passages: int = 10_000
    votes: int = 3
    waves: int = 0
    gold: Decimal = Decimal("0.1")
    misleading: Decimal = Decimal(0)
    transfer: float = 1.0
    model_accuracy: float = MODEL_ACCURACY
    suspends: bool = True


@dataclass(frozen=True, slots=True)
class Decided:
    """One ordinary passage: the truth, what was believed, what came out; hung: an adjudicator decided."""

    number: int
    valid: bool
    posterior: float
    outcome: Outcome
    hung: bool


@dataclass(frozen=True, slots=True)
class DecidedTrace:
    """One ordinary trace that was asked about in waves; seats: of people; hung: an adjudicator was heard."""

    valid: bool
    outcome: Outcome
    seats: int
    waves: int
    hung: bool


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A run with everything that the report counts."""

    setting: Setting
    crowd: tuple[Auditor, ...]
    accounts: tuple[Account, ...]
    decided: tuple[Decided, ...]
    ballots: Ballots
    truth: tuple[bool, ...]
    suspicions: tuple[Suspicion, ...]
    nights_learned: int  # nights on which EM was taken
    nights: int
    traces: tuple[DecidedTrace, ...] = ()
