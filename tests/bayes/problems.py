"""Problems for the kernels of the filters, and calls of these kernels."""

import re

import numpy as np

from rosenblatt import bayes as filtering
from rosenblatt.bayes.filter import learn_rows
from rosenblatt.bayes.standardisation import Standardisation
from rosenblatt.numerics.evidence import ACCURACY
from tests.bayes.formulas import CLIP, tally_for

ONCE = np.zeros(0, np.int64)
# Relative to the size of the numbers. The table errs by ACCURACY in the slope, and an
# error of the slope is not amplified: each label pulls the belief towards the boundary.
DOUBLE = 10 * ACCURACY


def problem(rows, features, models, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    scale = np.geomspace(0.01, 100.0, features)
    X = ((rng.standard_normal((rows, features)) + 0.5) * scale).astype(dtype)
    center = 0.4 * scale
    inverse = 1 / scale
    if features > 2:
        X[:, 2], inverse[2] = 7.0, 0.0  # a column without spread
    weights = rng.standard_normal((max(models, 2), features))
    codes = ((X / scale) @ weights.T).argmax(axis=1)
    repeats = rng.choice([0, 1, 1, 1, 2, 3, 0.3, 1.5], rows)
    return X, codes, repeats, center, inverse


def advance(kind, X, codes, repeats, center, inverse, width, noise, mean, belief):
    """Return the same as the twin, by the kernel, and the row of a fault."""
    settings = {
        "label_variance": width,
        "input_half_life": 1e300,
    }  # all rows count for the frame
    filter = seen(kind, center, inverse, noise, mean, belief, **settings)
    odds = np.empty((len(X), len(mean)))
    fault = run(filter, X, codes, repeats, odds)
    return (
        fault,
        filter.mean,
        filter.belief,
        filter.statistics,
        filter.standardisation.sums,
        odds,
    )


def seen(kind, center, inverse, noise, mean, belief, sums=None, **settings):
    """Return a filter that never changes by itself, with copies of what is given."""
    models, size = mean.shape
    features = len(center)
    filter = filtering.start(
        features, covariance=kind, models=models, intercept=size > features, clip=CLIP
    )
    sums = np.zeros((2, features)) if sums is None else sums
    own = Standardisation(center.copy(), inverse.copy(), sums, 0.0, False)
    return filter.replaced(
        **settings,
        noise=noise.copy(),
        statistics=tally_for(noise),
        mean=mean.copy(),
        belief=belief.copy(),
        standardisation=own,
    )


def run(filter, X, codes, repeats, odds=None):
    """Learn rows in place; return the row that is not finite, or -1."""
    try:
        learn_rows(filter, X, codes, repeats if repeats.size else None, odds)
    except ValueError as failure:
        found = re.search(r"in row (\d+)", str(failure))
        return int(found.group(1))
    return -1
