r"""The vocabulary: what parts receive and return, and the base classes of parts.

One scaling holds everywhere: inputs have expected squared length 1, weights are of
order :math:`N`, and overlaps are per dimension,

.. math:: R = w \cdot B / N, \qquad Q = w \cdot w / N, \qquad B \cdot B = N.

Fields are :math:`h = w \cdot x` and :math:`b = B \cdot x`. A learning rule sees a few
scalars about an example, a :class:`Percept`, and answers with an :class:`Update`,

.. math:: w \leftarrow (1 - \mathrm{decay} / N)\, w + \mathrm{gain}\, (x - T),  \tag{1}

where the shift :math:`T` is zero for all rules but the shifted ones. No factor of
:math:`N` appears in a rule.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rosenblatt.core import gaussian, starts
from rosenblatt.core.arguments import part
from rosenblatt.core.shifts import Shift
from rosenblatt.core.types import FloatArray


class Percept(NamedTuple):
    """All that a rule may look at.

    ``input2`` and ``shift`` refer to the direction of the update, ``x - T``; without a
    shift (the usual case) ``input2`` is ``x.x`` and ``shift`` is 0.
    """

    field: float  # h = w.x
    label: float  # y = +1 or -1
    norm2: float  # Q = w.w/N
    input2: float  # |x - T|^2
    rate: float  # eta, from the schedule
    dim: float  # N; infinite in theory
    shift: float = 0.0  # w.T


class Update(NamedTuple):
    """The answer of a rule: eq. (1) with this gain and this decay."""

    gain: float
    decay: float  # numba knows no defaults: always written out


class Clock(NamedTuple):
    """All that a schedule may look at; both counts include the current example."""

    time: float  # alpha = examples / N
    mistakes: float  # kappa = mistakes / N
    dim: float  # N; infinite in theory


class Conditions(NamedTuple):
    """The three conditions on a rate for stochastic approximation to converge.

    Examples
    --------
    >>> met = Conditions(vanishes=True, sum_diverges=True, squares_converge=False)
    >>> print(met)
    rate to 0: yes; sum of rates infinite: yes; sum of squares finite: no
    >>> met.all_met
    False
    """

    vanishes: bool  # rate -> 0
    sum_diverges: bool  # sum of rates = infinity: any distance can be covered
    squares_converge: bool  # sum of squared rates < infinity: the noise dies out

    @classmethod
    def of_power(cls, scale: float, exponent: float) -> Conditions:
        """Return the conditions for rates ``scale * n**-exponent``."""
        if scale == 0:
            return cls(vanishes=True, sum_diverges=False, squares_converge=True)
        return cls(
            vanishes=exponent > 0,
            sum_diverges=exponent <= 1,
            squares_converge=exponent > 0.5,
        )

    @property
    def all_met(self) -> bool:
        """True if all three are met."""
        return all(self)

    def __str__(self) -> str:
        words = ("rate to 0", "sum of rates infinite", "sum of squares finite")
        return "; ".join(
            f"{word}: {'yes' if met else 'no'}"
            for word, met in zip(words, self, strict=True)
        )


class Part:
    """A value: comparable, hashable, picklable, safe to share between threads.

    Parts are frozen dataclasses. A subclass that is none is compared by its attributes,
    which must then never change.
    """

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), tuple(vars(self).items())))


class Rule(Part, ABC):
    """A learning rule: one scalar function and its properties."""

    @abstractmethod
    def bind(self) -> Callable[[Percept], Update]:
        """Return the rule as a plain function that numba can compile."""

    @property
    def kinks(self) -> tuple[float, ...]:
        """Stabilities ``y h`` at which the update is not smooth."""
        return ()

    @property
    def mistakes_only(self) -> bool:
        """True if the update is zero wherever the stability is positive."""
        return False

    @property
    def shift(self) -> Shift:
        """Shift that is subtracted from the input before it is added to the weights."""
        return None

    @property
    def normalised(self) -> bool:
        """True if every update ends at ``w.w = N``, where theory keeps it."""
        return False

    @property
    def start(self) -> starts.Start:
        """The student that this rule begins with by default."""
        return starts.Random()

    def check_dim(self, dim: int) -> None:
        """Raise ``ValueError`` if the rule cannot learn so few weights."""
        return None


@dataclass(frozen=True)
class Combinator(Rule):
    """A rule that holds another rule and passes on its properties."""

    rule: Rule

    def __post_init__(self) -> None:
        part("rule", Rule, self.rule)

    @property
    def kinks(self) -> tuple[float, ...]:
        """Kinks of the inner rule."""
        return self.rule.kinks

    @property
    def mistakes_only(self) -> bool:
        """True if the inner rule moves on mistakes only."""
        return self.rule.mistakes_only

    @property
    def shift(self) -> Shift:
        """Shift of the inner rule."""
        return self.rule.shift

    @property
    def normalised(self) -> bool:
        """True if the inner rule normalises often enough to undo the outer rule."""
        return self.rule.normalised

    @property
    def start(self) -> starts.Start:
        """Start of the inner rule."""
        return self.rule.start

    def check_dim(self, dim: int) -> None:
        """Ask the inner rule."""
        self.rule.check_dim(dim)


class Schedule(Part, ABC):
    """A learning rate: a pure function of the clock."""

    @abstractmethod
    def bind(self) -> Callable[[Clock], float]:
        """Return the rate as a plain function that numba can compile."""

    @abstractmethod
    def conditions(self) -> Conditions:
        """Say which of the three convergence conditions the rate meets."""

    @property
    def smooth(self) -> bool:
        """True if the rate never jumps; theory looks for jumps of others."""
        return False


class Activation(Part, ABC):
    """A smooth output: a function of the field, with its slope and its two targets."""

    @abstractmethod
    def bind(self) -> Callable[[float], tuple[float, float]]:
        """Return ``h -> (output, slope)`` as a plain function."""

    @property
    def targets(self) -> tuple[float, float]:
        """The outputs wanted for the labels -1 and +1."""
        return (-1.0, 1.0)

    @property
    def kinks(self) -> tuple[float, ...]:
        """Fields at which the output or its slope is not smooth."""
        return ()


class Teacher(Part, ABC):
    """A label law: the probability of ``y = +1`` given the teacher's field."""

    @abstractmethod
    def bind(self) -> Callable[[float], float]:
        """Return ``b -> P(y = +1)`` as a plain function that numba can compile."""

    @property
    def kinks(self) -> tuple[float, ...]:
        """Fields ``b`` at which the probability is not smooth."""
        return (0.0,)

    def moments(
        self, positive: gaussian.Mapped, mean: FloatArray, spread: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return ``P(y = +1)`` and ``E[r; y = +1]`` for ``b = mean + spread * r``.

        ``positive`` is the compiled law, mapped over arrays, and ``r`` standard normal.
        A teacher that knows a closed form overrides this.
        """
        return gaussian.moments(positive, self.kinks, mean, spread)

    def error(
        self, positive: gaussian.Mapped, angle: FloatArray, mean: gaussian.PlaneMean
    ) -> FloatArray:
        """Return the probability that the student's sign is not the label.

        ``angle`` lies between student and teacher. ``mean`` is the mean input in the
        plane of the two: along the teacher, and across it towards the student.
        """
        return gaussian.error(positive, self.kinks, angle, mean)


class Stream(Part, ABC):
    """A law of the inputs."""


class GaussianStream(Stream):
    """Inputs with independent components of unit variance around a mean.

    Only for these the Gram matrix of a few vectors determines the law of the
    projections on them. So only these are accepted by ``reduced``, ``events`` and the
    theory.
    """

    @property
    @abstractmethod
    def center(self) -> tuple[float, float]:
        """Length of the mean along the teacher, and across it (not negative)."""
