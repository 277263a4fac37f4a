r"""Theory of committees for N to infinity: drift, learning curves, best schedules.

The mean change of all overlaps of a committee, for N to infinity.

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
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.committees import averages, relu
from rosenblatt.committees.committee import (
    Committee,
    RateLike,
    Start,
    check_motion,
    check_rates,
    rate_of,
    starting,
)
from rosenblatt.compiling import compiled
from rosenblatt.core import Clock, Motion, Schedule
from rosenblatt.core.arguments import increasing, part
from rosenblatt.core.trace import labelled
from rosenblatt.core.types import FloatArray
from rosenblatt.rules import Erf, ReLU
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import RefusalError
from rosenblatt.theory.control import BestSchedule, Control
from rosenblatt.theory.ode import Piece, pieces

_QUADRATURE = 1e-9  # accuracy of averages, see the tests
_RELATIVE, _ABSOLUTE = 1e-10, 1e-13  # tolerances of a step with closed forms
_NOISE = 10.0, 0.1  # relative and absolute tolerance over the accuracy of averages
_GROWN = 1e8  # overlaps over the first ones, of students that diverge
_FAST = 1e6  # growth of overlaps in a unit of alpha, likewise


def moments_of(committee: Committee) -> averages.Moments:
    """Return the averages of a committee's activation.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.rules import Erf
    >>> float(moments_of(Committee(Erf())).products(np.eye(1))[0, 0])  # 1/3
    0.333...
    """
    if isinstance(committee.activation, Erf):
        return averages.Moments(averages.erf_products, averages.erf_averages, 1e-13)
    if isinstance(committee.activation, ReLU):
        return averages.Moments(relu.products, relu.averages, _QUADRATURE)
    if committee.activation.kinks:
        raise RefusalError(
            f"activation {committee.activation!r} has kinks; averages are known for "
            "smooth ones, rules.Erf() and rules.ReLU() only"
        )
    quadrature = averages.Smooth(committee)
    return averages.Moments(quadrature.products, quadrature.averages, _QUADRATURE)


class Terms(NamedTuple):
    """Parts of the drift of a state: those of eqs. (1) to (3) without their factors."""

    linear: FloatArray  # times the rate
    quadratic: FloatArray  # times the rate squared
    second: FloatArray  # times the rate of the second layer
    decay: FloatArray  # decay, and random turns of the teacher

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
        self.students, self.teachers = committee.units
        self.rows, self.columns = np.triu_indices(self.students)
        split = self.students * self.teachers
        self.overlaps = split + len(self.rows)  # entries of a state before the outputs
        self._gram, self._teacher_weights = committee.gram, committee.teacher_weights
        self._moments = moments_of(committee)
        self.accuracy = self._moments.accuracy
        self.step = self.accuracy ** (1 / 3)  # of differences: rounding and curvature
        self._loss = np.zeros(self.overlaps + self.students)
        self._loss[:split] = committee.decay + (motion.velocity if motion else 0.0)
        self._loss[split : self.overlaps] = 2 * committee.decay
        self._nothing = np.zeros_like(self._loss)

    def pack(
        self, cross: FloatArray, own: FloatArray, outputs: FloatArray | None = None
    ) -> FloatArray:
        """Return the state with overlaps R and Q; by default with the first outputs."""
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
        shape = (*outputs.shape[:-1], self.teachers)
        teacher = np.broadcast_to(self._teacher_weights, shape)
        return np.concatenate([-outputs, teacher], axis=-1)

    def terms(self, state: FloatArray, second: bool = True) -> Terms:
        """Return all parts of the drift; those of the second layer only if wanted."""
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
        return Terms(
            self.pack(field[:, k:], field[:, :k] + field[:, :k].T, none),
            self.pack(zero, squares, none),
            last,
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


def first_state(drift: CommitteeDrift, given: Start) -> FloatArray:
    """Return the packed state of a checked start."""
    if isinstance(given, tuple):
        return drift.pack(*given)
    shape = drift.students, drift.teachers
    return drift.pack(np.zeros(shape), given**2 * np.eye(drift.students))


def _follow(
    drift: CommitteeDrift,
    schedules: tuple[Schedule, Schedule],
    state: FloatArray,
    begin: float,
    piece: Piece,
) -> FloatArray:
    """Return the states at all alphas of a piece."""
    rates = compiled(schedules[0]), compiled(schedules[1])
    most = _GROWN * max(1.0, np.abs(state).max())

    def derivative(time: float, now: FloatArray) -> FloatArray:
        clock = Clock(min(time, piece.last), math.nan, math.inf)
        eta, second = float(rates[0](clock)), float(rates[1](clock))
        check_rates(schedules, (eta, second), f"at alpha = {time:g}")
        with np.errstate(all="ignore"):
            slope = drift(now, eta, second) if np.isfinite(now).all() else now
        if not np.isfinite(slope).all():
            raise ArithmeticError(
                f"the drift of the committee is not finite at alpha = {time:g}, with "
                f"rates {eta:g} and {second:g} of the schedules and overlaps "
                f"{now.tolist()}"
            )
        length, growth = np.abs(now).max(), np.abs(slope).max()
        if length > most or growth > _FAST * (1 + length):
            raise ArithmeticError(
                f"the students diverge at alpha = {time:g}, where an overlap is "
                f"{length:.3g} and changes by {growth:.3g} in a unit of alpha; "
                "rate may be too large"
            )
        return slope

    wanted = np.unique(piece.alpha)
    if wanted[-1] == begin:
        return np.array([state] * len(piece.alpha))
    relative, absolute = (factor * drift.accuracy for factor in _NOISE)
    # An explicit method: it treats all units alike, so that the symmetry of a plateau
    # is broken by the start alone.
    found = solve_ivp(
        derivative, (begin, wanted[-1]), state, method="DOP853", t_eval=wanted,
        rtol=max(_RELATIVE, relative), atol=max(_ABSOLUTE, absolute)
    )  # fmt: skip
    if not found.success:
        raise ArithmeticError(
            "the curve of the committee could not be followed beyond alpha = "
            f"{found.t[-1] if len(found.t) else begin:g}: {found.message}"
        )
    return np.asarray(found.y.T[np.searchsorted(wanted, piece.alpha)])


def committee_trace(
    found: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
    alpha: FloatArray,
    **attributes: Any,
) -> xr.Dataset:
    """Return R, Q, output weights and errors with names, (replica, alpha, ...).

    Examples
    --------
    >>> shapes = (1, 2, 3, 4), (1, 2, 3, 3), (1, 2, 3), (1, 2)
    >>> alpha = np.array([0.0, 1.0])
    >>> result = committee_trace(tuple(map(np.zeros, shapes)), alpha, spec={})
    >>> dict(result.sizes)
    {'replica': 1, 'alpha': 2, 'student': 3, 'teacher': 4, 'other': 3}
    """
    each, overlaps = ("replica", "alpha"), "overlaps {} of the student's units"
    about = {
        "R": overlaps.format("with those of the teacher"),
        "Q": overlaps.format("with each other"),
        "outputs": "output weights of the student",
        "error": "half the mean squared error, noise excluded",
        "alpha": "examples per dimension",
    }
    inside = (("student", "teacher"), ("student", "other"), ("student",), ())
    variables = {
        name: ((*each, *dims), values)
        for name, dims, values in zip(about, inside, found, strict=False)
    }
    replicas, _, students, teachers = found[0].shape
    along = {
        "replica": np.arange(replicas),
        "alpha": alpha,
        "student": np.arange(students),
        "teacher": np.arange(teachers),
        "other": np.arange(students),
    }
    return labelled(variables, along, about, **attributes)


def solve(
    committee: Committee,
    rate: RateLike,
    *,
    alpha: float | Iterable[float],
    second_rate: RateLike = 0.0,
    motion: Motion | None = None,
    start: Any = 0.5,
) -> xr.Dataset:
    """Return the learning curve of a committee for N to infinity.

    Steps have a tolerance of 1e-10, or ten times the accuracy of averages without a
    closed form. Errors below about 1e-9, or 1e-7 without a closed form, are therefore
    noise: they rise and fall, and may be 0.

    Parameters
    ----------
    committee
        Student and teacher, with any activation.
    rate
        The rate of the first layer: a number, a schedule of ``time``, or any function
        of the clock.
    alpha
        Numbers of examples per dimension at which the curve is wanted, increasing.
    second_rate
        The rate of the second layer, likewise; by default its weights are fixed.
    motion
        The teacher's motion, ``RandomWalk`` or ``Abrupt`` of :mod:`rosenblatt.motions`.
        Its units turn together.
    start
        First overlaps, a pair R (K, M) and Q (K, K). A number is the length of random
        students, which have no overlap with anything in the limit: units that begin
        alike stay alike.

    Returns
    -------
    xarray.Dataset
        The variables of :func:`rosenblatt.committees.simulate`, for one replica.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> committee = rb.committees.Committee(rb.rules.Erf(), students=1, teachers=1)
    >>> curve = rb.committees.solve(committee, 1.0, alpha=[0, 10])
    >>> curve.error.values.round(5)
    array([[0.23076, 0.0012 ]])
    """
    part("committee", Committee, committee)
    schedules = rate_of("rate", rate), rate_of("second_rate", second_rate)
    alphas = increasing("alpha", alpha)
    check_motion(motion)
    theory = CommitteeDrift(committee, motion)
    given = starting(start, committee.gram, theory.students)
    state, begin, rows = first_state(theory, given), 0.0, []
    for piece in pieces(schedules, motion, alphas):
        found = _follow(theory, schedules, state, begin, piece)
        rows.append(found[:-1])
        state, begin = found[-1], piece.alpha[-1]
        if piece.turns and motion is not None:
            state[: theory.students * theory.teachers] *= math.cos(
                motion.angle(math.inf)
            )
    cross, own, outputs = theory.unpack(np.concatenate(rows)[None])
    spec = describe(
        "committees.solve", **vars(committee), rate=schedules[0],
        second_rate=schedules[1], motion=motion, start=given, alpha=alphas.tolist()
    )  # fmt: skip
    curve = cross, own, outputs, theory.error(cross, own, outputs)
    return committee_trace(curve, alphas, engine="theory", dim=math.inf, spec=spec)


def best_schedule(
    committee: Committee,
    *,
    alpha: float,
    start: Any = 0.5,
    rate: float = 0.5,
    knots: int = 24,
) -> BestSchedule:
    """Return the schedule of the first layer with the least error at ``alpha``.

    Parameters
    ----------
    committee, start
        As in :func:`rosenblatt.committees.solve`; the second layer is fixed.
    alpha
        Examples per dimension after which the error counts.
    rate
        First guess of a constant rate.
    knots
        Number of intervals between values of the rate.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> committee = rb.committees.Committee(rb.rules.Erf(), students=1, teachers=1)
    >>> best = rb.committees.best_schedule(committee, alpha=5, knots=2)
    >>> best.error < best.constant_error
    True
    """
    part("committee", Committee, committee)
    drift = CommitteeDrift(committee)
    given = starting(start, committee.gram, drift.students)
    size = drift.overlaps
    overlaps, outputs = np.split(first_state(drift, given), [size])

    def state(s: FloatArray) -> FloatArray:
        return np.concatenate([s, outputs])

    def change(s: FloatArray, eta: float) -> FloatArray:
        return drift(state(s), eta)[:size]

    def error(s: FloatArray) -> float:
        return float(drift.half_square(*drift.unpack(state(s))))

    control = Control(
        change, error, overlaps, alpha=alpha, knots=knots,
        accuracy=drift.accuracy
    )  # fmt: skip
    return control.best(rate)
