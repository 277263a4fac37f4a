r"""Committees: students with K hidden units that learn from a teacher with M.

The fields of the units are :math:`h_i = w_i \cdot x` and :math:`b_n = B_n \cdot x`, and
the student's error on an example is

.. math:: e = t - o, \qquad t = \sum_n v_n\, g(b_n) + \sigma z, \qquad
    o = \sum_j u_j\, g(h_j),  \tag{1}

with one activation :math:`g`, output weights :math:`v_n` of the teacher and :math:`u_j`
of the student, and output noise, where :math:`z` is standard normal. The student
descends :math:`e^2 / 2`, with a rate for each layer,

.. math::
    w_i \leftarrow (1 - \lambda / N)\, w_i + \eta\, u_i\, g'(h_i)\, e\, x, \qquad
    u_i \leftarrow u_i + \frac{\eta_2}{N}\, g(h_i)\, e.  \tag{2}

A student that classifies sees the sign of t only, and its own decision is the sign of
o. It learns from its mistakes, with :math:`e = \operatorname{sign} t` there and 0 else;
this is the rule of :cite:t:`barkai1995`, section 4, for committees.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from numbers import Real
from typing import Any, cast

import numpy as np

from rosenblatt.compiling import compiled
from rosenblatt.core import Activation, Heading, Motion, Schedule
from rosenblatt.core.arguments import number, numbers, part, shown, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.linear.gradient import outputs
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import ScheduleLike, schedule_of

_FIELDS = np.linspace(-3.05, 3.05, 20)  # where a slope is compared with differences
_STEP = 1e-5
_WRONG = 1e-3  # relative deviation that rounding does not explain
_ROUNDING = 1e-10  # relative: an eigenvalue below zero by less is rounding
_SMALL = 1e-13  # relative: a pivot below it is zero, its unit depends on earlier ones
Start = float | tuple[FloatArray, FloatArray]  # a length, or overlaps R and Q
RateLike = ScheduleLike | float


def factor(name: str, gram: FloatArray) -> FloatArray:
    """Return a lower triangular factor of a Gram matrix, which may be singular.

    Examples
    --------
    >>> factor("teachers", np.array([[1.0, 2.0], [2.0, 1.0]]))
    Traceback (most recent call last):
    ValueError: teachers must be a Gram matrix, without negative eigenvalues, got -1
    """
    scale = float(np.abs(gram).max())
    if np.abs(gram - gram.T).max() > _ROUNDING * scale:
        raise ValueError(f"{name} must be symmetric, got {gram.tolist()}")
    least = float(np.linalg.eigvalsh(gram)[0])
    if least < -_ROUNDING * scale:
        raise ValueError(
            f"{name} must be a Gram matrix, without negative eigenvalues, got "
            f"{least:.4g}"
        )
    return triangular(gram)


def triangular(gram: FloatArray) -> FloatArray:
    """Return the factor of a matrix that is known to be a Gram matrix.

    Examples
    --------
    >>> triangular(np.array([[4.0, 2.0], [2.0, 1.0]])).tolist()
    [[2.0, 0.0], [1.0, 0.0]]
    """
    scale, result = float(np.abs(gram).max()), np.zeros_like(gram)
    for j in range(len(gram)):
        rest = gram[j:, j] - result[j:, :j] @ result[j, :j]
        if rest[0] > _SMALL * scale:
            result[j:, j] = rest / np.sqrt(rest[0])
    return result


def shortfall(gram: FloatArray) -> float:
    """Return the number to add to the diagonal for a Gram matrix; 0 if it is one.

    Errors of integration leave such matrices, once a student is almost its teacher.

    Examples
    --------
    >>> shortfall(np.eye(2)), round(shortfall(np.array([[1.0, 1.1], [1.1, 1.0]])), 6)
    (0.0, 0.1)
    """
    least = float(np.linalg.eigvalsh(gram)[0])
    return -least if least < -_ROUNDING * float(np.abs(gram).max()) else 0.0


def starting(start: Any, teachers: FloatArray, students: int) -> Start:
    """Return a checked start: a length, or overlaps R (K, M) and Q (K, K)."""
    if isinstance(start, Real):
        return number("start", cast(float, start), low=0)
    if not (isinstance(start, tuple | list) and len(start) == 2):
        raise TypeError(
            f"start must be a length or a pair of overlaps R and Q, got {shown(start)}"
        )
    first, second = start
    cross = numbers("start[0]", first, (students, len(teachers)))
    own = numbers("start[1]", second, (students, students))
    factor("start", np.block([[teachers, cross.T], [cross, own]]))
    return cross, own


@dataclass(frozen=True)
class Committee:
    """A student and a teacher with hidden units of one activation, eqs. (1) and (2).

    Parameters
    ----------
    activation
        The output of a unit and its slope: ``Erf()``, ``ReLU()``, ``Tanh()``,
        ``Linear()`` or ``Logistic()`` of :mod:`rosenblatt.rules`, or your own
        :class:`~rosenblatt.core.Activation`.
    students
        Number K of the student's units.
    teachers
        Number M of the teacher's units, which are then orthogonal and of length 1; or
        their overlaps ``B_n.B_m/N``, a matrix.
    outputs
        Output weights v of the teacher, all 1 by default.
    decay
        Strength of the decay of the first layer's weights.
    noise
        Standard deviation of the teacher's output noise.
    student_outputs
        First output weights u of the student, all 1 by default. They stay as they are
        if the second layer has rate 0.

    Examples
    --------
    >>> from rosenblatt.rules import Erf
    >>> graded = Committee(Erf(), students=2, teachers=[[1.0, 0.0], [0.0, 4.0]])
    >>> graded.units, graded.gram.diagonal().tolist()
    ((2, 2), [1.0, 4.0])
    """

    activation: Activation
    students: int = 3
    teachers: Any = 3
    outputs: tuple[float, ...] | None = None
    decay: float = 0.0
    noise: float = 0.0
    student_outputs: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        part("activation", Activation, self.activation)
        whole("students", self.students, low=1)
        number("decay", self.decay, low=0)
        number("noise", self.noise, low=0)
        if hasattr(self.teachers, "__len__") and not isinstance(self.teachers, str):
            given = numbers("teachers", self.teachers, (len(self.teachers),) * 2)
            factor("teachers", given)
            rows = tuple(tuple(row) for row in given.tolist())
            object.__setattr__(self, "teachers", rows)
        else:
            whole("teachers", self.teachers, low=1)
        self._check_outputs("outputs", self.units[1])
        self._check_outputs("student_outputs", self.units[0])
        self._check_slope()

    def _check_outputs(self, name: str, wanted: int) -> None:
        """Check output weights, and make them a tuple of numbers."""
        given = getattr(self, name)
        if given is None:
            return
        weights = numbers(name, given, (wanted,)).tolist()
        object.__setattr__(self, name, tuple(weights))

    def _check_slope(self) -> None:
        """Compile the activation, and warn where its slope is not its derivative."""
        self._check_pair()
        values, stated = self.evaluate(_FIELDS)
        if not (np.isfinite(values).all() and np.isfinite(stated).all()):
            raise ValueError(
                f"activation {self.activation!r} must be finite with a finite slope "
                f"for fields from {_FIELDS[0]:g} to {_FIELDS[-1]:g}"
            )
        ends = (self.evaluate(_FIELDS + side * _STEP)[0] for side in (1, -1))
        found = np.subtract(*ends) / (2 * _STEP)
        wrong = np.abs(stated - found) > _WRONG * (1 + np.abs(found))
        if wrong.sum() > 1 + len(self.activation.kinks):
            at = int(np.argmax(wrong))
            warnings.warn(
                f"activation {self.activation!r} states the slope {stated[at]:.6g} at "
                f"{_FIELDS[at]:.3g}, where its derivative is {found[at]:.6g}",
                stacklevel=4,
            )

    def _check_pair(self) -> None:
        """Refuse an activation that does not return two numbers, or has other kinks."""
        try:  # compiled code is stored; parts of a plain function may not be
            output = compiled(self.activation)
        except TypeError:
            output = self.activation.bind()
        try:
            with np.errstate(all="ignore"):
                given = output(0.5)
        except Exception:
            return  # the compiler says more
        pair = given if isinstance(given, tuple) else ()
        if len(pair) != 2 or not all(isinstance(x, Real) for x in pair):
            raise TypeError(
                f"activation {self.activation!r} must return two numbers, the output "
                f"of a unit and its slope, got {shown(given)} for the field 0.5"
            )
        kinks = self.activation.kinks
        numbers(f"kinks of the activation {self.activation!r}", kinks, (None,), (0,))

    def evaluate(self, fields: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return outputs and slopes of a unit at these fields."""
        return outputs(self.activation, fields)

    @property
    def units(self) -> tuple[int, int]:
        """Numbers K and M of units of the student and of the teacher."""
        if np.ndim(self.teachers) == 0:
            return int(self.students), int(self.teachers)
        return int(self.students), len(self.teachers)

    @property
    def gram(self) -> FloatArray:
        """Overlaps of the teacher's units, (M, M)."""
        if np.ndim(self.teachers) == 0:
            return np.eye(self.units[1])
        return np.array(self.teachers)

    @property
    def teacher_weights(self) -> FloatArray:
        """Output weights of the teacher, (M,)."""
        return np.array([1.0] * self.units[1] if self.outputs is None else self.outputs)

    @property
    def student_weights(self) -> FloatArray:
        """First output weights of the student, (K,)."""
        given = self.student_outputs
        return np.array([1.0] * self.units[0] if given is None else given)

    @property
    def signs(self) -> FloatArray:
        """Weights of all units in the error, eq. (1), those of the student negative."""
        return np.concatenate([-self.student_weights, self.teacher_weights])


