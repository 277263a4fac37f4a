"""Online learning of images, compared with scikit-learn's linear classifiers.

The figures of section 5 use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import lazy_loader
import numpy as np

from rosenblatt.core.figures import FigureData, Picture
from rosenblatt.papers.seung2002.images import Digits
from rosenblatt.papers.seung2002.problems import SEED
from rosenblatt.schedules import Power

if TYPE_CHECKING:
    from rosenblatt.estimators import GradientPerceptron

__all__ = ["NAME", "RATE", "compare", "pictures", "references", "student"]

estimators: Any = lazy_loader.load("rosenblatt.estimators", suppress_warning=True)
linear_model: Any = lazy_loader.load("sklearn.linear_model", suppress_warning=True)

RATE = 10.0  # the first rate; inputs have a mean squared length of 1
NAME = "GradientPerceptron, logistic"
_SMALL = 10**6  # pixels up to which logistic regression takes seconds


def student(
    digits: Digits, rate: float = RATE, *, fit_intercept: bool = True
) -> GradientPerceptron:
    """Return a perceptron for these images that has learned nothing.

    Its rate is ``rate/(1 + s/m)`` after ``s`` examples, if there are ``m``.
    """
    images, pixels = digits.train.shape
    per_weight = images / (pixels + fit_intercept)  # what its clock counts
    schedule = Power(rate * per_weight, 1.0, per_weight)
    model: GradientPerceptron = estimators.GradientPerceptron(
        schedule=schedule, fit_intercept=fit_intercept
    )
    return model


def compare(
    digits: Digits, passes: int, seed: int = 0
) -> Iterator[tuple[dict[str, float], GradientPerceptron]]:
    """Learn pass by pass, each in an order of its own, and yield test accuracies.

    The perceptron of this package comes along, as it is after that pass. Those of
    scikit-learn shuffle once more; the seed is theirs too.
    """
    rng, own = np.random.default_rng([SEED, seed]), student(digits)
    learners: dict[str, Any] = {
        NAME: own,
        "sklearn Perceptron": linear_model.Perceptron(random_state=seed),
        "sklearn SGDClassifier, log loss": linear_model.SGDClassifier(
            loss="log_loss", random_state=seed
        ),
    }
    classes = np.unique(digits.train_labels)
    for _ in range(passes):
        order = rng.permutation(len(digits.train))
        rows, labels = digits.train[order], digits.train_labels[order]
        for learner in learners.values():
            learner.partial_fit(rows, labels, classes=classes)
        yield (
            {
                name: float(learner.score(digits.test, digits.test_labels))
                for name, learner in learners.items()
            },
            own,
        )


def references(digits: Digits) -> dict[str, float]:
    """Return accuracies of classifiers that solve for their weights."""
    solvers: dict[str, Any] = {
        "sklearn RidgeClassifier": linear_model.RidgeClassifier()
    }
    if digits.train.size <= _SMALL:
        solvers["sklearn LogisticRegression"] = linear_model.LogisticRegression(
            max_iter=10_000
        )
    return {
        name: float(
            solver.fit(digits.train, digits.train_labels).score(
                digits.test, digits.test_labels
            )
        )
        for name, solver in solvers.items()
    }


def pictures(model: GradientPerceptron, shape: tuple[int, int]) -> FigureData:
    """Return the weights of each class as a picture."""
    weights = model.coef_
    names = [str(name) for name in model.classes_]
    if len(weights) == 1:  # two classes
        names = names[1:]
    return FigureData(
        title="Weights that have been learned",
        caption=(
            "Weights of the perceptron for each class, as images: red pixels speak for "
            "the class and blue ones against it. Each picture has a scale of its own."
        ),
        x_label="",
        y_label="",
        series=(),
        pictures=tuple(
            Picture(name, row.reshape(shape).tolist())
            for name, row in zip(names, weights, strict=True)
        ),
    )
