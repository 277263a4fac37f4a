r"""Filters that grow or merge: more columns, classes, or examples of another filter.

**More classes.** The belief about the weights of a new class is the prior. From three
classes on, those of the others stay as they are. Two classes have one model, with the
probit law :math:`\Phi(h)`; three have one for each, with the logistic law. With
:math:`s^2 = 8 / \pi` the two laws have the same slope at 0,
:math:`\Phi(h) \approx 1 / (1 + e^{-s h})`, so that the difference of the two classes'
fields is s h. From mean m, covariance V and prior variance p of the one model, the two
begin with

.. math::
    m_\pm = \pm \frac{s}{2} m, \qquad
    V_\pm^{-1} = \frac{1}{p} + \frac{1}{s^2} \Big(V^{-1} - \frac{1}{p}\Big).   \tag{1}

The labels have given the precision :math:`V^{-1} - 1/p` about h, and so the part
:math:`1/s^2` of it about s h. They give as much about the field of each class while the
other is held fixed, as in these filters. Without examples both have the prior. With
many, :math:`V_\pm = s^2 V`, and the log-odds of the two are those of the logistic law
with the uncertainty that the probit law had.

**Merging.** A belief is the prior times the likelihood of the examples. Likelihoods of
examples that were learned apart are multiplied: their natural parameters add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.bayes import standardisation as scaling
from rosenblatt.bayes.belief import Likelihood
from rosenblatt.bayes.covariances import BELIEFS
from rosenblatt.bayes.experts import Experts
from rosenblatt.bayes.filter import Filter
from rosenblatt.bayes.horizon import start_horizon
from rosenblatt.bayes.label_law import LOG_EVIDENCE, NOISE, joined
from rosenblatt.bayes.mixture import AGE, MISTAKES, PRECISION, Mixture
from rosenblatt.bayes.mixture import LOG_EVIDENCE as MIXED_EVIDENCE
from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray
from rosenblatt.system.threads import one_thread

_LOGISTIC = 8 / np.pi  # s^2: the logistic law for the probit law


def grown(filter: Filter, columns: int) -> Filter:
    """Return the filter with more columns, which have been zero in all rows so far.

    The belief about their weights is the prior, and the sums of the columns are those
    of as many zeros as rows. Only a variance for all weights would have learned
    something else from rows with more columns: a spherical filter cannot grow. An
    intercept stays last.

    Examples
    --------
    >>> from rosenblatt.bayes import learn, start
    >>> filter = learn(start(1, covariance="diagonal"), [[1.0]], [1])
    >>> grown(filter, 2).mean.round(4), grown(filter, 2).variances.round(4)
    (array([[0.7979, 0.    ]]), array([[0.3634, 1.    ]]))
    """
    features = filter.center.size
    columns = whole("columns", columns, low=features)
    if not filter.kind.grows:
        wanted = " or ".join(repr(name) for name, kind in BELIEFS.items() if kind.grows)
        raise ValueError(
            f"covariance must be {wanted} for a filter to grow, "
            f"got {filter.covariance!r}"
        )
    more = columns - features
    known = filter.mean.shape[1] + more
    old = np.r_[:features, columns:known]
    mean = np.zeros((len(filter.mean), known))
    mean[:, old] = filter.mean
    belief = filter.kind.grown(filter.belief, old, known, filter.prior)
    wider = _with_zeros(filter, more)
    return filter.replaced(mean=mean, belief=belief, standardisation=wider)


def _with_zeros(filter: Filter, more: int) -> scaling.Standardisation:
    """Return the standardisation with columns that have been zero."""
    own = filter.standardisation
    summed = own.sums.size > 0
    # a dense column of zeros has the scale 1, a sparse one none before its first entry
    seen = not summed or (filter.clock > 0 and not own.sparse)
    return own._replace(
        center=_longer(own.center, more, 0.0),
        inverse_scale=_longer(own.inverse_scale, more, float(seen)),
        sums=np.pad(own.sums, ((0, 0), (0, more if summed else 0))),
    )


def _longer(numbers: FloatArray, more: int, value: float) -> FloatArray:
    """Return numbers with more of one value behind."""
    return np.append(numbers, np.full(more, value))


def diagonal(filter: Filter) -> Filter:
    """Return the filter that keeps the variances of a full one, and no covariances."""
    return filter.replaced(covariance="diagonal", belief=filter.variances.copy())


def with_class(filter: Filter, place: int, classes: int) -> Filter:
    """Return the filter with one more class, of which no example was seen, eq. (1).

    Parameters
    ----------
    filter
        It stays as it is.
    place, classes
        As in :meth:`rosenblatt.linear.learner.Learner.with_class`.

    Examples
    --------
    >>> from rosenblatt.bayes import learn, start
    >>> filter = start(1, covariance="diagonal", label_variance=1.0)
    >>> filter = learn(filter, [[1.0]], [1])
    >>> with_class(filter, 2, 2).mean.ravel().round(3)
    array([-0.45,  0.45,  0.  ])
    """
    mean, belief = filter.mean, filter.belief
    if classes == 1:
        return filter.replaced(mean=mean.copy() if place else -mean)
    prior = filter.kind.prior(1, mean.shape[1], filter.prior)
    if classes == 2:
        mean = 0.5 * np.sqrt(_LOGISTIC) * np.concatenate([-mean, mean])
        one = filter.kind.of_logistic_law(belief, filter.prior, _LOGISTIC)
        belief = np.concatenate([one, one])
    models = classes + 1
    return filter.replaced(
        mean=np.insert(mean, place, 0.0, axis=0),
        belief=np.insert(belief, place, prior[0], axis=0),
        noise=np.repeat(filter.noise[:1], models),  # the same for all models
        statistics=np.repeat(filter.statistics[:1], models, axis=0),
    )


def layers_with_class(mixture: Mixture, place: int, classes: int) -> Mixture:
    """Return the layers for one more class, whose offset is that of the prior, 0."""
    if classes == 1:
        return mixture.copy() if place else _mirrored(mixture)
    more = {
        name: np.insert(getattr(mixture, name), place, 0.0, axis=1)
        for name in ("offsets", "offset_precisions")
    }
    return replace(mixture.copy(), **more)


def _mirrored(mixture: Mixture) -> Mixture:
    """Return the layers with the two classes exchanged."""
    return replace(
        mixture.copy(),
        offsets=mixture.offsets[:, ::-1].copy(),
        offset_precisions=mixture.offset_precisions[:, ::-1].copy(),
    )


def all_grown(experts: Experts, columns: int) -> Experts:
    """Return experts with more columns, which have been zero in all rows so far.

    See :func:`grown`. The given experts do not change.
    """
    filters = [grown(filter, columns) for filter in experts.filters]
    found = _each(experts, filters, experts.mixture and experts.mixture.copy())
    found.curved = experts.curved and experts.curved.grown(columns)
    return found


def _each(experts: Experts, filters: list[Filter], mixture: Mixture | None) -> Experts:
    """Return experts with other filters, and with copies of these."""
    horizon = experts.horizon
    if mixture is not None and horizon is not None:
        horizon = horizon.restarted(filters, mixture)
    return Experts(filters, mixture, horizon, experts.curved)


def all_with_class(experts: Experts, place: int, classes: int) -> Experts:
    """Return experts with one more class, of which no example was seen.

    See :func:`with_class`. The given experts do not change.
    """
    filters = [with_class(filter, place, classes) for filter in experts.filters]
    mixture, horizon, curved = experts.mixture, experts.horizon, experts.curved
    if mixture is not None:
        mixture = layers_with_class(mixture, place, classes)
    if curved is not None:
        layers = layers_with_class(curved.mixture, place, classes)
        curved = curved.with_class(place, classes, layers)
    if classes > 1 or horizon is None:
        return replace(_each(experts, filters, mixture), curved=curved)
    own = horizon.copy() if place else horizon.mirrored(experts.filters)
    return Experts(filters, mixture, own, curved)


def all_in_form(experts: Experts, covariances: Sequence[str]) -> Experts:
    """Return experts of which some keep the diagonals of their full covariances."""
    if [filter.covariance for filter in experts.filters] == list(covariances):
        return experts.copy()
    filters = [
        filter if filter.covariance == form else diagonal(filter)
        for filter, form in zip(experts.filters, covariances, strict=True)
    ]
    return _each(experts, filters, experts.mixture and experts.mixture.copy())


def likelihood(
    filter: Filter, center: FloatArray, inverse_scale: FloatArray
) -> Likelihood:
    """Return the likelihood of a filter's examples in another standardisation."""
    _, shifts, ratios = filter.standardisation.to(center, inverse_scale)
    known = (ratios > 0.0) & (ratios < scaling.KNOWN)
    move = np.where(known, shifts, 0.0), np.where(known, ratios, 0.0)
    return filter.kind.likelihood(filter.mean, filter.belief, filter.prior, *move)


