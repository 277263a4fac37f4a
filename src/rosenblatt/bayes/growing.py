r"""Filters that grow: more columns, more classes, or a smaller kind of belief.

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
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rosenblatt.bayes.covariances import BELIEFS
from rosenblatt.bayes.experts import Experts
from rosenblatt.bayes.filter import Filter
from rosenblatt.bayes.mixture import Mixture
from rosenblatt.bayes.standardisation import Standardisation
from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray

__all__ = [
    "all_grown",
    "all_in_form",
    "all_with_class",
    "diagonal",
    "grown",
    "layers_with_class",
    "with_class",
]

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


def _with_zeros(filter: Filter, more: int) -> Standardisation:
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

    See :func:`grown`; they themselves stay as they are.
    """
    filters = [grown(filter, columns) for filter in experts.filters]
    return _each(experts, filters, experts.mixture and experts.mixture.copy())


def _each(experts: Experts, filters: list[Filter], mixture: Mixture | None) -> Experts:
    """Return experts with other filters, and with copies of these."""
    horizon = experts.horizon
    if mixture is not None and horizon is not None:
        horizon = horizon.restarted(filters, mixture)
    return Experts(filters, mixture, horizon)


def all_with_class(experts: Experts, place: int, classes: int) -> Experts:
    """Return experts with one more class, of which no example was seen.

    See :func:`with_class`; they themselves stay as they are.
    """
    filters = [with_class(filter, place, classes) for filter in experts.filters]
    mixture, horizon = experts.mixture, experts.horizon
    if mixture is not None:
        mixture = layers_with_class(mixture, place, classes)
    if classes > 1 or horizon is None:
        return _each(experts, filters, mixture)
    own = horizon.copy() if place else horizon.mirrored(experts.filters)
    return Experts(filters, mixture, own)


def all_in_form(experts: Experts, covariances: Sequence[str]) -> Experts:
    """Return experts of which some keep the diagonals of their full covariances."""
    if [filter.covariance for filter in experts.filters] == list(covariances):
        return experts.copy()
    filters = [
        filter if filter.covariance == form else diagonal(filter)
        for filter, form in zip(experts.filters, covariances, strict=True)
    ]
    return _each(experts, filters, experts.mixture and experts.mixture.copy())
