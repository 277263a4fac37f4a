r"""The drift of the order parameters, from the same function that the engines run.

The student has the coordinate :math:`c` along the teacher and :math:`d` across it, in
the direction of the mean input. In all other directions it has the length :math:`s`.
With :math:`Q = c^2 + d^2 + s^2` its field is :math:`h = \bar h + \sqrt Q\, v`, and the
teacher's is :math:`b = \bar b + R v + \sqrt{1 - R^2}\, r` with independent standard
normal :math:`v` and :math:`r`. A rule sees only :math:`h` and the label, so averages
are integrals over :math:`v` with :math:`P(y \mid v)` and :math:`E[r; y \mid v]`, which
the teacher knows. For gain :math:`g`, decay :math:`\lambda` and shift :math:`T`,

.. math::
    \frac{d w}{d\alpha} = \langle g\, (X - T) \rangle - \langle\lambda\rangle w, \qquad
    \frac{d s^2}{d\alpha} = 2 s \langle g\, (X_s - T_s) \rangle
        - 2 \langle\lambda\rangle s^2 + \langle g^2 \rangle,   \tag{1}

where :math:`X` are the components of an input in these directions. The last term is
the noise that the N - 2 other directions collect. A learned shift
:math:`T = M / \ell` has :math:`M = \langle y X \rangle` in the first two directions. In
the others it has a random part of squared length :math:`1 / \alpha`. The product
:math:`P` of this part with the student's obeys

.. math::
    \frac{d (\alpha P)}{d\alpha} = \alpha P \left[\frac{\langle g X_s \rangle}{s}
        - \langle\lambda\rangle\right]
        + \langle g y \rangle - \frac{\langle g \rangle}{\ell}.   \tag{2}

A learned shift :math:`T(x) = M\, h / (w \cdot M)` is treated alike, with
:math:`\ell = w \cdot M` and :math:`\langle g h \rangle` where
:math:`\langle g \rangle` multiplies :math:`T` or stands over :math:`\ell`.

A teacher that moves adds one more term. With its velocity :math:`D` or :math:`\delta`
(:mod:`rosenblatt.motions`) and :math:`t^2 = d^2 + s^2` that is

.. math::
    \frac{dc}{d\alpha} = \ldots - D c, \quad
    \frac{dt^2}{d\alpha} = \ldots + 2 D c^2;   \qquad
    \frac{dc}{d\alpha} = \ldots + \delta d, \quad
    \frac{dd}{d\alpha} = \ldots - \delta c;   \qquad
    \frac{dc}{d\alpha} = \ldots - \delta t, \quad
    \frac{dt^2}{d\alpha} = \ldots + 2 \delta c t   \tag{3}

for random turns, for a rotation, where :math:`d` is along the teacher's velocity, and
for turns away from the student.

Angles are taken from :math:`d`, :math:`s` and :math:`c`, never from :math:`1 - R`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import compiled, kernel
from rosenblatt.compiling.jit import Step, mapped, remembered
from rosenblatt.compiling.pointers import function_address, step_at
from rosenblatt.compiling.types import Vector
from rosenblatt.core import (
    AverageShift,
    FixedShift,
    GaussianStream,
    Heading,
    Motion,
    Percept,
    Rule,
    Teacher,
    starts,
)
from rosenblatt.core.gaussian import Mapped, layer, nodes
from rosenblatt.core.types import FloatArray

_THIN = 1e-150  # stands for an angle of 0, and its square is still a number
# Where a rule is searched for jumps that it does not declare; none at round numbers.
_STABILITIES = np.linspace(-10.0007, 10.0007, 2001)
_SAME = 1e-9
_SUDDEN = 1e-3  # relative change between neighbours that is worth a closer look
_STEEP = 0.03  # change over 0.01 in the stability, relative to all there is


class State(NamedTuple):
    """Order parameters, chosen so that each is accurate in relative terms.

    The part of the student that is not along the teacher has two variables. These are
    its squared length, which may become very small, and ``d / side``, the share of it
    towards the mean input.
    """

    along: float  # c
    side2: float  # d^2 + s^2
    tilt: float  # d / sqrt(side2), from -1 to 1
    mistakes: float  # per dimension
    product: float  # alpha P of eq. (2)

    @classmethod
    def at(
        cls, along: float, across: float, rest: float, product: float = 0.0
    ) -> State:
        """Return the state of a student with these coordinates, no mistakes so far."""
        side = math.hypot(across, rest)
        return cls(along, side**2, across / side if side > 0 else 0.0, 0.0, product)

    def changed(self, angle: float) -> State:
        """Return the state after an abrupt turn of the teacher, in a random direction.

        For N to infinity such a direction is at a right angle to the student.
        """
        side2 = self.side2 + (self.along * math.sin(angle)) ** 2
        tilt = self.tilt * math.sqrt(self.side2 / side2) if side2 > 0 else 0.0
        return self._replace(along=self.along * math.cos(angle), side2=side2, tilt=tilt)

    @property
    def coordinates(self) -> tuple[float, float, float]:
        """Along the teacher, across it, and the rest."""
        side = math.sqrt(max(self.side2, 0.0))
        return (
            self.along,
            side * self.tilt,
            side * math.sqrt(max((1 - self.tilt) * (1 + self.tilt), 0.0)),
        )


def jumps(
    function: Callable[[FloatArray], FloatArray], grid: npt.ArrayLike
) -> list[tuple[float, float]]:
    """Return pairs of neighbouring floats between which a function jumps.

    All steep intervals are halved together, so the function is called with arrays. The
    grid must be so fine that no two jumps lie between neighbours; a smooth function
    may be arbitrarily steep.

    Examples
    --------
    >>> [(low, high)] = jumps(lambda x: (x < 0.5) * 1.0, [0.0, 0.3, 0.7, 1.0])
    >>> low < 0.5 == high
    True
    """
    x = np.asarray(grid, dtype=np.float64)
    with np.errstate(invalid="ignore"):  # heights of what is infinite on both sides
        values = function(x)
        height = np.abs(np.diff(values))
        size = np.abs(values)
        steep = height > _SUDDEN * np.maximum(size[:-1], size[1:])
        ends = np.array([x[:-1], x[1:]])[:, steep]
        sides = np.array([values[:-1], values[1:]])[:, steep]
        while True:
            middle = 0.5 * (ends[0] + ends[1])
            open_ = np.flatnonzero((ends[0] < middle) & (middle < ends[1]))
            if not open_.size:
                break
            middle = middle[open_]
            found = function(middle)
            before, after = np.abs(sides[:, open_] - found)
            side = np.where(before < after, 0, 1)  # the end that moves to the middle
            ends[side, open_], sides[side, open_] = middle, found
        sharp = np.abs(sides[1] - sides[0]) > 0.5 * height[steep]
    return [(low, high) for low, high in ends[:, sharp].T.tolist()]


@remembered
def _kinks(rule: Rule) -> tuple[float, ...]:
    """Return fields at which the update is not smooth, declared or found."""
    step = compiled(rule)

    def gain(stabilities: FloatArray) -> FloatArray:
        shared = 1.0, 1.0, 1.0, 1.0, math.inf, 0.0
        return np.array([step(Percept(h, *shared)).gain for h in stabilities.tolist()])

    known = [*rule.kinks, 0.0]
    for _, high in jumps(gain, _STABILITIES):
        if min(abs(high - kink) for kink in known) > _SAME:
            known.append(high)
    # Where a smooth rule is steep the panels have to be short.
    ends = _STABILITIES
    heights = gain(ends)
    steep = np.abs(np.diff(heights)) > _STEEP * np.ptp(heights)
    for kink in known:
        steep &= (kink < ends[:-1]) | (ends[1:] < kink)
    known += [*ends[:-1][steep].tolist(), *ends[1:][steep].tolist()]
    return tuple({k for kink in known for k in (kink, -kink)})


class Averages(NamedTuple):
    """Averages over examples of what a rule does with gain g, and of its mistakes."""

    gain: float  # <g>
    gain_label: float  # <g y>
    gain_field: float  # <g h>
    gain_student: float  # <g v>, h = mean + length * v
    gain_teacher: float  # <g r>, b = its mean given v + spread * r
    gain2: float  # <g^2>
    decay: float
    mistakes: float


@kernel()
def _averages(
    rule: int,
    p: Percept,
    nodes: tuple[Vector, Vector],
    moments: tuple[Vector, Vector],
    field: tuple[float, float],
    along_field: bool,
    out: Vector,
) -> None:
    """Add to all sums; the rule is an address, which is passed faster."""
    step = step_at(rule)
    (v, weight), (positive, first), (mean, length) = nodes, moments, field
    for i in range(v.size):
        h = mean + length * v[i]
        shift = p.shift * h if along_field else p.shift
        for side in range(2):
            y = 1.0 - 2.0 * side
            chance = weight[i] * (positive[i] if side == 0 else 1.0 - positive[i])
            u = step(Percept(h, y, p.norm2, p.input2, p.rate, p.dim, shift))
            g = u.gain
            out[0] += chance * g
            out[1] += chance * g * y
            out[2] += chance * g * h
            out[3] += chance * g * v[i]
            out[4] += weight[i] * first[i] * y * g
            out[5] += chance * g * g
            out[6] += chance * u.decay
            if y * h <= 0.0:
                out[7] += chance


def averages(
    step: Step,
    percept: Percept,
    nodes: tuple[FloatArray, FloatArray],
    moments: tuple[FloatArray, FloatArray],
    field: tuple[float, float],
    *,
    along_field: bool,
) -> Averages:
    """Return averages over Gaussian fields and both labels, by quadrature.

    Parameters
    ----------
    step
        The compiled rule.
    percept
        Numbers that all examples share; field and label do not matter.
    nodes
        Values of the standard normal ``v``, and their weights.
    moments
        ``P(y = +1)`` and ``E[r; y = +1]`` given each of them.
    field
        Mean and spread of the student's field.
    along_field
        Whether the shift grows with the field; ``percept`` then has that at field 1.
    """
    out = np.zeros(len(Averages._fields))
    shared = Percept(*(float(entry) for entry in percept))
    rule = function_address(step)
    _averages(rule, shared, nodes, moments, field, along_field, out)
    return Averages(*out.tolist())


@dataclass(frozen=True)
class OverlapDrift:
    """The right-hand side for given parts, as a function of state, rate and time."""

    rule: Rule
    teacher: Teacher
    stream: GaussianStream
    motion: Motion | None = None

    @functools.cached_property
    def step(self) -> Step:
        """The compiled rule."""
        return compiled(self.rule)

    @functools.cached_property
    def kinks(self) -> tuple[float, ...]:
        """Fields at which the rule is not smooth."""
        return _kinks(self.rule)

    @functools.cached_property
    def positive(self) -> Mapped:
        """The compiled teacher."""
        return mapped(self.teacher)

    @functools.cached_property
    def setting(self) -> starts.Setting:
        """Setting of the start, and averages over all examples."""
        center, kinks = self.stream.center, self.teacher.kinks
        circle = self.heading == Heading.PLANE
        return starts.Setting(math.inf, center, self.positive, kinks, circle=circle)

    @property
    def heading(self) -> Heading:
        """Direction in which the teacher turns."""
        return Heading.STILL if self.motion is None else self.motion.heading

    def turned(self, c: float, d: float, side: float) -> tuple[float, float, float]:
        """Return eq. (3): derivatives of c, of d and of the squared side."""
        velocity = 0.0 if self.motion is None else self.motion.velocity
        if self.heading == Heading.PLANE:
            return velocity * d, -velocity * c, -2 * velocity * c * d
        if self.heading == Heading.AWAY:
            return -velocity * side, 0.0, 2 * velocity * c * side
        return -velocity * c, 0.0, 2 * velocity * c**2

    @property
    def _along_field(self) -> bool:
        """True if the shift grows with the field."""
        shift = self.rule.shift
        return isinstance(shift, AverageShift) and not shift.uniform

    def shift(
        self, state: State, time: float
    ) -> tuple[tuple[float, float, float], float]:
        """Return a shift, and the 1 / l of eq. (2).

        It is given along the teacher, across it, and times s in the rest; for one that
        grows with the field, at field 1.
        """
        shift = self.rule.shift
        along, across = self.stream.center
        if isinstance(shift, FixedShift):
            fixed = shift.mean * along + shift.teacher, shift.mean * across, 0.0
            return fixed, 0.0
        if isinstance(shift, AverageShift):
            product = state.product / time if time > 0 else 0.0
            (one, other), labels = self.setting.averages
            overlap = one * state.along + other * state.coordinates[1] + product  # w.M
            below = labels if shift.uniform else overlap
            if shift.uniform and self.setting.balanced:
                raise ValueError(
                    "a uniform shift needs labels that are not balanced; with "
                    f"{self.teacher!r} and {self.stream!r} both are equally frequent; "
                    "take AverageShift(uniform=False)"
                )
            scale = 1 / below if overlap > 0 else 0.0
            return (scale * one, scale * other, scale * product), scale
        return (0.0, 0.0, 0.0), 0.0

    def __call__(self, state: State, rate: float, time: float) -> FloatArray:
        """Return the derivatives of a state with respect to alpha."""
        c, d, rest = state.coordinates
        side, product = math.sqrt(max(state.side2, 0.0)), state.product
        length = math.hypot(c, side)
        cosine, sine = (c / length, side / length) if length > 0 else (0.0, 1.0)
        # Unit vectors in (along, across, rest): the student's, and the one at a right
        # angle to it that points to the teacher. NumPy is slow for three numbers.
        unit = (c / length, d / length, rest / length) if length > 0 else (0.0,) * 3
        over, out = (d / side, rest / side) if side > 0 else (0.0, 1.0)
        towards = sine, -cosine * over, -cosine * out
        center = *self.stream.center, 0.0
        shift, scale = self.shift(state, time)
        overlap = c * shift[0] + d * shift[1] + shift[2]

        mean_field = length * (unit[0] * center[0] + unit[1] * center[1])
        v, weight = nodes(self._breaks(length, mean_field, cosine, sine))
        positive, first = self.teacher.moments(
            self.positive, center[0] + cosine * v, np.full_like(v, max(sine, _THIN))
        )
        found = averages(
            self.step,
            Percept(0.0, 0.0, length**2, 1.0, rate, math.inf, overlap),
            (v, weight),
            (positive, first),
            (mean_field, length),
            along_field=self._along_field,
        )
        moved = [
            found.gain * mean + found.gain_student * own + found.gain_teacher * other
            for mean, own, other in zip(center, unit, towards, strict=True)
        ]
        pull = found.gain_field if self._along_field else found.gain  # on the shift
        along, across = moved[0] - pull * shift[0], moved[1] - pull * shift[1]
        outside = rest * moved[2] - pull * shift[2]
        loss = found.decay
        if self.rule.normalised:  # the decay that keeps the length, whatever the rule's
            radial = c * along + d * across + outside
            loss = (radial + 0.5 * found.gain2) / length**2
        growth = 0.0
        if isinstance(self.rule.shift, AverageShift):  # eq. (2)
            share = moved[2] / rest if rest > 0 else 0.0
            growth = product * (share - loss) + found.gain_label - pull * scale
        # eq. (1), then in the variables of a state
        along, across = along - loss * c, across - loss * d
        side2 = 2 * (d * across + outside - loss * rest**2) + found.gain2
        turned = self.turned(c, d, side)  # eq. (3)
        along, across, side2 = along + turned[0], across + turned[1], side2 + turned[2]
        tilt = (across - d * side2 / (2 * side**2)) / side if side > 0 else 0.0
        return np.array([along, side2, tilt, found.mistakes, growth])

    def _breaks(
        self, length: float, mean_field: float, cosine: float, sine: float
    ) -> list[float]:
        """Return the values of v where rule or teacher are not smooth, or steep."""
        breaks: list[float] = []
        if length > 0:
            breaks += [(kink - mean_field) / length for kink in self.kinks]
        if cosine != 0:
            for kink in self.teacher.kinks:
                at = (kink - self.stream.center[0]) / cosine
                breaks += list(layer(at, sine / abs(cosine)))
        return breaks
