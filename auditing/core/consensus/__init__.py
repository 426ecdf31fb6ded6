"""Consensus: votes -> round tally -> segment outcome -> trace outcome."""

from auditing.core.consensus.followers import Heard
from auditing.core.consensus.rounds import RevealedRound, RoundDecision, decide_round
from auditing.core.consensus.segment import (
    SegmentDecision,
    adjudicate_segment,
    close_planned,
    decide_segment,
    follow_planned,
    question_refuted,
)
from auditing.core.consensus.tally import Tally, quorum, quorum_outcome, tally_round
from auditing.core.consensus.trace import SegmentOutcome, TraceOutcome, decide_trace, passage_state

__all__ = [
    "Heard",
    "RevealedRound",
    "RoundDecision",
    "SegmentDecision",
    "SegmentOutcome",
    "Tally",
    "TraceOutcome",
    "adjudicate_segment",
    "close_planned",
    "decide_round",
    "decide_segment",
    "decide_trace",
    "follow_planned",
    "passage_state",
    "question_refuted",
    "quorum",
    "quorum_outcome",
    "tally_round",
]