def merge(first: Filter, second: Filter) -> Filter:
    """Return the filter of all examples that two filters have learned apart.

    Both started from the same prior, and stay as they are. The evidence is that of all
    labels together, an integral over the weights of all models.
    """
    if not (first.clock and second.clock):
        return (first if first.clock else second).copy()
    prior, kind = first.prior, first.kind
    with np.errstate(all="ignore"), one_thread():
        columns = first.standardisation.joined(second.standardisation)
        both = [
            likelihood(part, columns.center, columns.inverse_scale)
            for part in (first, second)
        ]
        total = Likelihood(*(one + two for one, two in zip(*both, strict=True)))
        mean, belief = kind.posterior(total, prior)
        evidence = kind.log_mass(total, prior).sum()
        for apart in both:
            evidence -= kind.log_mass(apart, prior).sum()
    clock = first.clock + second.clock
    statistics = joined(first.statistics, second.statistics, first.clock / clock)
    statistics[:, LOG_EVIDENCE] += evidence
    following = scaling.NEVER
    if first.next_change != scaling.NEVER:
        following = scaling.following_change(clock, first.piece)
    return first.replaced(
        mean=mean,
        belief=belief,
        standardisation=columns,
        statistics=statistics,
        noise=statistics[:, NOISE].copy(),
        clock=clock,
        last_change=clock,
        next_change=following,
    )


