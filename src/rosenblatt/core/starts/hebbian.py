"""A student made by Hebb's rule: the sum of ``label * x`` over the first examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import number
from rosenblatt.core.starts.start import (
    Setting,
    Start,
    StartState,
    Zero,
    checked_length,
)
from rosenblatt.core.types import FloatArray

__all__ = ["Hebbian"]

_EXAMPLES = 1 << 53  # beyond, a count is not exact
_PIECE = 1 << 20  # examples drawn at a time, so that memory does not grow with dim


@dataclass(frozen=True)
class Hebbian(Start):
    """The sum of ``label * x`` over the first examples, scaled to ``norm * sqrt(N)``.

    Parameters
    ----------
    alpha
        Number of examples per weight.
    norm
        Its length over ``sqrt(N)``.
    """

    alpha: float = 1.0
    norm: float = 1.0

    def __post_init__(self) -> None:
        number("alpha", self.alpha, above=0)
        checked_length("norm", self.norm)

    @property
    def until(self) -> float:
        """Examples per weight that the start takes."""
        return self.alpha

    def at(self, alpha: float) -> Start:
        """Return the student of an earlier time as a start of its own."""
        return replace(self, alpha=alpha) if alpha > 0 else Zero()

    def examples(self, dim: int) -> int:
        """Return the number of examples that the start takes."""
        wanted = self.alpha * dim
        if wanted > _EXAMPLES:
            raise ValueError(
                f"alpha must be at most {_EXAMPLES} examples, got {self.alpha:g} for "
                f"each of {dim} weights"
            )
        return max(1, round(wanted))

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return the student after all examples."""
        return self.state(setting, rng, ()).student

    def state(
        self, setting: Setting, rng: np.random.Generator, early: Sequence[int]
    ) -> StartState:
        """Return the sum of that many examples, drawn from its exact law.

        The student does not depend on what it is asked to have been earlier.
        """
        if math.isinf(setting.dim):
            limit = np.array([*setting.averages[0], self.alpha**-0.5])
            scale = float(np.linalg.norm(limit)) / self.norm
            return StartState(self._scaled(limit), np.empty((0, 3)), average=scale)
        ends = np.array([*early, self.examples(int(setting.dim))])
        sums, labels = self._sums(setting, rng, ends)
        # The other components are symmetric, so labels do not change their law.
        sums[:, 1] = setting.center[1] * labels
        total, rest = int(ends[-1]), int(setting.dim) - setting.axes
        side = 0.0
        if setting.axes == 2:
            side = math.sqrt(total) * rng.standard_normal()
        sums[-1, 1] += side
        sums[-1, 2] = math.sqrt(total * rng.chisquare(rest)) if rest > 0 else 0.0
        # Backwards in time, each is a bridge from zero to the next one.
        (bridge,) = rng.spawn(1)
        for i in range(len(ends) - 2, -1, -1):
            share = ends[i] / max(ends[i + 1], 1)  # none of none is none
            noise = math.sqrt(ends[i] * (1 - share))
            if setting.axes == 2:
                side = share * side + noise * bridge.standard_normal()
            sums[i, 1] += side
            if rest > 0:
                along = share * sums[i + 1, 2] + noise * bridge.standard_normal()
                across2 = bridge.chisquare(rest - 1) if rest > 1 else 0.0
                sums[i, 2] = math.sqrt(along**2 + noise**2 * across2)
        *before, student = (self._scaled(v) for v in sums)
        scale = float(np.linalg.norm(sums[-1])) / (total * self.norm)
        return StartState(
            student, np.reshape(before, (-1, 3)), total, int(labels[-1]), scale
        )

    def _scaled(self, v: FloatArray) -> FloatArray:
        length = np.linalg.norm(v)
        return np.asarray(self.norm * v / length if length > 0 else v)

    @staticmethod
    def _sums(
        setting: Setting, rng: np.random.Generator, ends: npt.NDArray[np.int64]
    ) -> tuple[FloatArray, FloatArray]:
        """Return sums of label * b, and of labels, over the first examples."""
        sums, labels = np.zeros((len(ends), 3)), np.zeros(len(ends))
        for first in range(0, ends[-1], _PIECE):
            b = setting.center[0] + rng.standard_normal(min(ends[-1] - first, _PIECE))
            y = np.where(rng.random(b.size) < setting.positive(b), 1.0, -1.0)
            for i in np.flatnonzero(ends > first):
                seen = slice(0, ends[i] - first)
                sums[i, 0] += y[seen] @ b[seen]
                labels[i] += y[seen].sum()
        return sums, labels
