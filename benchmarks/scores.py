"""Scores of predictions that were made before their labels were learned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BINS = 10  # of equal width, for the calibration error


@dataclass(frozen=True)
class Score:
    """Averages over the pass; hard predictions have an error only."""

    error: float
    log_loss: float = np.nan
    calibration: float = np.nan

    @classmethod
    def of(cls, predicted: np.ndarray, y: np.ndarray) -> Score:
        """Score probabilities, or classes."""
        if predicted.ndim == 1:
            return cls(float(np.mean(predicted != y)))
        likelihood = predicted[np.arange(len(y)), y]
        return cls(
            float(np.mean(predicted.argmax(1) != y)),
            float(-np.log(np.clip(likelihood, 1e-15, 1)).mean()),
            calibration_error(predicted, y),
        )


def calibration_error(P: np.ndarray, y: np.ndarray) -> float:
    """Return the mean gap between confidence and accuracy in bins of confidence."""
    confidence, right = P.max(1), P.argmax(1) == y
    place = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = np.bincount(place, right - confidence, minlength=BINS)
    return float(np.abs(gaps).sum() / len(y))
