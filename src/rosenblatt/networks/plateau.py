r"""The symmetric plateau of a committee: its overlaps, error and eigenvalues.

On the plateau all units of the student have learned the same mixture of the teacher's
units: :math:`R_{in} = R`, :math:`Q_{ii} = Q`, and :math:`Q_{ik} = C` for two units.
There the drift vanishes. Positive eigenvalues of its Jacobian belong to the directions
in which the student leaves the plateau.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import root

from rosenblatt.core.arguments import number, part
from rosenblatt.core.types import FloatArray
from rosenblatt.networks.committee import Committee
from rosenblatt.networks.drift import CommitteeDrift

__all__ = ["Plateau", "jacobian", "plateau"]

_STEP = 1e-5  # of central differences: errors are about 1e-10
_RESIDUAL = 1e-10  # drift that counts as none


class Plateau(NamedTuple):
    """A symmetric fixed point of the drift."""

    R: float  # overlap of each student with each teacher
    Q: float  # squared length of a student
    C: float  # overlap of two students; that of a student with itself if there is one
    error: float
    eigenvalues: npt.NDArray[
        Any
    ]  # of the Jacobian, per rate, the largest real part first


def jacobian(drift: CommitteeDrift, state: FloatArray, rate: float) -> FloatArray:
    """Return the derivatives of the drift per rate, without decay."""
    columns = [
        drift.per_rate(state + step, rate) - drift.per_rate(state - step, rate)
        for step in _STEP * np.eye(state.size)
    ]
    return np.asarray(np.transpose(columns) / (2 * _STEP))


def plateau(committee: Committee, rate: float = 0.0) -> Plateau:
    """Return the symmetric plateau of a committee for N to infinity.

    Parameters
    ----------
    committee
        Student and teacher without decay; the teacher's units must be alike.
    rate
        The rate, by default the limit of small rates.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> found = plateau(rb.networks.Committee(rb.rules.Erf(), 3, 3))
    >>> round(found.Q, 6), round(found.C, 6), round(found.error, 5)
    (0.2, 0.2, 0.0203)
    """
    part("committee", Committee, committee)
    rate = number("rate", rate, low=0)
    _check_alike(committee)
    drift = CommitteeDrift(committee)
    students, teachers = committee.units
    off = 1 - np.eye(students)

    def state(values: FloatArray) -> FloatArray:
        r, q, c = values
        return drift.pack(
            np.full((students, teachers), r), q * np.eye(students) + c * off
        )

    def residual(values: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            cross, own = drift.unpack(drift.per_rate(state(values), rate))
        rest = own[0, 1] if students > 1 else values[2] - values[1]
        return np.array([cross[0, 0], own[0, 0], rest])

    guess = 0.5 / max(students, teachers)
    found = root(residual, [guess, guess, 0.8 * guess], tol=1e-14)
    if not np.abs(found.fun).max() < _RESIDUAL:
        raise ArithmeticError(
            f"no symmetric plateau was found at rate {rate:g}: {found.message}"
        )
    r, q, c = (float(value) for value in found.x)
    at = state(found.x)
    values = np.linalg.eigvals(jacobian(drift, at, rate))
    order = np.argsort(-values.real, kind="stable")
    return Plateau(r, q, c, float(drift.error(*drift.unpack(at))), values[order])


def _check_alike(committee: Committee) -> None:
    """Refuse teachers whose units differ, and weights that decay."""
    gram, outputs = committee.gram, committee.signs[committee.units[0] :]
    others = gram[~np.eye(len(gram), dtype=bool)]
    if any(np.ptp(x) > 0 for x in (gram.diagonal(), others, outputs) if x.size):
        raise ValueError(
            "committee must have a teacher whose units are alike, got teachers "
            f"{committee.teachers!r} and outputs {committee.outputs!r}"
        )
    if committee.classify:
        raise ValueError("committee must not classify, got classify=True")
    if committee.decay > 0:
        raise ValueError(f"committee must have no decay, got {committee.decay}")