def rate_of(name: str, given: RateLike) -> Schedule:
    """Return the schedule of a rate; a number is a constant.

    Examples
    --------
    >>> rate_of("second_rate", 0.5)
    Constant(rate=0.5)
    """
    if isinstance(given, Real | float):
        return Constant(number(name, given, low=0))
    try:
        return schedule_of(given)
    except TypeError:
        raise TypeError(
            f"{name} must be a number, a Schedule or a function of the clock, got "
            f"{shown(given)}"
        ) from None


def check_rates(
    schedules: tuple[Schedule, Schedule], rates: tuple[float, float], place: str
) -> None:
    """Raise an error if a schedule returned a rate that is negative or not finite.

    Examples
    --------
    >>> both = Constant(0.5), Constant(0.0)
    >>> check_rates(both, (0.5, float("nan")), "at alpha = 1")
    Traceback (most recent call last):
    ArithmeticError: second_rate: Constant(rate=0.0) returned nan at alpha = 1...
    """
    for name, schedule, rate in zip(
        ("rate", "second_rate"), schedules, rates, strict=True
    ):
        if not 0 <= rate < math.inf:
            raise ArithmeticError(
                f"{name}: {schedule!r} returned {rate:g} {place}; a rate must be "
                "finite and not negative"
            )


def check_motion(motion: Motion | None) -> None:
    """Raise an error if the units of a teacher cannot have the motion together.

    Examples
    --------
    >>> from rosenblatt.motions import Retreat, RandomWalk
    >>> check_motion(RandomWalk(0.1))
    >>> check_motion(Retreat(0.1))
    Traceback (most recent call last):
    ValueError: motion must be in random directions, got Retreat(speed=0.1)...
    """
    if motion is None:
        return
    if part("motion", Motion, motion).heading != Heading.RANDOM:
        raise ValueError(
            f"motion must be in random directions, got {motion!r}; rosenblatt.simulate "
            "takes it for one unit"
        )
