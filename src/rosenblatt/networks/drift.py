r"""The mean change of all overlaps of a committee, for N to infinity.

With the averages of :mod:`rosenblatt.networks.averages`, output weights :math:`u_i` of
the student, and a teacher that turns at random with strength D,

.. math::

    \dot R_{in} &= \eta\, u_i \langle g'(h_i)\, e\, b_n \rangle - (\lambda + D)
        R_{in}, \tag{1} \\
    \dot Q_{ik} &= \eta\, \langle u_i\, g'(h_i)\, e\, h_k + u_k\, g'(h_k)\, e\, h_i
        \rangle + \eta^2 u_i u_k \langle g'(h_i)\, g'(h_k)\, (e^2 + \sigma^2) \rangle
        - 2 \lambda Q_{ik}, \tag{2} \\
    \dot u_i &= \eta_2 \langle g(h_i)\, e \rangle,  \tag{3}

where e is the error without the output noise, whose variance is :math:`\sigma^2`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.core.arguments import part
from rosenblatt.core.types import FloatArray
from rosenblatt.networks.averages import moments_of
from rosenblatt.networks.committee import Committee
from rosenblatt.specification.parts import RefusalError

__all__ = ["CommitteeDrift", "Terms"]


class Terms(NamedTuple):
    """Parts of the drift of a state: those of eqs. (1) to (3) without their factors."""

    linear: FloatArray  # times the rate
    quadratic: FloatArray  # times the rate squared
    second: FloatArray  # times the rate of the second layer
    decay: FloatArray  # decay, and turns of the teacher

    def at(self, rate: float, second_rate: float = 0.0) -> FloatArray:
        """Return the drift for these rates."""
        moved = rate * (self.linear + rate * self.quadratic)
        return np.asarray(moved + second_rate * self.second + self.decay)


class CommitteeDrift:
    """Drift of the overlaps of a committee, as a function of a packed state.

    A state holds R, row by row, the upper triangle of Q, and the output weights.

    Parameters
    ----------
    committee
        Student and teacher.
    velocity
        Strength D of the teacher's random turns.

    Examples
    --------
    >>> from rosenblatt.rules import Erf
    >>> drift = CommitteeDrift(Committee(Erf(), 1, 1))
    >>> drift(np.array([1.0, 1.0, 1.0]), rate=1.0)  # the student is the teacher
    array([0., 0., 0.])
    """

    def __init__(self, committee: Committee, velocity: float = 0.0) -> None:
        self.committee = part("committee", Committee, committee)
        self.velocity = velocity
        self.students, self.teachers = committee.units
        self.rows, self.columns = np.triu_indices(self.students)
        split = self.students * self.teachers
        self.overlaps = split + len(self.rows)  # entries of a state before the outputs
        self._gram = committee.gram
        self._moments = moments_of(committee)
        self.accuracy = self._moments.accuracy
        self.step = self.accuracy ** (1 / 3)  # of differences: rounding and curvature
        self._loss = np.zeros(self.overlaps + self.students)
        self._loss[:split] = committee.decay + velocity
        self._loss[split : self.overlaps] = 2 * committee.decay

    def pack(
        self, cross: FloatArray, own: FloatArray, outputs: FloatArray | None = None
    ) -> FloatArray:
        """Return the state with overlaps R and Q, and the first output weights."""
        last = self.committee.student_weights if outputs is None else outputs
        return np.concatenate([cross.ravel(), own[self.rows, self.columns], last])

    def unpack(self, states: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return overlaps R and Q and output weights of states in the last axis."""
        split = self.students * self.teachers
        shape = states.shape[:-1]
        cross = states[..., :split].reshape(*shape, self.students, self.teachers)
        own = np.empty((*shape, self.students, self.students))
        own[..., self.rows, self.columns] = states[..., split : self.overlaps]
        own[..., self.columns, self.rows] = states[..., split : self.overlaps]
        return cross, own, states[..., self.overlaps :]

    def covariance(self, cross: FloatArray, own: FloatArray) -> FloatArray:
        """Return the covariance of all fields, those of the student first."""
        gram = np.broadcast_to(self._gram, (*own.shape[:-2], *self._gram.shape))
        above = np.concatenate([own, cross], axis=-1)
        below = np.concatenate([cross.swapaxes(-1, -2), gram], axis=-1)
        return np.concatenate([above, below], axis=-2)

    def signs(self, outputs: FloatArray) -> FloatArray:
        """Return the weights of all units in the error; leading axes are kept."""
        teacher = self.committee.teacher_weights
        teacher = np.broadcast_to(teacher, (*outputs.shape[:-1], self.teachers))
        return np.concatenate([-outputs, teacher], axis=-1)

    def terms(self, state: FloatArray, second: bool = True) -> Terms:
        """Return all parts of the drift; those of the second layer only if wanted."""
        if self.committee.classify:
            raise RefusalError(
                "committee must not classify, since the theory is that of the squared "
                "error; networks.simulate takes any"
            )
        cross, own, outputs = self.unpack(state)
        k = self.students
        c, signs = self.covariance(cross, own), self.signs(outputs)
        found = self._moments.averages(c, signs, k)
        field = outputs[:, None] * found.error_field
        noise = self.committee.noise**2 * found.slopes
        squares = np.outer(outputs, outputs) * (found.squares + noise)
        none = np.zeros(k)
        last = (self._moments.products(c) @ signs)[:k] if second else none
        return Terms(
            self.pack(field[:, k:], field[:, :k] + field[:, :k].T, none),
            self.pack(np.zeros_like(cross), squares, none),
            np.concatenate([np.zeros(self.overlaps), last]),
            -self._loss * state,
        )

    def __call__(
        self, state: FloatArray, rate: float, second_rate: float = 0.0
    ) -> FloatArray:
        """Return eqs. (1) to (3)."""
        return self.terms(state, second_rate != 0).at(rate, second_rate)

    def half_square(
        self, cross: FloatArray, own: FloatArray, outputs: FloatArray
    ) -> FloatArray:
        """Return half the mean squared error, below 0 outside of Gram matrices."""
        found = self._moments.products(self.covariance(cross, own))
        signs = self.signs(np.broadcast_to(outputs, own.shape[:-1]))
        total = np.einsum("...f,...fg,...g->...", signs, found, signs)
        return np.asarray(0.5 * total)

    def error(
        self, cross: FloatArray, own: FloatArray, outputs: FloatArray | None = None
    ) -> FloatArray:
        """Return half the mean squared error on new examples, without noise.

        ``outputs`` are output weights of the student, by default the first ones.
        """
        given = self.committee.student_weights if outputs is None else outputs
        found = self.half_square(cross, own, given)
        return np.asarray(np.maximum(found, 0.0))  # rounding may leave less
