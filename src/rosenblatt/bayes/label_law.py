r"""The law of the labels: learning from one label, and estimates of noise and slope.

A filter believes that the field of a row is Gaussian, with mean h and variance a. The
variance of the label law is added to a: 0 for a step, 1 for the probit law. A label
gives the slope g and the curvature c by which every belief is updated, see
:mod:`rosenblatt.numerics.evidence`.

Before it learns a label a filter predicts it, from the mean field in units of its
uncertainty, u. A label y is believed to have the probability

.. math:: z_y = k + (1 - 2k)\, \Phi(a y u),   \tag{1}

with noise k and a slope a, which is not 1 where the filter is surer than it should be:
a belief without correlations is. Both are found by one step of scoring for each label,

.. math::
    \Lambda \leftarrow \Lambda + \sum_y \frac{\nabla z_y \nabla z_y^T}{z_y}, \qquad
    (a, k) \leftarrow (a, k) + (\Lambda_0 + \Lambda)^{-1}\, \nabla \ln z_y.   \tag{2}

Both are estimated together, because for weak fields they do nearly the same. If only
the noise is estimated, it also explains what is due to a smaller slope. The weights
then grow to compensate, and the estimate confirms itself. When the standardisation
changes, the slope goes into the mean of the weights, and k is what labels are learned
with. The estimates change while the filter learns, so example s of t counts s / t.

A label of weight w, between 0 and 1, counts as the power w of its likelihood. The
integral of a Gaussian and a power of the law has no closed form. So w multiplies the
logarithm of the evidence, and with it slope, curvature and the terms of eq. (2). For a
linear exponent, and in the limit of small variances, this is exact: weights add up.

With several classes, :math:`\Phi` is the law of
:mod:`rosenblatt.numerics.evidence`, with fields times a.
"""

from __future__ import annotations

import math

import numpy as np

import rosenblatt.bayes.layout as layout
from rosenblatt.bayes.layout import Arrays, arrays_at
from rosenblatt.bayes.standardisation import SMALLEST
from rosenblatt.compiling import inlined, kernel
from rosenblatt.compiling.pointers import address_of, calling, doubles_at, pointer_at
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import (
    REACH,
    certainty,
    class_chances,
    class_evidence,
    evidence,
    ratio_and_density,
    tabulated,
)

# A product of probabilities becomes a logarithm when it is below this: one more factor,
# at least 1e-58 in the table, does not underflow.
_SMALL = 1e-200
# Entries of a model's statistics. COUNT is the number of labels, OPEN the variance of
# the noise before any label, 0 if it is given; the last three are entries of Lambda.
LOG_EVIDENCE, MISTAKES, COUNT, NOISE, SLOPE, OPEN = range(6)
NOISE_INFORMATION, CROSS_INFORMATION, SLOPE_INFORMATION = range(6, 9)
# To estimate takes a quarter of the time of a row of 20 columns. After so many labels
# one of eight is enough: half of 2^17 tell then as much as half of 2^14 told.
_ALL, _EIGHT = 2**14, 8
_NOISE, _OPEN = 0.05, 0.05 / 10  # as if 10 labels had told it
_STEADY = 32.0  # Lambda_0 of the slope
# No noise is believed to be less than this part of its own deviation, so that a label
# that turns out to be wrong is never impossible.
_LEAST = 0.49  # its square
LARGEST_NOISE = 1 / 3  # at 0.5 labels would tell nothing, and never anything again
_FLATTEST, _STEEPEST = 0.1, 10.0  # slopes
_FAR = 15.0  # in the table; what is farther is as certain
_CERTAIN = 1e-12  # labels so unlikely are left out


def blank(models: int, noise: float | str) -> FloatArray:
    """Return the statistics before any label; a noise of None is estimated."""
    statistics = np.zeros((models, layout.STATISTICS))
    statistics[:, NOISE] = _NOISE if noise == "auto" else noise
    statistics[:, OPEN] = _OPEN if noise == "auto" else 0.0
    statistics[:, SLOPE] = 1.0
    return statistics


def impossible(statistics: FloatArray) -> bool:
    """Return whether these statistics are impossible for any labels."""
    least = np.zeros(layout.STATISTICS)
    least[[LOG_EVIDENCE, CROSS_INFORMATION]], least[SLOPE] = -np.inf, _FLATTEST
    most = np.full(layout.STATISTICS, np.inf)
    most[NOISE], most[SLOPE] = np.nextafter(0.5, 0.0), _STEEPEST
    return bool((statistics < least).any() or (statistics > most).any())


@inlined
def _step(statistics: FloatArray, by_slope: float, by_noise: float) -> None:
    """Make the step of eq. (2) from the derivatives of the logarithm."""
    steady = statistics[SLOPE_INFORMATION] + _STEADY
    both = statistics[CROSS_INFORMATION]
    free = statistics[OPEN] / (1.0 + statistics[OPEN] * statistics[NOISE_INFORMATION])
    moved = 0.0
    if free > 0.0:
        share = free / (steady - both * both * free)
        noise = statistics[NOISE] + (steady * by_noise - both * by_slope) * share
        if noise < 0.0 or noise * noise < _LEAST * free:
            noise = math.sqrt(_LEAST * free)
        noise = min(noise, LARGEST_NOISE)
        moved = noise - statistics[NOISE]
        statistics[NOISE] = noise
    # for the step that the noise has made, which may be at one of its ends
    slope = statistics[SLOPE] + (by_slope - both * moved) / steady
    statistics[SLOPE] = min(max(slope, _FLATTEST), _STEEPEST)


