r"""The mean change of all overlaps of a committee, for N to infinity.

With the averages of :mod:`rosenblatt.networks.averages`,

.. math::

    \dot R_{in} &= \eta\, \langle g'(h_i)\, e\, b_n \rangle - \lambda R_{in}, \tag{1} \\
    \dot Q_{ik} &= \eta\, \langle g'(h_i)\, e\, h_k + g'(h_k)\, e\, h_i \rangle
        + \eta^2 \langle g'(h_i)\, g'(h_k)\, (e^2 + \sigma^2) \rangle
        - 2 \lambda Q_{ik}.  \tag{2}
"""

from __future__ import annotations

import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.networks.averages import moments_of
from rosenblatt.networks.committee import Committee

__all__ = ["CommitteeDrift"]


class CommitteeDrift:
    """Drift of the overlaps of a committee, as a function of a packed state.

    A state holds R, row by row, and the upper triangle of Q.

    Examples
    --------
    >>> from rosenblatt.rules import Erf
    >>> drift = CommitteeDrift(Committee(Erf(), 1, 1))
    >>> drift(np.array([1.0, 1.0]), rate=1.0)  # the student is the teacher
    array([0., 0.])
    """

    def __init__(self, committee: Committee) -> None:
        self.committee = committee
        self.students, self.teachers = committee.units
        self.rows, self.columns = np.triu_indices(self.students)
        self._gram = committee.gram
        self._signs = committee.signs
        self._moments = moments_of(committee)
        self.accuracy = self._moments.accuracy

    def pack(self, cross: FloatArray, own: FloatArray) -> FloatArray:
        """Return the state with overlaps R and Q."""
        return np.concatenate([cross.ravel(), own[self.rows, self.columns]])

    def unpack(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return overlaps R and Q of states in the last axis."""
        split = self.students * self.teachers
        shape = states.shape[:-1]
        cross = states[..., :split].reshape(*shape, self.students, self.teachers)
        own = np.empty((*shape, self.students, self.students))
        own[..., self.rows, self.columns] = states[..., split:]
        own[..., self.columns, self.rows] = states[..., split:]
        return cross, own

    def covariance(self, cross: FloatArray, own: FloatArray) -> FloatArray:
        """Return the covariance of all fields, those of the student first."""
        gram = np.broadcast_to(self._gram, (*own.shape[:-2], *self._gram.shape))
        above = np.concatenate([own, cross], axis=-1)
        below = np.concatenate([cross.swapaxes(-1, -2), gram], axis=-1)
        return np.concatenate([above, below], axis=-2)

    def per_rate(self, state: FloatArray, rate: float) -> FloatArray:
        """Return eqs. (1) and (2) over the rate and without decay, at rate 0 too."""
        cross, own = self.unpack(state)
        k = self.students
        found = self._moments.averages(self.covariance(cross, own), self._signs, k)
        linear = found.error_field[:, :k]
        noise = self.committee.noise**2
        change = linear + linear.T + rate * (found.squares + noise * found.slopes)
        return self.pack(found.error_field[:, k:], change)

    def __call__(self, state: FloatArray, rate: float) -> FloatArray:
        """Return eqs. (1) and (2)."""
        powers = np.ones(state.size)
        powers[self.students * self.teachers :] = 2
        change = rate * self.per_rate(state, rate)
        return np.asarray(change - self.committee.decay * powers * state)

    def error(
        self, cross: FloatArray, own: FloatArray, outputs: FloatArray | None = None
    ) -> FloatArray:
        """Return half the mean squared error on new examples, without noise.

        ``outputs`` are output weights of the student, by default the first ones.
        """
        found = self._moments.products(self.covariance(cross, own))
        signs = np.broadcast_to(self._signs, found.shape[:-1])
        if outputs is not None:
            signs = np.concatenate([-outputs, signs[..., self.students :]], axis=-1)
        terms = found * signs[..., :, None] * signs[..., None, :]
        total = terms.reshape(*found.shape[:-2], -1).sum(axis=-1)
        return np.asarray(np.maximum(0.5 * total, 0.0))  # rounding may leave less
