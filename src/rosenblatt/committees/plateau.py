r"""The symmetric plateau of a committee: its overlaps, error and eigenvalues.

On the plateau all units of the student have learned the same mixture of the teacher's
units: :math:`R_{in} = R`, :math:`Q_{ii} = Q`, and :math:`Q_{ik} = C` for two units.
There the drift vanishes. Positive eigenvalues of its Jacobian belong to the directions
in which the student leaves the plateau. Closed forms of the averages give the limit of
small rates too, where Q = C; quadrature needs units that differ a little.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp
from scipy.optimize import root

from rosenblatt.committees.committee import Committee
from rosenblatt.committees.theory import CommitteeDrift
from rosenblatt.core.arguments import number, part
from rosenblatt.core.types import FloatArray
from rosenblatt.theory.control import derivatives

_RESIDUAL = 1e-10  # drift that counts as none, with closed forms
_CLOSED = 1e-12  # accuracy of closed forms
_SHORT = 1e-5  # step of differences for units that are alike
_LONG, _COARSE = 300.0, 1e-5  # time and tolerance of the way to the plateau


class Plateau(NamedTuple):
    """A symmetric fixed point of the drift."""

    R: float  # overlap of each student with each teacher
    Q: float  # squared length of a student
    C: float  # overlap of two students; that of a student with itself if there is one
    error: float
    # of the Jacobian, per rate, the largest real part first
    eigenvalues: npt.NDArray[Any]


def _per_rate(drift: CommitteeDrift, state: FloatArray, rate: float) -> FloatArray:
    """Return the drift of the overlaps over the rate and without decay, at 0 too."""
    terms = drift.terms(state, second=False)
    return np.asarray((terms.linear + rate * terms.quadratic)[: drift.overlaps])


def jacobian(drift: CommitteeDrift, state: FloatArray, rate: float) -> FloatArray:
    """Return the derivatives of the overlaps' drift per rate, without decay."""
    overlaps, outputs = state[: drift.overlaps], state[drift.overlaps :]

    def function(values: FloatArray) -> FloatArray:
        return _per_rate(drift, np.concatenate([values, outputs]), rate)

    if drift.accuracy < _CLOSED:
        return derivatives(function, overlaps, drift.step)
    covariance = drift.covariance(*drift.unpack(state)[:2])
    least = float(np.linalg.eigvalsh(covariance)[0])  # differences stay Gram matrices
    return derivatives(function, overlaps, min(drift.step, max(0.2 * least, _SHORT)))


class _Symmetric:
    """The drift of committees whose units are alike: of R, Q and C."""

    def __init__(self, drift: CommitteeDrift, rate: float) -> None:
        self.drift, self.rate = drift, rate

    def state(self, values: FloatArray) -> FloatArray:
        """Return the packed state."""
        r, q, c = values
        k, m = self.drift.students, self.drift.teachers
        return self.drift.pack(np.full((k, m), r), c + (q - c) * np.eye(k))

    def change(self, values: FloatArray) -> FloatArray:
        """Return the derivatives; C follows Q if there is one unit."""
        state = self.state(values)
        found = np.zeros_like(state)
        found[: self.drift.overlaps] = _per_rate(self.drift, state, self.rate)
        cross, own, _ = self.drift.unpack(found)
        rest = own[0, 1] if self.drift.students > 1 else values[1] - values[2]
        return np.array([cross[0, 0], own[0, 0], rest])

    def rest(self) -> FloatArray:
        """Return R, Q and C where the drift vanishes."""
        guess = 0.5 / max(self.drift.students, self.drift.teachers)
        first = np.array([guess, guess, 0.8 * guess])
        closed = self.drift.accuracy < _CLOSED
        if self.rate > 0:  # the curve leads to units that differ; Newton may not
            way = solve_ivp(
                lambda _, values: self.change(values), (0.0, _LONG), first,
                method="LSODA", rtol=_COARSE, atol=_COARSE
            )  # fmt: skip
            first = way.y[:, -1]
        with np.errstate(invalid="ignore"):
            found = root(self.change, first, tol=1e-14 if closed else 1e-10)
        small = _RESIDUAL if closed else 10 * self.drift.accuracy
        if not np.abs(found.fun).max() < small:
            raise ArithmeticError(
                f"no symmetric plateau was found at rate {self.rate:g}: {found.message}"
            )
        return np.asarray(found.x)


def plateau(committee: Committee, rate: float = 0.0) -> Plateau:
    """Return the symmetric plateau of a committee for N to infinity.

    Parameters
    ----------
    committee
        Student and teacher without decay; the units of each must be alike.
    rate
        The rate of the first layer, by default the limit of small rates, which needs
        the activation ``Erf()``.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> found = plateau(rb.committees.Committee(rb.rules.Erf(), 3, 3))
    >>> round(found.Q, 6), round(found.C, 6), round(found.error, 5)
    (0.2, 0.2, 0.0203)
    """
    part("committee", Committee, committee)
    rate = number("rate", rate, low=0)
    _check_alike(committee)
    drift = CommitteeDrift(committee)
    if rate == 0 and drift.accuracy > _CLOSED:
        raise ValueError(
            f"rate must be above 0 for {committee.activation!r}, since averages by "
            "quadrature need units that differ"
        )
    symmetric = _Symmetric(drift, rate)
    values = symmetric.rest()
    at = symmetric.state(values)
    found = np.linalg.eigvals(jacobian(drift, at, rate))
    order = np.argsort(-found.real, kind="stable")
    error = float(drift.error(*drift.unpack(at)))
    r, q, c = (float(value) for value in values)
    return Plateau(r, q, c, error, found[order])


def _check_alike(committee: Committee) -> None:
    """Refuse teachers or students whose units differ, and weights that decay."""
    gram, outputs = committee.gram, committee.teacher_weights
    others = gram[~np.eye(len(gram), dtype=bool)]
    alike = gram.diagonal(), others, outputs, committee.student_weights
    if any(np.ptp(x) > 0 for x in alike if x.size):
        raise ValueError(
            "committee must have a teacher whose units are alike, and a student, got "
            f"teachers {committee.teachers!r}, outputs {committee.outputs!r} and "
            f"student_outputs {committee.student_outputs!r}"
        )
    if committee.decay > 0:
        raise ValueError(f"committee must have no decay, got {committee.decay}")