@inlined
def estimate(u: float, power: float, statistics: FloatArray) -> None:
    """Update the estimates by a label; ``u`` is positive if it was predicted."""
    count = statistics[COUNT]
    statistics[COUNT] = count + 1.0
    if count >= _ALL and int(count) % _EIGHT != 0:
        return
    slope, noise = statistics[SLOPE], statistics[NOISE]
    far = min(max(slope * u, -_FAR), _FAR)
    if math.isnan(far):  # a belief that has overflowed says nothing, and has no cell
        return
    z, factor = tabulated(far, noise)
    other = 1.0 - z  # of the other label, whose derivatives are the same but for a sign
    if min(z, other) < _CERTAIN:
        return
    by_slope, by_noise = factor * z * u, 0.0
    if statistics[OPEN] > 0.0:
        by_noise = 1.0 - 2.0 * (z - noise) / (1.0 - 2.0 * noise)
    weight = power / (z * other)
    statistics[SLOPE_INFORMATION] += by_slope * by_slope * weight
    statistics[CROSS_INFORMATION] += by_slope * by_noise * weight
    statistics[NOISE_INFORMATION] += by_noise * by_noise * weight
    _step(statistics, by_slope * other * weight, by_noise * other * weight)


@inlined
def estimate_from_class(
    fields: FloatArray,
    variances: FloatArray,
    width: float,
    code: int,
    power: float,
    work: FloatArray,
    statistics: FloatArray,
) -> None:
    """Update the estimates by the label of one of several classes.

    ``work`` has two rows, with an entry for each class.
    """
    count = statistics[COUNT]
    statistics[COUNT] = count + 1.0
    if count >= _ALL and int(count) % _EIGHT != 0:
        return
    slope, noise = statistics[SLOPE], statistics[NOISE]
    classes = fields.size
    top = -math.inf
    for c in range(classes):
        work[0, c] = certainty(variances[c], width) * fields[c]
        top = max(top, slope * work[0, c])
    total, mean = 0.0, 0.0
    for c in range(classes):
        work[1, c] = math.exp(slope * work[0, c] - top)
        total += work[1, c]
        mean += work[1, c] * work[0, c]
    mean /= total
    other = noise / (classes - 1.0)
    clear = 1.0 - noise - other
    score_slope, score_noise = 0.0, 0.0
    for c in range(classes):
        p = work[1, c] / total
        weight = power / max(other + clear * p, _CERTAIN)
        by_slope, by_noise = clear * p * (work[0, c] - mean), 0.0
        if statistics[OPEN] > 0.0:
            by_noise = (1.0 - classes * p) / (classes - 1.0)
        statistics[SLOPE_INFORMATION] += by_slope * by_slope * weight
        statistics[CROSS_INFORMATION] += by_slope * by_noise * weight
        statistics[NOISE_INFORMATION] += by_noise * by_noise * weight
        if c == code:
            score_slope, score_noise = by_slope * weight, by_noise * weight
    _step(statistics, score_slope, score_noise)


def _use_estimates(
    statistics: FloatArray, noise: FloatArray, models: int, later: float
) -> float:
    """Use the estimated noise from now on, and return the slope for all means.

    Statistics are flat. ``later`` is left of the information about what is estimated,
    since examples count with their time.
    """
    slope = statistics[SLOPE]
    for k in range(models):
        own = k * layout.STATISTICS
        statistics[own + SLOPE] = 1.0
        noise[k] = statistics[own + NOISE]
        for i in range(NOISE_INFORMATION, layout.STATISTICS):
            statistics[own + i] *= later
    return float(slope)


use_estimates = _use_estimates  # in Python, between kernels
use_estimates_in_kernels = inlined(_use_estimates)


def labels_used(clock: int) -> float:
    """Return the number of labels that noise and slope are estimated from.

    Examples
    --------
    >>> labels_used(100), labels_used(2**14 + 80)
    (100, 16394.0)
    """
    return clock if clock <= _ALL else _ALL + (clock - _ALL) / _EIGHT


def slope_variance(statistics: FloatArray, times: float) -> float:
    """Return the variance of the slope, for a multiple of the information in eq. (2).

    The noise is unknown too, unless it was given: the variance is an entry of the
    inverse of the whole information.

    Examples
    --------
    >>> slope_variance(blank(1, "auto"), 1.0)
    0.03125
    """
    information = times * statistics[0, NOISE_INFORMATION:]
    free = statistics[0, OPEN] / (1.0 + statistics[0, OPEN] * information[0])
    return float(1.0 / (_STEADY + information[2] - information[1] ** 2 * free))


