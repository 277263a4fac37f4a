r"""What follows from a likelihood :math:`p(y \mid f)`: evidence, labels, information.

**Evidence.** The field is believed to be :math:`\mathcal N(m, v)`. With :math:`f = m +
\sqrt v\, t`, the label y had the probability :math:`Z = \mathrm E\, p(y \mid f)`. Its
derivatives follow from the mean and the variance that t has once the label is known,

.. math::
    \partial_m \ln Z = \frac{\langle t \rangle}{\sqrt v}, \qquad
    -\partial_m^2 \ln Z = \frac{1 - \mathrm{Var}\, t}{v}.   \tag{1}

Gauss-Hermite quadrature gives the moments. A few nodes are first those of the prior,
and then those of the Gaussian with the moments that were found, until these stay.
Many nodes give the result.

**Information.** Of a learner whose field has the mean :math:`h \sim \mathcal N(0, q)`
and the variance :math:`1 - q`, a label's mean information about h is

.. math:: J(q) = \mathrm E_h \sum_y Z\, (\partial_h \ln Z)^2,   \tag{2}

with an integral for labels that are numbers: the trapezoidal rule in t, for
:math:`y = h + \sqrt{1 - q + s^2} \sinh t` and the likelihood's scale s.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import roots_hermitenorm

from rosenblatt.compiling import inlined, types
from rosenblatt.compiling.jit import compiled_for, remembered
from rosenblatt.compiling.storage import name_of
from rosenblatt.core import Evidence, Labels, Likelihood, Teacher
from rosenblatt.core.arguments import part
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.evidence import evidence
from rosenblatt.numerics.random import uniform


def _nodes(order: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes, and logarithms of weights over the normal density."""
    points, weights = roots_hermitenorm(order)
    logs = np.log(weights / math.sqrt(2.0 * math.pi)) + 0.5 * points**2
    return points, np.asarray(logs)


# To find centre and width, and for the result. Errors of moments are below 2e-5 for
# skewed and heavy-tailed likelihoods half as wide as the prior, and 2e-2 for the law of
# Cauchy of a tenth of the width.
_FEW, _MANY = _nodes(24), _nodes(64)
_ROUNDS = 30  # a likelihood 1e-6 times as wide, 30 deviations away, takes 20
_NARROWEST = 0.1  # nodes for a result that is narrower may have missed its centre
_CLOSE = 0.01  # of the width: centre and width stay
_FIELDS, _FIELD_WEIGHTS = roots_hermitenorm(30)
_STEPS = np.linspace(-25.0, 25.0, 401)  # of t: numbers up to 1e10 scales away
_RARE, _MOST = 1e-15, 1e7  # probability and size of counts that are left out

EvidenceOf = Callable[[float, float, float], Evidence]
Label = Callable[[float, Words], float]
_f, _vector = types.float64, types.float64[::1]
_LABEL = _f(_f, types.uint64[::1])
LABEL = types.FunctionType(_LABEL)


def _by_quadrature(log_probability: Callable[[float, float], float]) -> EvidenceOf:
    """Return eq. (1) as a function of mean, variance and label."""

    def moments(
        mean: float, spread: float, label: float, center: float, width: float,
        points: FloatArray, logs: FloatArray,
    ) -> tuple[float, float, float]:  # fmt: skip
        top, total, first, second = -math.inf, 0.0, 0.0, 0.0
        for j in range(points.size):
            away = width * points[j]
            t = center + away
            log = log_probability(label, mean + spread * t) - 0.5 * t * t + logs[j]
            if log > top:
                before = math.exp(top - log)
                total, first, second = total * before, first * before, second * before
                top = log
            if log > -math.inf:
                part = math.exp(log - top)
                total += part
                first += part * away
                second += part * away * away
        if not total > 0.0:
            return -math.inf, 0.0, 0.0
        first /= total
        return math.log(total) + top, first, second / total - first * first

    found = inlined(moments)

    def averaged(mean: float, variance: float, label: float) -> Evidence:
        spread, center, width = math.sqrt(variance), 0.0, 1.0
        for _ in range(_ROUNDS):
            log, first, second = found(
                mean, spread, label, center, width, _FEW[0], _FEW[1]
            )
            if log == -math.inf:
                break
            before = width
            center += first
            width = max(math.sqrt(max(second, 0.0)), _NARROWEST * before)
            width = max(width, 0.5 * abs(first))  # the peak may be farther away
            if abs(first) + abs(width - before) < _CLOSE * before:
                break
        log, first, second = found(
            mean, spread, label, center, width, _MANY[0], _MANY[1]
        )
        if log == -math.inf:
            return Evidence(log, 0.0, 0.0)
        slope = (center + first) / spread
        return Evidence(log + math.log(width), slope, (1.0 - second) / variance)

    return averaged


