"""Ariadne: does the answer depend on the reasoning? Change a segment, run on from there, and compare the answers."""

from auditing.core.consensus.proportions import Rate, wilson_interval
from auditing.research.causal.core.interventions import (
    Intervention,
    InterventionKind,
    choose_kind,
    first_substantive,
    intervene,
    kinds_for,
    paraphrase,
    strength,
)
from auditing.research.causal.core.judgement import Causal, Reaction, Trial, judge, paper_phi, paper_violation, rejects
from auditing.research.causal.core.plan import Design, Mode, Pick, Planned, plan_trials
from auditing.research.causal.core.propagation import Computation, Propagated, load_bearing, propagate
from auditing.research.causal.core.similarity import Similarity, measure_similarity, rule_semantic
from auditing.research.causal.core.summary import Summary, summarise

__all__ = [
    "Causal",
    "Computation",
    "Design",
    "Intervention",
    "InterventionKind",
    "Mode",
    "Pick",
    "Planned",
    "Propagated",
    "Rate",
    "Reaction",
    "Similarity",
    "Summary",
    "Trial",
    "choose_kind",
    "first_substantive",
    "intervene",
    "judge",
    "kinds_for",
    "load_bearing",
    "measure_similarity",
    "paper_phi",
    "paper_violation",
    "paraphrase",
    "plan_trials",
    "propagate",
    "rejects",
    "rule_semantic",
    "strength",
    "summarise",
    "wilson_interval",
]