def merge_mixtures(first: Mixture, second: Mixture) -> Mixture:
    """Return the mixture for filters that are merged.

    Layers and weights have learned about filters that knew one part of the examples
    each. The merged filter has more examples, and is more certain. So both parts are
    averaged, weighted by their numbers of examples: the layers' natural parameters, and
    the logarithms of the weights. Sums, which are right for beliefs about constants,
    would correct twice. The evidence is that of the predictions that each part has
    made. The record of forgetting is that of the part with more examples.
    """
    ages = np.array([first.statistics[AGE], second.statistics[AGE]])
    if not ages.all():
        return (first if ages[0] else second).copy()
    parts = list(zip(ages / ages.sum(), (first, second), strict=True))
    result = (first if ages[0] >= ages[1] else second).copy()
    for name, precisions, mean in (
        ("slopes", "slope_precisions", 1.0),
        ("offsets", "offset_precisions", 0.0),
    ):
        each = [(c, getattr(p, name), getattr(p, precisions)) for c, p in parts]
        precision = sum(c * known for c, _, known in each)
        shift = sum(c * (PRECISION + known) * (a - mean) for c, a, known in each)
        setattr(result, precisions, precision)
        setattr(result, name, mean + shift / (PRECISION + precision))
    weights = np.exp(np.sum([c * np.log(part.weights) for c, part in parts], axis=0))
    result.weights = weights / weights.sum()
    for entry in (AGE, MIXED_EVIDENCE, MISTAKES):
        result.statistics[entry] = first.statistics[entry] + second.statistics[entry]
    return result


def _kind(experts: Experts) -> tuple[Any, ...]:
    """Return the forms of the beliefs, and of the functions of a curved boundary."""
    forms = [(filter.covariance, filter.half_life) for filter in experts.filters]
    curved = experts.curved
    return forms, curved and curved.regression.frequencies.shape


def merge_experts(first: Experts, second: Experts) -> Experts:
    """Return experts of all examples that two groups of the same kind have learned."""
    if _kind(first) != _kind(second):
        raise ValueError(
            "other must have learned with the covariance, boundary and cosines that "
            "this model has learned with"
        )
    filters = [
        merge(one, two) for one, two in zip(first.filters, second.filters, strict=True)
    ]
    if first.mixture is None or second.mixture is None:
        return Experts(filters)
    mixture = merge_mixtures(first.mixture, second.mixture)
    rows = first.horizon.rows if first.horizon else None
    # scores of copies that knew one part of the examples are no guide
    found = Experts(filters, mixture, start_horizon(filters, mixture, rows))
    if first.curved is not None and second.curved is not None:
        layers = merge_mixtures(first.curved.mixture, second.curved.mixture)
        units = filters[0].standardisation[:2]
        found.curved = first.curved.merged(second.curved, layers, *units)
    return found
