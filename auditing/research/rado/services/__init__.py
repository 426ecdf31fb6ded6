"""Everything that writes in a RADO loop: iterations, their audits, corrections by people, PROOF scores."""

from auditing.research.rado.records import EvaluationsRefusedError, ItemsRefusedError, read_evaluations
from auditing.research.rado.services.audits import NO_MODEL
from auditing.research.rado.services.corrections import CorrectionRefusedError, correct
from auditing.research.rado.services.iterations import open_loop, run, start_iteration, start_sampling
from auditing.research.rado.services.proof_scores import take_proof_scores

__all__ = [
    "NO_MODEL",
    "CorrectionRefusedError",
    "EvaluationsRefusedError",
    "ItemsRefusedError",
    "correct",
    "open_loop",
    "read_evaluations",
    "run",
    "start_iteration",
    "start_sampling",
    "take_proof_scores",
]
