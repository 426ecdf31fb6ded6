"""Temperature scaling of an entailment model: its log-odds divided by one number that is fitted on labelled data.

Source: Guo et al. 2017, section 4.2; ARES, appendix C.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditing.core.soundness.entailment import EntailmentModel, Query

__all__ = ["Rescaled", "at_temperature", "fit_temperature", "log_loss", "rescale"]

Scores = NDArray[np.float64]
_EDGE = 1e-6  # keeps log-odds finite


@dataclass(frozen=True, slots=True)
class Rescaled:
    """A model whose probabilities are rescaled: sigmoid(logit(p) / temperature)."""

    model: EntailmentModel
    temperature: float = 1.0

    @property
    def name(self) -> str:
        """Name with the temperature."""
        return f"{self.model.name} at temperature {self.temperature:.3g}"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """Rescaled probabilities."""
        raw = np.asarray(self.model.entail(queries), dtype=np.float64)
        return [float(value) for value in rescale(scores=raw, temperature=self.temperature)]


def at_temperature(*, model: EntailmentModel, temperature: float) -> EntailmentModel:
    """The model rescaled; the model itself at temperature 1. Raises ValueError unless the temperature is above 0."""
    if not temperature > 0:
        raise ValueError(f"the temperature must be above 0, not {temperature}")
    return model if temperature == 1 else Rescaled(model, temperature)


def log_loss(*, scores: Scores, labels: Scores) -> float:
    """Mean of -log of what was stated for the label; certainty counts as .999, as where a temperature is fitted.

    >>> round(log_loss(scores=np.array([0.5, 0.5]), labels=np.array([1.0, 0.0])), 3)
    0.693
    """
    inner = np.clip(scores, 1e-3, 1 - 1e-3)
    return float(-np.log(np.where(np.asarray(labels) > 0, inner, 1 - inner)).mean())


def rescale(*, scores: Scores, temperature: float) -> Scores:
    """Temperature scaling, sigmoid(logit(p) / T); 0, .5 and 1 stay where they are.

    Source: Guo et al. 2017, section 4.2. Raises ValueError unless T > 0.

    >>> [round(float(p), 3) for p in rescale(scores=np.array([0.2, 0.5, 0.8, 1.0]), temperature=0.5)]
    [0.059, 0.5, 0.941, 1.0]
    """
    if not temperature > 0:
        raise ValueError(f"the temperature must be above 0, not {temperature}")
    inner = np.clip(scores, _EDGE, 1 - _EDGE)
    # exp(+-700) is the largest power that a double holds
    scaled = 1.0 / (1.0 + np.exp(np.clip(-np.log(inner / (1 - inner)) / temperature, -700, 700)))
    return np.where(scores <= 0, 0.0, np.where(scores >= 1, 1.0, scaled))


def fit_temperature(*, scores: Scores, labels: Scores) -> float:
    """The temperature in [.05, 20] with the least log loss on labelled entailments, by golden section on log T.

    scores, labels: equal length, labels 0 / 1. A model that is never wrong gets the lowest temperature. Raises
    ValueError on an empty or unequal pair.

    >>> fit_temperature(scores=np.array([0.9, 0.9, 0.1, 0.1]), labels=np.array([1.0, 1.0, 0.0, 0.0])) < 0.1
    True
    """
    if len(scores) == 0 or len(scores) != len(labels):
        raise ValueError(f"calibration needs as many labels as scores, got {len(scores)} and {len(labels)}")
    # clipped so that a mistake made with full certainty costs much but not everything
    inner = np.clip(np.asarray(scores, dtype=np.float64), 1e-3, 1 - 1e-3)
    # log-odds in favour of the label: positive where the model is right
    margin = np.log(inner / (1 - inner)) * (2 * np.asarray(labels, dtype=np.float64) - 1)

    def loss(log_t: float) -> float:
        return float(np.logaddexp(0.0, -margin / math.exp(log_t)).mean())

    low, high, golden = math.log(0.05), math.log(20.0), (math.sqrt(5) - 1) / 2
    for _ in range(60):  # each step leaves .618 of the interval: 60 of them 1e-12 of it
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if loss(left) <= loss(right) else (left, high)
    return math.exp((low + high) / 2)
