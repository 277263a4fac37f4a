r"""The vocabulary: what parts receive and return, and the base classes of parts.

One scaling holds everywhere: inputs have expected squared length 1, weights are of
order :math:`N`, and overlaps are per dimension,

.. math:: R = w \cdot B / N, \qquad Q = w \cdot w / N, \qquad B \cdot B = N.

Fields are :math:`h = w \cdot x` and :math:`b = B \cdot x`. A learning rule sees a few
scalars about an example, a :class:`Percept`, and answers with an :class:`Update`,

.. math:: w \leftarrow (1 - \mathrm{decay} / N)\, w + \mathrm{gain}\, (x - T),  \tag{1}

where the shift :math:`T` is zero for all rules but the shifted ones. No factor of
:math:`N` appears in a rule.

**Motions.** The teacher turns on its sphere, so that :math:`B \cdot B = N` holds
exactly. It turns by an angle :math:`\varphi` towards a unit vector :math:`e` at a
right angle to it,

.. math:: B \leftarrow B \cos\varphi + \sqrt N\, e \sin\varphi,   \tag{2}

before every example, or only at given times. A motion says how far, and in which
direction. The state that is recorded after :math:`n` examples has the teacher of the
last one. A change at a given time acts on the examples after it.

**Machines.** A machine answers an input :math:`s` with
:math:`\operatorname{sgn} f(s, w)`, where :math:`f` is differentiable in its parameters
:math:`w`. It learns on mistakes,

.. math:: w \leftarrow w + \eta\, y\, \nabla_w f(s, w)
    \quad\text{if}\quad y\, f(s, w) \le 0,  \tag{3}

after which each normalised group of parameters is rescaled to length 1. The scaling of
perceptrons does not apply here: inputs and parameters are what the machine says, and
time is the number of examples.

**Beliefs.** A learner knows of each weight a mean :math:`m_i`, a variance :math:`v_i`
and whatever else it wants to remember. Inputs have squared length 1 and weights are of
order 1, so that the field of an example is known with

.. math::
    h = \sum_i m_i x_i, \qquad
    \text{spread} = \sum_i v_i x_i^2, \qquad
    \text{variance} = \frac{1}{N} \sum_i v_i,   \tag{4}

and the last two agree if N is large. Usually two scalar functions are enough. The first
returns two numbers about an example, for all weights. The second updates a weight from
them and from its own input. See :class:`WeightwiseRule`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.core import gaussian, starts
from rosenblatt.core.arguments import number, part, shown
from rosenblatt.core.types import FloatArray, Words

NO_AVERAGE, UNIFORM, ALONG_FIELD = range(3)  # kinds of shift, as kernels know them


@dataclass(frozen=True)
class FixedShift:
    """The shift ``T = mean * U + teacher * B``, known beforehand.

    Parameters
    ----------
    mean
        Factor of the mean ``U`` of the inputs in the shift.
    teacher
        Factor of the teacher (a unit vector here) in the shift.
    """

    mean: float
    teacher: float

    def __post_init__(self) -> None:
        number("mean", self.mean)
        number("teacher", self.teacher)


@dataclass(frozen=True)
class AverageShift:
    """A shift from running averages over all examples so far; 0 while ``w.M <= 0``.

    Parameters
    ----------
    uniform
        If true, ``T = M / <y>`` with ``M = <y x>``, which needs labels that are not
        balanced, and 0 while ``<y> = 0``. If false, ``T(x) = M (w.x) / (w.M)``, which
        exists for all labels.
    """

    uniform: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.uniform, bool):
            raise TypeError(f"uniform must be True or False, got {shown(self.uniform)}")


Shift = FixedShift | AverageShift | None


def shift_kind(shift: Shift) -> int:
    """Return the use that a shift makes of the average of ``label * x``.

    Examples
    --------
    >>> shift_kind(AverageShift()) == UNIFORM, shift_kind(None) == NO_AVERAGE
    (True, True)
    """
    if not isinstance(shift, AverageShift):
        return NO_AVERAGE
    return UNIFORM if shift.uniform else ALONG_FIELD


# ---- rules, schedules, teachers, streams


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


class Evidence(NamedTuple):
    """Log-probability of one label, and its derivatives by the field's mean."""

    log_probability: float  # ln Z
    slope: float  # of ln Z
    curvature: float  # minus its second derivative


class Labels(StrEnum):
    """Labels that a likelihood has."""

    SIGNS = "signs"  # -1 and +1
    COUNTS = "counts"  # 0, 1, 2, ...
    NUMBERS = "numbers"


class Likelihood(Part, ABC):
    r"""A law of labels: the probability, or its density, of a label given the field.

    :math:`\ln p(y \mid f)` is one scalar function. All else follows from it by
    quadrature, unless a likelihood knows a closed form.

    Examples
    --------
    Counts of two kinds of events, one of which does not depend on the field:

    >>> import math
    >>> from dataclasses import dataclass
    >>> import rosenblatt as rb
    >>> from rosenblatt.core import Labels, Likelihood
    >>> @dataclass(frozen=True)
    ... class Background(Likelihood):
    ...     rate: float = 0.5
    ...     labels = Labels.COUNTS
    ...     def bind(self):
    ...         rate = self.rate
    ...         def log_probability(y, f):
    ...             mean = rate + math.exp(f)
    ...             return y * math.log(mean) - mean - math.lgamma(y + 1.0)
    ...         return log_probability
    >>> law = Background()
    >>> run = rb.simulate(
    ...     rb.rules.FullBayes(likelihood=law), rb.schedules.Constant(), law,
    ...     dim=20, alpha=10, replicas=20)
    >>> float(run.overlap.mean().round(2))
    0.95
    """

    if TYPE_CHECKING:  # an attribute, or a property: both will do

        @property
        def labels(self) -> Labels:
            """The labels that it is a law of."""

    @abstractmethod
    def bind(self) -> Callable[[float, float], float]:
        """Return ``(label, field) -> ln p`` as a plain function for numba."""

    def evidence(self) -> Callable[[float, float, float], Evidence] | None:
        """Return the Gaussian average in closed form, or None for quadrature.

        It is a plain function of the field's mean and variance, and of the label.
        """
        return None

    def draw(self) -> Callable[[float, Words], float] | None:
        """Return ``(field, rng) -> label`` as a plain function, or None.

        It takes its numbers from :func:`rosenblatt.numerics.random.uniform` and
        ``normal``. Signs and counts are drawn by their probabilities if there is none.
        """
        return None

    def moments(self) -> Callable[[float], tuple[float, float]] | None:
        """Return ``field -> mean and variance of a label``, or None: by sums.

        It is a plain function. The variance may be infinite.
        """
        return None

    @property
    def scale(self) -> float:
        """The typical distance of a number from its field, for quadrature."""
        return 1.0


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


