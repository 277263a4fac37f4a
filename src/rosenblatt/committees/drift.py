r"""The mean change of all overlaps of a committee, for N to infinity.

With the averages of :mod:`rosenblatt.committees.averages`, output weights
:math:`u_i` of the student, and a teacher that turns at random with strength D,

.. math::

    \dot R_{in} &= \eta\, u_i \langle g'(h_i)\, e\, b_n \rangle - (\lambda + D)
        R_{in}, \tag{1} \\
    \dot Q_{ik} &= \eta\, \langle u_i\, g'(h_i)\, e\, h_k + u_k\, g'(h_k)\, e\, h_i
        \rangle + \eta^2 u_i u_k \langle g'(h_i)\, g'(h_k)\, (e^2 + \sigma^2) \rangle
        - 2 \lambda Q_{ik}, \tag{2} \\
    \dot u_i &= \eta_2 \langle g(h_i)\, e \rangle,  \tag{3}

where e is the error without the output noise, whose variance is :math:`\sigma^2`.

A rotation of speed :math:`\delta` needs the overlaps :math:`S_{in}` with the velocities
of the teacher's units, which are scaled to the units' lengths:

.. math:: \dot R_{in} = \ldots + \delta S_{in}, \qquad \dot S_{in} = \eta\, u_i
    \langle g'(h_i)\, e\, v_n \rangle - \lambda S_{in} - \delta R_{in},  \tag{4}

where :math:`v_n` is the field of a velocity. One unit that retreats from one student
has :math:`\dot R = \ldots - \delta \sqrt{Q T - R^2}`, with its own overlap T.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.committees.averages import moments_of
from rosenblatt.committees.committee import Committee
from rosenblatt.core import Heading, Motion
from rosenblatt.core.arguments import part
from rosenblatt.core.types import FloatArray
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

    A state holds R, row by row, the upper triangle of Q, and the output weights; if the
    teacher rotates also S, row by row.

    Parameters
    ----------
    committee
        Student and teacher.
    motion
        Motion of the teacher; changes at given times are none of its concern.

    Examples
    --------
    >>> from rosenblatt.rules import Erf
    >>> drift = CommitteeDrift(Committee(Erf(), 1, 1))
    >>> drift(np.array([1.0, 1.0, 1.0]), rate=1.0)  # the student is the teacher
    array([0., 0., 0.])
    """

    def __init__(self, committee: Committee, motion: Motion | None = None) -> None:
        self.committee = part("committee", Committee, committee)
        self._heading = Heading.STILL if motion is None else motion.heading
        self._velocity = 0.0 if motion is None else motion.velocity
        self.rotates = self._heading == Heading.PLANE
        self.students, self.teachers = committee.units
        self.rows, self.columns = np.triu_indices(self.students)
        split = self.students * self.teachers
        self.overlaps = split + len(self.rows)  # entries of a state before the outputs
        self._gram, self._teacher_weights = committee.gram, committee.teacher_weights
        self._moments = moments_of(committee)
        self.accuracy = self._moments.accuracy
        self.step = self.accuracy ** (1 / 3)  # of differences: rounding and curvature
        self.size = self.overlaps + self.students  # entries before S
        self._loss = np.zeros(self.size + self.rotates * split)
        self._loss[:split] = self._loss[self.size :] = committee.decay
        self._loss[split : self.overlaps] = 2 * committee.decay
        if self._heading == Heading.RANDOM:
            self._loss[:split] += self._velocity
        self._nothing = np.zeros_like(self._loss)

    def pack(
        self,
        cross: FloatArray,
        own: FloatArray,
        outputs: FloatArray | None = None,
        side: FloatArray | None = None,
    ) -> FloatArray:
        """Return the state with overlaps R, Q and S, and output weights.

        By default S is 0, and the output weights are the first ones.
        """
        last = self.committee.student_weights if outputs is None else outputs
        along = np.zeros_like(cross) if side is None else side
        entries = cross.ravel(), own[self.rows, self.columns], last, along.ravel()
        return np.concatenate(entries[: 4 if self.rotates else 3])

    def unpack(self, states: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return overlaps R and Q and output weights of states in the last axis."""
        split = self.students * self.teachers
        shape = states.shape[:-1]
        cross = states[..., :split].reshape(*shape, self.students, self.teachers)
        own = np.empty((*shape, self.students, self.students))
        own[..., self.rows, self.columns] = states[..., split : self.overlaps]
        own[..., self.columns, self.rows] = states[..., split : self.overlaps]
        return cross, own, states[..., self.overlaps : self.size]

    def covariance(self, cross: FloatArray, own: FloatArray) -> FloatArray:
        """Return the covariance of all fields, those of the student first."""
        gram = np.broadcast_to(self._gram, (*own.shape[:-2], *self._gram.shape))
        above = np.concatenate([own, cross], axis=-1)
        below = np.concatenate([cross.swapaxes(-1, -2), gram], axis=-1)
        return np.concatenate([above, below], axis=-2)

    def signs(self, outputs: FloatArray) -> FloatArray:
        """Return the weights of all units in the error; leading axes are kept."""
        shape = (*outputs.shape[:-1], self.teachers)
        teacher = np.broadcast_to(self._teacher_weights, shape)
        return np.concatenate([-outputs, teacher], axis=-1)

    def terms(self, state: FloatArray, second: bool = True) -> Terms:
        """Return all parts of the drift; those of the second layer only if wanted."""
        if self.committee.classify:
            raise RefusalError(
                "committee must not classify, since the theory is that of the squared "
                "error; committees.simulate takes any"
            )
        cross, own, outputs = self.unpack(state)
        k = self.students
        c, signs = self.covariance(cross, own), self.signs(outputs)
        found = self._moments.averages(c, signs, k)
        gradient = outputs[:, None] * found.gradient
        field = gradient @ c
        noise = self.committee.noise**2 * found.slopes
        squares = np.outer(outputs, outputs) * (found.squares + noise)
        none, zero, last = np.zeros(k), np.zeros_like(cross), self._nothing
        if second:
            along = (self._moments.products(c) @ signs)[:k]
            last = self.pack(zero, np.zeros_like(own), along)
        side = state[self.size :].reshape(-1, self.teachers)  # has no rows without S
        learned = gradient[:, : len(side)] @ side
        return Terms(
            self.pack(field[:, k:], field[:, :k] + field[:, :k].T, none, learned),
            self.pack(zero, squares, none),
            last,
            self._turned(cross, own, side) - self._loss * state,
        )

    def _turned(
        self, cross: FloatArray, own: FloatArray, side: FloatArray
    ) -> FloatArray:
        """Return the change by a rotation, eq. (4), or by a retreat."""
        if self._heading not in (Heading.PLANE, Heading.AWAY):
            return self._nothing
        nothing, speed = np.zeros_like(own), self._velocity
        none = nothing[0]
        if self.rotates:
            return self.pack(speed * side, nothing, none, -speed * cross)
        across = np.sqrt(np.maximum(own * self._gram - cross**2, 0.0))
        return self.pack(-speed * across, nothing, none)

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
