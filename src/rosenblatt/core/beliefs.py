r"""Learners that keep a belief about every weight.

Such a learner knows of each weight a mean :math:`m_i`, a variance :math:`v_i` and
whatever else it wants to remember. Inputs have squared length 1 and weights are of
order 1, so that the field of an example is known with

.. math::
    h = \sum_i m_i x_i, \qquad
    \text{spread} = \sum_i v_i x_i^2, \qquad
    \text{variance} = \frac{1}{N} \sum_i v_i,   \tag{1}

and the last two agree if N is large. Usually two scalar functions are enough. The first
returns two numbers about an example, for all weights. The second updates a weight from
them and from its own input. See :class:`WeightwiseRule`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.core.vocabulary import Part


class Observation(NamedTuple):
    """Numbers that a learner may use, besides its input vector."""

    field: float  # h, eq. (1)
    label: float  # y = +1 or -1
    norm2: float  # m.m/N
    input2: float  # x.x
    rate: float  # eta, from the schedule
    dim: float  # N
    spread: float  # eq. (1)
    variance: float  # eq. (1)


class Signal(NamedTuple):
    """Signal of one example to all weights; for Bayesian learners the evidence."""

    slope: float
    curvature: float


class Belief(NamedTuple):
    """Belief about one weight."""

    state: float
    mean: float
    variance: float


Learn = Callable[[FloatArray, FloatArray, FloatArray, FloatArray, Observation], None]


class BeliefRule(Part, ABC):
    """A learner with a belief about every weight, as one function of arrays."""

    @abstractmethod
    def bind(self) -> Learn:
        """Return ``(state, mean, variance, x, observation) -> None``.

        A plain function that numba can compile; it changes the first three in place.
        ``mean`` and ``variance`` have an entry for each weight, as ``x`` has.
        """

    @property
    def noise(self) -> float:
        """The probability of a wrong label that the learner assumes."""
        return 0.0

    def memory(self, dim: int) -> int:
        """Return how many numbers ``state`` has."""
        return dim

    def begin(self, state: FloatArray, mean: FloatArray, variance: FloatArray) -> None:
        """Write the prior into arrays of zeros."""
        variance[:] = 1.0

    def target(self, dim: int, rng: np.random.Generator) -> FloatArray:
        """Return a teacher from the learner's prior.

        By default +1 everywhere: nothing is lost if a learner treats both signs alike.
        """
        return np.ones(dim)


class WeightwiseRule(BeliefRule):
    """A learner that moves each weight by itself: two scalar functions.

    Examples
    --------
    Exponentiated gradient descent on mistakes, with weights ``sinh(state)``:

    >>> import math
    >>> from dataclasses import dataclass
    >>> import rosenblatt as rb
    >>> from rosenblatt.core import Belief, Observation, Signal, WeightwiseRule
    >>> @dataclass(frozen=True)
    ... class Exponentiated(WeightwiseRule):
    ...     def signal(self):
    ...         def signal(o: Observation) -> Signal:
    ...             wrong = o.label * o.field <= 0.0
    ...             return Signal(o.rate * o.label if wrong else 0.0, 0.0)
    ...         return signal
    ...     def move(self):
    ...         def move(b: Belief, x: float, s: Signal) -> Belief:
    ...             state = b.state + s.slope * x
    ...             return Belief(state, math.sinh(state), 0.0)
    ...         return move
    >>> run = rb.simulate(
    ...     Exponentiated(), rb.schedules.Constant(0.5), dim=100, alpha=20)
    >>> bool(run.overlap > 0.9)
    True
    """

    @abstractmethod
    def signal(self) -> Callable[[Observation], Signal]:
        """Return the signal of an example, as a plain function."""

    @abstractmethod
    def move(self) -> Callable[[Belief, float, Signal], Belief]:
        """Return the update of the belief about one weight, as a plain function."""

    def bind(self) -> Learn:
        """Return the loop over all weights, as plain Python."""
        return weightwise(self.signal(), self.move())


def weightwise(
    signal_of: Callable[[Observation], Signal],
    move: Callable[[Belief, float, Signal], Belief],
) -> Learn:
    """Return the loop over all weights that two scalar functions make."""

    def learn(
        state: FloatArray,
        mean: FloatArray,
        variance: FloatArray,
        x: FloatArray,
        observation: Observation,
    ) -> None:
        signal = signal_of(observation)
        for i in range(x.size):
            known = Belief(state[i], mean[i], variance[i])
            state[i], mean[i], variance[i] = move(known, x[i], signal)

    return learn
