"""Consensus: votes -> round tally -> segment outcome -> trace outcome."""

from auditing.core.consensus.segment import SegmentDecision, adjudicate_segment, decide_segment
from auditing.core.consensus.tally import Tally, quorum, quorum_outcome, tally_round
from auditing.core.consensus.trace import SegmentOutcome, TraceOutcome, decide_trace

__all__ = [
    "SegmentDecision",
    "SegmentOutcome",
    "Tally",
    "TraceOutcome",
    "adjudicate_segment",
    "decide_segment",
    "decide_trace",
    "quorum",
    "quorum_outcome",
    "tally_round",
]
