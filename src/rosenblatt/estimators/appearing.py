"""Filters that learn a stream in which classes appear."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.bases.belief import class_shares
from rosenblatt.estimators.inputs.labels import label_codes
from rosenblatt.estimators.inputs.new_classes import Stage, places
from rosenblatt.estimators.priors import Settings, prior_filters
from rosenblatt.filters import experts, growing
from rosenblatt.filters.experts import Experts

__all__ = ["learn_stages", "with_classes"]


def with_classes(
    found: Experts,
    settings: Settings,
    known: npt.NDArray[Any],
    classes: npt.NDArray[Any],
) -> Experts:
    """Return the filters with more classes, of which no example was seen.

    They keep variances only if covariances of so many classes are too large.

    Parameters
    ----------
    found
        The filters; they stay as they are.
    settings
        The parameters of the model.
    known, classes
        The labels before, and all labels after, both sorted.
    """
    added = places(known, classes)
    if not added:
        return found
    for count, place in enumerate(added, len(known)):
        found = growing.all_with_class(found, place, count)
    first = found.first
    shape = first.center.size, len(classes), first.sparse
    allowed = prior_filters(*settings, *shape).filters
    if len(allowed) != len(found.filters):  # from a file of an older version
        allowed = allowed[:1] * len(found.filters)
    return growing.all_in_form(found, [filter.covariance for filter in allowed])


def learn_stages(
    found: Experts,
    known: npt.NDArray[Any],
    settings: Settings,
    data: Any,
    rows: list[Stage],
    times: IntArray | None,
    shares: FloatArray,
) -> Experts:
    """Return the filters after all stages; they themselves stay as they are.

    Parameters
    ----------
    found, known, settings
        The filters, their classes, and the parameters of the model.
    data, rows, times
        All rows, their stages, and how often each is presented.
    shares
        Probabilities of the last stage's classes are written here, if it has rows. In
        the first row of a stage the class that it brings has probability 0.
    """
    given = rows[-1].classes
    for classes, codes, first, stop in rows:
        part, before, old = data[first:stop], found, known
        if len(known) < len(classes):
            found = with_classes(found, settings, known, classes)
            known = classes
        own = np.empty((stop - first if len(shares) else 0, max(len(known), 2)))
        some = None if times is None else times[first:stop]
        found = experts.learn(found, part, codes, some, own)
        if not len(shares):
            continue
        if len(known) == 1:
            own[:, 0] = 1.0
        shares[first:stop, label_codes(known, given)] = own[:, : len(known)]
        if old is not known:
            predicted = class_shares(before, part[:1], len(old))
            shares[first] = 0.0
            shares[first, label_codes(old, given)] = predicted[0]
    return found