# ---- motions of the teacher


class Heading(IntEnum):
    """Direction in which a teacher turns."""

    STILL = 0  # it does not turn
    RANDOM = 1  # uniform, a new one for each turn
    PLANE = 2  # along a circle that is fixed in space
    AWAY = 3  # from the student


class Motion(Part, ABC):
    """A motion of the teacher: how far it turns, when, and in which direction."""

    @property
    @abstractmethod
    def heading(self) -> Heading:
        """Direction of all turns."""

    def angle(self, dim: float) -> float:
        """Return the angle of one turn, in radians, for N = ``dim``.

        By default these angles add up to ``velocity`` per unit of alpha.
        """
        if self.velocity > math.pi * dim:
            raise ValueError(
                f"{self!r} must turn by at most pi before an example, which is "
                f"{math.pi * dim:g} per unit of alpha for dim = {dim:g}"
            )
        return self.velocity / dim

    @property
    def changes(self) -> tuple[float, ...] | None:
        """Times alpha of the turns; None if there is one before every example."""
        return None

    @property
    def velocity(self) -> float:
        """Motion per unit of alpha for N to infinity; 0 if there are changes only.

        It is the angle per unit of alpha. For random turns, whose angles do not add up,
        it is the rate at which the overlap with an old teacher decays.
        """
        return 0.0


@dataclass(frozen=True)
class SteadyMotion(Motion):
    """A motion by the same angle before every example, so that the angles add up."""

    speed: float

    def __post_init__(self) -> None:
        number("speed", self.speed, low=0)

    @property
    def velocity(self) -> float:
        """Angle per unit of alpha."""
        return float(self.speed)


# ---- machines and their inputs


class VectorStream(Stream):
    """A law of input vectors, as a function that draws them.

    Attributes
    ----------
    dim
        Number of components of an input.
    """

    if TYPE_CHECKING:  # a field of a dataclass, or a property: both will do

        @property
        def dim(self) -> int:
            """Number of components of an input."""

    @abstractmethod
    def bind(self) -> Callable[[npt.NDArray[np.uint64], FloatArray], None]:
        """Return ``(rng, s) -> None`` as a plain function that numba can compile.

        It fills ``s`` with one input, from :func:`rosenblatt.numerics.random.uniform`,
        ``normal`` and the like; ``rng`` is what these take.
        """

    @property
    def many(self) -> bool:
        """True if it also fills a longer ``s`` with inputs one after the other.

        It is then called for many inputs at a time, which is faster.
        """
        return False

    def between(self, a: FloatArray, b: FloatArray) -> FloatArray | None:
        """Return the probability that a number lies between a and b, if known.

        For inputs of one component only; accurate also where it is tiny.
        """
        return None


class NormalStream(VectorStream):
    """Independent normal components of one scale, for which more is known exactly."""

    @property
    @abstractmethod
    def center(self) -> FloatArray:
        """The mean of every component."""

    @property
    @abstractmethod
    def spread(self) -> float:
        """The standard deviation of all components."""


class Machine(Part, ABC):
    """A thresholded smooth function of inputs and parameters.

    Attributes
    ----------
    inputs
        Number of components of an input.
    parameters
        Number of parameters, the weights.
    """

    if TYPE_CHECKING:  # fields of a dataclass, or properties: both will do

        @property
        def inputs(self) -> int:
            """Number of components of an input."""

        @property
        def parameters(self) -> int:
            """Number of parameters, the weights."""

    @property
    def groups(self) -> int:
        """Number of equal consecutive groups of weights kept at length 1, or 0."""
        return 0

    @abstractmethod
    def bind(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return ``(s, w, gradient) -> f`` as a plain function that numba can compile.

        It writes the gradient with respect to ``w`` into ``gradient``.
        """

    def plain(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return the same function with all that it calls left to Python."""
        return self.bind()

    def error(
        self, weights: FloatArray, target: FloatArray, stream: VectorStream
    ) -> FloatArray | None:
        """Return the probability that signs differ from the target's, if known.

        ``weights`` has one student a row. None says that it is not known for this
        stream; it is then measured with fresh inputs.
        """
        return None


# ---- rules with a belief about every weight


class Observation(NamedTuple):
    """Numbers that a learner may use, besides its input vector."""

    field: float  # h, eq. (4)
    label: float  # y = +1 or -1
    norm2: float  # m.m/N
    input2: float  # x.x
    rate: float  # eta, from the schedule
    dim: float  # N
    spread: float  # eq. (4)
    variance: float  # eq. (4)


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
    >>> bool(run.overlap > 0.9), bool(run.estimate < 0.5)  # it assumes no wrong labels
    (True, True)
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