def evidence_of(likelihood: Likelihood | None, noise: float = 0.0) -> Any:
    """Return evidence as a function of mean, variance and label, for kernels.

    Without a likelihood labels are signs with this noise.

    Examples
    --------
    >>> from rosenblatt.likelihoods import Gaussian
    >>> evidence_of(Gaussian(1.0))(0.0, 1.0, 2.0).slope
    1.0
    """
    if likelihood is None:

        def sign(mean: float, variance: float, label: float) -> Any:
            return evidence(mean, variance, label, noise)

        return inlined(sign)
    closed = likelihood.evidence()
    if closed is not None:
        return inlined(closed)
    return inlined(_by_quadrature(inlined(likelihood.bind())))


def one_law(likelihood: Likelihood | None, noise: float) -> None:
    """Raise an error unless a rule is given a likelihood, or noise of signs, or none.

    Examples
    --------
    >>> one_law(3, 0.0)
    Traceback (most recent call last):
    TypeError: likelihood must be a Likelihood, got 3
    """
    if likelihood is None:
        return
    part("likelihood", Likelihood, likelihood)
    if noise != 0:
        raise ValueError(
            "noise must be 0 with a likelihood, which says how labels are drawn, got "
            f"{noise}"
        )


def _signs(log_probability: Callable[[float, float], float]) -> Label:
    def draw(field: float, rng: Words) -> float:
        return 1.0 if uniform(rng) < math.exp(log_probability(1.0, field)) else -1.0

    return draw


def _counts(log_probability: Callable[[float, float], float]) -> Label:
    def draw(field: float, rng: Words) -> float:
        left, count = uniform(rng), 0.0
        while count < _MOST:
            left -= math.exp(log_probability(count, field))
            if left <= 0.0:
                break
            count += 1.0
        return count

    return draw


def _labels(teacher: Callable[[float], float]) -> Label:
    def draw(field: float, rng: Words) -> float:
        return 1.0 if uniform(rng) < teacher(field) else -1.0

    return draw


@remembered
def drawing(law: Teacher | Likelihood) -> Label:
    """Return ``(field, rng) -> label``, compiled, of a teacher or a likelihood."""
    if isinstance(law, Teacher):
        draw = _labels(inlined(law.bind()))
    else:
        known = law.draw()
        if known is not None:
            draw = known
        elif law.labels == Labels.NUMBERS:
            raise TypeError(
                f"likelihood {law!r} must have a method draw, as its labels are "
                "numbers: simulations draw them"
            )
        else:
            make = _signs if law.labels == Labels.SIGNS else _counts
            draw = make(inlined(law.bind()))
    return compiled_for(_LABEL, draw, name_of(law))


@remembered
def _sums(likelihood: Likelihood) -> Callable[..., float]:
    """Return the sum over fields and labels of eq. (2), compiled."""
    found, counts = evidence_of(likelihood), likelihood.labels == Labels.COUNTS

    def total(
        fields: FloatArray, weights: FloatArray, variance: float, places: FloatArray,
        shares: FloatArray,
    ) -> float:  # fmt: skip
        result = 0.0
        for i in range(fields.size):
            own, seen, j = 0.0, 0.0, 0
            while True:
                label, share = float(j), 1.0
                if not counts:
                    if j == places.size:
                        break
                    label, share = places[j], shares[j]
                    label += fields[i] if share > 0.0 else 0.0
                one = found(fields[i], variance, label)
                chance = abs(share) * math.exp(one.log_probability)
                own += chance * one.slope * one.slope
                seen += chance
                j += 1
                rare = seen > 0.5 and chance * weights[i] < _RARE
                if counts and (rare or weights[i] < _RARE or j > _MOST):
                    break
            result += weights[i] * own
        return result

    signature = _f(_vector, _vector, _f, _vector, _vector)
    return compiled_for(signature, total, name_of(likelihood))


def information(likelihood: Likelihood, q: float, rest: float) -> float:
    """Return J of eq. (2); ``rest`` is 1 - q.

    Examples
    --------
    >>> from rosenblatt.likelihoods import Gaussian
    >>> round(information(Gaussian(1.0), 0.0, 1.0), 9)  # 1 / (1 - q + 1)
    0.5
    """
    if likelihood.labels == Labels.SIGNS:
        places, shares = np.array([-1.0, 1.0]), np.array([-1.0, -1.0])
    else:
        scale = math.sqrt(rest + likelihood.scale**2)
        places = scale * np.sinh(_STEPS)
        shares = scale * np.cosh(_STEPS) * (_STEPS[1] - _STEPS[0])
    weights = _FIELD_WEIGHTS / math.sqrt(2.0 * math.pi)
    return _sums(likelihood)(math.sqrt(q) * _FIELDS, weights, rest, places, shares)
