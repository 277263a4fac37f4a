"""Section 5: accuracy on digits for several readings of the text.

The lecture fixes the learner, online gradient descent of the squared error, but neither
the size of inputs, nor a constant input, nor the rate. With a first rate of 1 and after
one pass these make a difference of more than ten percent. A field moves by the rate
times the squared length of the input. So pixels over 16 (squared lengths of 15) learn
far more than pixels scaled to squared lengths of 1. After 20 passes the difference is
about one percent, unless pixels have mean zero and there is no constant input. Each
class is one in ten, and without a constant input no weight can represent this.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rosenblatt.core.figures import TableData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.decorators import table
from rosenblatt.papers.seung2002.comparison import RATE, student
from rosenblatt.papers.seung2002.images import Digits, bundled
from rosenblatt.papers.seung2002.problems import SEED

__all__ = ["accuracies", "table_readings"]

Scaling = Callable[[Digits], Digits]
_PASSES = 20
_LEVELS = 16  # grey levels of the bundled images


def _as_here(digits: Digits) -> Digits:
    return digits


def _between_0_and_1(digits: Digits) -> Digits:
    most = digits.train.max()  # of level 16
    return digits._replace(train=digits.train / most, test=digits.test / most)


def _standardised(digits: Digits) -> Digits:
    """Return columns of mean 0 and variance 1, then rows of mean squared length 1."""
    mean, spread = digits.train.mean(axis=0), digits.train.std(axis=0)
    size = np.where(spread > 0, spread, 1.0) * np.sqrt(np.count_nonzero(spread))
    return digits._replace(
        train=(digits.train - mean) / size, test=(digits.test - mean) / size
    )


_READINGS: tuple[tuple[str, Scaling, bool, float], ...] = (
    ("mean squared length 1 (figure)", _as_here, True, RATE),
    ("mean squared length 1", _as_here, True, 1.0),
    (f"over {_LEVELS}", _between_0_and_1, True, 1.0),
    (f"over {_LEVELS}", _between_0_and_1, False, 1.0),
    ("standardised, mean squared length 1", _standardised, True, 1.0),
    ("standardised, mean squared length 1", _standardised, False, 1.0),
)


def accuracies(
    digits: Digits, rate: float, fit_intercept: bool, passes: int, runs: int
) -> FloatArray:
    """Return test accuracies after the first and the last pass, a row for each run."""
    classes, found = np.unique(digits.train_labels), np.empty((runs, 2))
    for run in range(runs):
        rng = np.random.default_rng([SEED, run])
        model = student(digits, rate, fit_intercept=fit_intercept)
        for count in range(passes):
            order = rng.permutation(len(digits.train))
            model.partial_fit(digits.train[order], digits.train_labels[order], classes)
            if count in (0, passes - 1):
                score = model.score(digits.test, digits.test_labels)
                found[run, int(count > 0) :] = score
    return found


@table("seung2002/readings", "section 5")
def table_readings(*, quick: bool) -> TableData:
    """Return accuracies for several sizes of inputs, with and without a constant."""
    runs, rows = 3 if quick else 20, []
    for name, scaling, constant, rate in _READINGS:
        found = 100 * accuracies(scaling(bundled()), rate, constant, _PASSES, runs)
        mean, spread = found.mean(axis=0), found.std(axis=0, ddof=1)
        numbers = np.column_stack([mean, spread]).ravel().round(1).tolist()
        rows.append((name, "yes" if constant else "no", rate, *numbers))
    return TableData(
        title="Digits: what the accuracy depends on",
        caption=(
            "Percent of 450 test images that are recognised, mean and standard "
            f"deviation over {runs} orders. Logistic outputs, squared error, rates of "
            "the first one over 1 + s/1347 after s examples."
        ),
        columns=(
            "pixels",
            "constant input",
            "first rate",
            "one pass",
            "spread, one pass",
            f"{_PASSES} passes",
            f"spread, {_PASSES} passes",
        ),
        cells=tuple(rows),
    )
