r"""Evidence, labels and information of a likelihood :math:`p(y \mid f)`.

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
from typing import Annotated, Any

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
_f, _vector = types.float64, types.float64[::1]
_LABEL = _f(_f, types.uint64[::1])
Label = Annotated[Callable[[float, Words], float], types.FunctionType(_LABEL)]
_EVIDENCE = types.NamedUniTuple(_f, len(Evidence._fields), Evidence)(_f, _f, _f, _f)
EVIDENCE = types.FunctionType(_EVIDENCE)


def _by_quadrature(
    log_probability: Callable[[float, float], float],
) -> Callable[[float, float, float, float], Evidence]:
    """Return eq. (1) as a function of mean, variance, label and power.

    The power is that of the likelihood.
    """

    def moments(
        mean: float, spread: float, label: float, power: float, center: float,
        width: float, points: FloatArray, logs: FloatArray,
    ) -> tuple[float, float, float]:  # fmt: skip
        top, total, first, second = -math.inf, 0.0, 0.0, 0.0
        for j in range(points.size):
            away = width * points[j]
            t = center + away
            log = power * log_probability(label, mean + spread * t)
            log += logs[j] - 0.5 * t * t
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

    def averaged(mean: float, variance: float, label: float, power: float) -> Evidence:
        spread, center, width = math.sqrt(variance), 0.0, 1.0
        for _ in range(_ROUNDS):
            log, first, second = found(
                mean, spread, label, power, center, width, _FEW[0], _FEW[1]
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
            mean, spread, label, power, center, width, _MANY[0], _MANY[1]
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
    integral = inlined(_by_quadrature(inlined(likelihood.bind())))

    def whole(mean: float, variance: float, label: float) -> Any:
        return integral(mean, variance, label, 1.0)

    return inlined(whole)


@remembered
def weighted_evidence(likelihood: Likelihood) -> Any:
    """Return evidence as a function of mean, variance, label and power, compiled.

    Examples
    --------
    >>> from rosenblatt.likelihoods import Gaussian
    >>> round(weighted_evidence(Gaussian(2.0))(0.0, 1.0, 2.0, 4.0).slope, 9)
    1.0
    """
    whole = evidence_of(likelihood)
    integral = inlined(_by_quadrature(inlined(likelihood.bind())))

    def averaged(mean: float, variance: float, label: float, power: float) -> Any:
        if power == 1.0:
            return whole(mean, variance, label)
        return integral(mean, variance, label, power)

    return compiled_for(_EVIDENCE, averaged, name_of(likelihood))


@remembered
def _densities(likelihood: Likelihood) -> Callable[..., None]:
    found = evidence_of(likelihood)

    def fill(
        mean: FloatArray, variance: FloatArray, labels: FloatArray, out: FloatArray
    ) -> None:
        for i in range(out.size):
            out[i] = found(mean[i], variance[i], labels[i]).log_probability

    signature = types.void(*4 * (_vector,))
    return compiled_for(signature, fill, name_of(likelihood))


def evidence_logs(
    likelihood: Likelihood, mean: FloatArray, variance: FloatArray, labels: FloatArray
) -> FloatArray:
    """Return the logarithm of the evidence of labels, for arrays of any shapes."""
    given = np.broadcast_arrays(mean, variance, labels)
    out = np.empty(given[0].shape)
    flat = [np.ascontiguousarray(one, np.float64).reshape(-1) for one in given]
    _densities(likelihood)(*flat, out.reshape(-1))
    return out


@remembered
def _moments(likelihood: Likelihood) -> Callable[..., None]:
    """Return a loop over fields that writes mean and variance of labels, compiled."""
    known, kind = likelihood.moments(), likelihood.labels
    exact = known is not None
    closed = inlined(known or _unknown_moments)
    log_probability = inlined(likelihood.bind())
    signs, counts = kind == Labels.SIGNS, kind == Labels.COUNTS
    scale = float(likelihood.scale)

    def fill(fields: FloatArray, mean: FloatArray, variance: FloatArray) -> None:
        for i in range(fields.size):
            f = fields[i]
            if exact:
                mean[i], variance[i] = closed(f)
                continue
            total, first, second, label, last = 0.0, 0.0, 0.0, 0.0, 0.0
            for j in range(int(_MOST) if counts else _STEPS.size):
                label, share = float(j), 1.0
                if signs:
                    if j > 1:
                        break
                    label = 2.0 * label - 1.0
                elif not counts:
                    label = scale * math.sinh(_STEPS[j])
                    share = scale * math.cosh(_STEPS[j])
                at = f + label if not (signs or counts) else label
                p = share * math.exp(log_probability(at, f))
                total, first = total + p, first + p * label
                second += p * label * label
                if counts and total > 0.5 and p < last and p * label * label < _RARE:
                    break
                last = p
            first /= total
            mean[i] = first if signs or counts else f + first
            variance[i] = second / total - first * first

    return compiled_for(types.void(*3 * (_vector,)), fill, name_of(likelihood))


def _unknown_moments(field: float) -> tuple[float, float]:
    return field, 0.0


def label_moments(
    likelihood: Likelihood, fields: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of labels, given their fields.

    Examples
    --------
    >>> from rosenblatt.likelihoods import Logistic
    >>> label_moments(Logistic(), np.zeros(1))
    (array([0.]), array([1.]))
    """
    mean, variance = np.empty(fields.shape), np.empty(fields.shape)
    flat = np.ascontiguousarray(fields).reshape(-1)
    _moments(likelihood)(flat, mean.reshape(-1), variance.reshape(-1))
    return mean, variance


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


def _draw(law: Teacher | Likelihood) -> Label:
    """Return ``(field, rng) -> label`` of a teacher or a likelihood."""
    if isinstance(law, Teacher):
        return _labels(inlined(law.bind()))
    known = law.draw()
    if known is not None:
        return known
    if law.labels == Labels.NUMBERS:
        raise TypeError(
            f"likelihood {law!r} must have a method draw, as its labels are numbers: "
            "simulations draw them"
        )
    make = _signs if law.labels == Labels.SIGNS else _counts
    return make(inlined(law.bind()))


@remembered
def drawing(law: Teacher | Likelihood) -> Label:
    """Return ``(field, rng) -> label``, compiled, of a teacher or a likelihood."""
    return compiled_for(_LABEL, _draw(law), name_of(law))


@remembered
def _draw_all(likelihood: Likelihood) -> Callable[..., None]:
    draw = inlined(_draw(likelihood))

    def fill(fields: FloatArray, rng: Words, labels: FloatArray) -> None:
        for i in range(fields.size):
            labels[i] = draw(fields[i], rng)

    signature = types.void(_vector, types.uint64[::1], _vector)
    return compiled_for(signature, fill, name_of(likelihood))


def draw_labels(likelihood: Likelihood, fields: FloatArray, rng: Words) -> FloatArray:
    """Return a label for each field."""
    labels = np.empty(fields.shape)
    flat = np.ascontiguousarray(fields).reshape(-1)
    _draw_all(likelihood)(flat, rng, labels.reshape(-1))
    return labels


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