def joined(first: FloatArray, second: FloatArray, share: float) -> FloatArray:
    """Return the statistics of all labels, of which the first has seen a share."""
    both = first + second
    own = slice(NOISE, SLOPE + 1)
    both[:, own] = share * first[:, own] + (1.0 - share) * second[:, own]
    both[:, OPEN] = first[:, OPEN]
    return both


@inlined
def log_odds(mean: float, variance: float, noise: float) -> float:
    """Return the log-odds of the label +1 against -1."""
    if not variance > 0.0:
        return 0.0
    u = mean / math.sqrt(variance)
    if abs(u) < REACH:
        small, _ = tabulated(-abs(u), noise)
        size = math.log((1.0 - small) / small)
        return size if u > 0.0 else -size
    positive = evidence(mean, variance, 1.0, noise)
    negative = evidence(mean, variance, -1.0, noise)
    return float(positive.log_probability - negative.log_probability)


@kernel()
def learn_label(place: int, code: int, odds_place: int) -> None:
    """Predict one row of two classes, and learn its label unless ``code`` is negative.

    Field and variance are read from the work space of the state at ``place``, slope and
    curvature are written there. The logarithm of the odds of +1 is written to the
    address ``odds_place`` unless that is 0.
    """
    f = arrays_at(place)
    work, statistics, noise = f.label, f.statistics, f.noise[0]
    power = f.counts[layout.POWER]
    mean, variance = work[0], work[1] + f.numbers[layout.WIDTH]
    # With a step, and nothing of the input left, the label tells nothing.
    # The root and the reciprocal do not wait for each other.
    reciprocal = 1.0 / variance if variance > SMALLEST else 0.0
    inverse = math.sqrt(variance) * reciprocal
    u = mean * inverse
    inside = abs(u) < REACH
    # Times L(|u|), the probabilities of the likelier label and of the other one.
    ratio, density = 1.0, 0.0
    if inside:
        square = mean * reciprocal * mean
        ratio, density = ratio_and_density(abs(u), square, noise)
    likely, unlikely = (1.0 - noise) * ratio - density, noise * ratio + density
    if odds_place != 0:
        if inside:
            size = math.log(likely / unlikely)
            pointer_at(odds_place, 1)[0] = size if u > 0.0 else -size
        else:
            pointer_at(odds_place, 1)[0] = log_odds(mean, variance, noise)
    if code < 0:
        return
    label = 2.0 * code - 1.0
    u *= label
    if inside:
        own = likely if u > 0.0 else unlikely
        factor = density * ratio / own
        work[2] = label * factor * inverse
        work[3] = factor * (u + factor) * reciprocal
        product = own / ratio
        if power != 1.0:
            product = product**power
        product *= work[layout.LABEL_ROOM]
        if product < _SMALL:
            statistics[LOG_EVIDENCE] += math.log(product)
            product = 1.0
        work[layout.LABEL_ROOM] = product
    else:
        log_z, work[2], work[3] = evidence(mean, variance, label, noise)
        statistics[LOG_EVIDENCE] += power * log_z
    work[2] *= power
    work[3] *= power
    statistics[MISTAKES] += 1.0 if u <= 0.0 else 0.0
    estimate(u, power, statistics)


@kernel()
def learn_class(place: int, code: int, odds_place: int) -> None:
    """Predict and learn one row of several classes, as :func:`learn_label` does.

    The logarithm of the probability of each class is written to ``odds_place``.
    """
    f = arrays_at(place)
    work_place = address_of(f.label)
    models, width, noise = f.models, f.numbers[layout.WIDTH], f.noise[0]
    power = f.counts[layout.POWER]
    work, statistics = doubles_at(work_place, layout.LABEL_ROOM * models), f.statistics
    fields, variances = work[:models], work[models : 2 * models]
    slopes, curvatures = work[2 * models : 3 * models], work[3 * models : 4 * models]
    chances = work[4 * models :].reshape(2, models)
    class_chances(fields, variances, width, noise, chances)
    if odds_place != 0:
        odds = pointer_at(odds_place, models)
        for k in range(models):
            odds[k] = math.log(max(chances[1, k], SMALLEST))
    if code < 0:
        return
    class_evidence(variances, width, code, noise, chances, slopes, curvatures)
    for k in range(models):
        slopes[k] *= power
        curvatures[k] *= power
    mistake = 0.0
    for k in range(models):
        if k != code and chances[0, k] >= chances[0, code]:
            mistake = 1.0
    statistics[LOG_EVIDENCE] += power * math.log(max(chances[1, code], SMALLEST))
    statistics[MISTAKES] += mistake
    estimate_from_class(fields, variances, width, code, power, chances, statistics)
    for i in range(layout.STATISTICS, models * layout.STATISTICS):
        statistics[i] = statistics[i - layout.STATISTICS]


@inlined
def count_evidence(f: Arrays) -> None:
    """Count the probabilities of the last labels as a logarithm."""
    last = f.models * layout.LABEL_ROOM
    f.statistics[LOG_EVIDENCE] += math.log(f.label[last])
    f.label[last] = 1.0


learn_label_at = calling(learn_label)
