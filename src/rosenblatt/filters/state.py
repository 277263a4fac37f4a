"""Gaussian belief about the weights, and the belief before any example."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rosenblatt.core.arguments import number, whole
from rosenblatt.core.schema import Array, Nested, Number, Relation, Schema, Text, Whole
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.label_law import LOG_EVIDENCE, NOISE, TALLIES, blank, impossible
from rosenblatt.filters.natural_parameters import roots
from rosenblatt.filters.standardisation import NEVER, STANDARDISATION, Frame

__all__ = ["COVARIANCES", "FILTER", "Filter", "start"]

COVARIANCES = ("spherical", "diagonal", "full")


def _positive(filter: Filter) -> bool:
    """Return whether variances are positive and factors triangular."""
    if filter.belief.ndim < 3:
        return bool((filter.belief > 0.0).all())
    diagonal = np.diagonal(filter.belief, axis1=1, axis2=2)
    return bool((diagonal > 0.0).all() and not np.triu(filter.belief, 1).any())


FILTER = Schema(
    "filter",
    {
        "covariance": Text(COVARIANCES),
        "prior": Number(low=0.0, above=True),
        "width": Number(low=0.0),
        "clip": Number(low=0.0, above=True, infinite=True),
        "half_life": Number(low=0.0, above=True, optional=True),
        "frame": Nested(STANDARDISATION),
        "mean": Array((("models", "weights"),)),
        "belief": Array(
            (
                ("models",),
                ("models", "weights"),
                ("models", "weights", "weights"),
            )
        ),
        "noise": Array((("models",),), low=0.0, high=float(np.nextafter(0.5, 0.0))),
        "tally": Array((("models", TALLIES),)),
        "clock": Whole(high=2**53),
        "changed": Whole(high=2**53),
        "change": Whole(high=NEVER),
    },
    (
        Relation("a model", lambda _, sizes: sizes["models"] >= 1),
        Relation(
            "a weight for each column, and perhaps one more for the intercept",
            lambda _, sizes: 0 <= sizes["weights"] - sizes["columns"] <= 1,
        ),
        Relation(
            "a belief with as many dimensions as its covariance asks for",
            lambda filter, _: (
                filter.belief.ndim == 1 + COVARIANCES.index(filter.covariance)
            ),
        ),
        Relation(
            "a diagonal covariance if rows are sparse",
            lambda filter, _: (
                filter.covariance == "diagonal" or not filter.frame.sparse
            ),
        ),
        Relation(
            "a standardisation with sums if it ever changes",
            lambda filter, _: filter.change == NEVER or filter.frame.sums.size > 0,
        ),
        Relation(
            "last_change <= examples <= next_change",
            lambda filter, _: filter.changed <= filter.clock <= filter.change,
        ),
        Relation(
            "positive variances, or lower triangular factors with a positive diagonal",
            lambda filter, _: _positive(filter),
            values=True,
        ),
        Relation(
            "statistics that labels can have led to",
            lambda filter, _: not impossible(filter.tally),
            values=True,
        ),
    ),
    names={
        "width": "label_variance",
        "frame": "standardisation",
        "tally": "statistics",
        "clock": "examples",
        "changed": "last_change",
        "change": "next_change",
    },
)


@dataclass
class Filter:
    """What is believed about the weights, and all that learning goes on from.

    One model for two classes, else one for each, with the same noise and tally. All
    share the frame.
    """

    covariance: str
    prior: float  # the variance of each weight before any example
    width: float  # of the label law: 0 is a step, 1 the probit law
    clip: float  # inputs in the frame go no farther
    half_life: float | None  # examples
    noise: FloatArray  # (models,)
    mean: FloatArray  # (models, weights); an intercept comes last
    belief: FloatArray  # variance, variances, or factors of the covariance
    tally: FloatArray  # (models, TALLIES)
    frame: Frame
    clock: int  # examples so far
    changed: int  # the clock at which the frame last changed
    change: int  # the clock at which it changes next
    seat: ClassVar[Any] = None  # where kernels find all this, of one that has learned

    def __post_init__(self) -> None:
        """Check types and shapes: kernels are given the addresses of the arrays."""
        FILTER.check(self, values=False)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out where arrays are in the memory: copies have others."""
        return {name: own for name, own in vars(self).items() if name != "seat"}

    def leave(self) -> None:
        """Forget where arrays are: they are about to be replaced."""
        vars(self).pop("seat", None)

    def copy(self) -> Filter:
        """Return a filter that shares nothing with this one."""
        other = copy.copy(self)
        for name in ("noise", "mean", "belief", "tally", "frame"):
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def variances(self) -> FloatArray:
        """The variance of each weight, in units of the frame."""
        if self.belief.ndim == 3:
            return np.asarray(np.square(roots(self.belief)).sum(axis=1))
        if self.belief.ndim == 1:
            return np.repeat(self.belief[:, None], self.mean.shape[1], axis=1)
        return self.belief

    def field_variance(self, row: FloatArray) -> FloatArray:
        """Return the variance of each model's field for a row in the frame."""
        if self.belief.ndim == 3:
            return np.asarray(np.square(roots(self.belief) @ row).sum(axis=1))
        return np.asarray(self.variances @ (row * row))

    @property
    def log_evidence(self) -> FloatArray:
        """The logarithm of the probability of all labels, the same for each model."""
        return self.tally[:, LOG_EVIDENCE].copy()


def start(
    features: int,
    *,
    covariance: str = "full",
    models: int = 1,
    prior: float = 1.0,
    width: float = 0.0,
    noise: float | None = 0.0,
    intercept: bool = False,
    framed: bool = False,
    clip: float = np.inf,
    half_life: float | None = None,
    sparse: bool = False,
) -> Filter:
    """Return the filter that has seen nothing.

    The defaults are the setting of the paper: inputs as they are, a label that is the
    sign of the field.

    Parameters
    ----------
    features
        The number of inputs.
    covariance
        ``"spherical"``, ``"diagonal"`` or ``"full"``.
    models
        One for two classes, else one for each class: the largest field is then the
        label, by the law of :mod:`rosenblatt.numerics.class_evidence`.
    prior
        The variance of each weight before any example.
    width
        The variance of the label law's own noise: 0 for a step, 1 for the probit law.
    noise
        The probability of a wrong label, below 0.5; None to estimate it.
    intercept
        Whether there is one more weight, on a constant input of 1.
    framed
        Whether inputs are standardised as they come.
    clip
        How many scales from its centre an input counts at most.
    half_life
        The number of examples after which what was learned counts half; None for
        ever.
    sparse
        Whether rows come as a sparse matrix.

    Examples
    --------
    >>> from rosenblatt.filters.learning import learn
    >>> filter = start(2, covariance="full")
    >>> filter = learn(filter, [[1.0, 0.0]], [1])
    >>> filter.mean.round(4), filter.variances.round(4)
    (array([[0.7979, 0.    ]]), array([[0.3634, 1.    ]]))
    """
    if covariance not in COVARIANCES:
        raise ValueError(
            f"covariance must be one of {', '.join(map(repr, COVARIANCES))}, "
            f"got {covariance!r}"
        )
    if sparse and covariance != "diagonal":
        raise ValueError(
            f"covariance must be 'diagonal' for sparse rows, got {covariance!r}"
        )
    features, models = (
        whole("features", features, low=1),
        whole("models", models, low=1),
    )
    prior = number("prior", prior, above=0.0)
    if noise is not None and number("noise", noise, low=0.0, high=0.5) == 0.5:
        raise ValueError("noise must be below 0.5, where labels tell nothing, got 0.5")
    if half_life is not None:
        half_life = number("half_life", half_life, above=0.0)
    weights = features + bool(intercept)
    shape = {"spherical": (), "diagonal": (weights,)}.get(covariance)
    if shape is None:
        belief = np.tile(prior * np.eye(weights), (models, 1, 1))
    else:
        belief = np.full((models, *shape), prior)
    tally = blank(models, noise)
    return Filter(
        covariance=covariance,
        prior=prior,
        width=number("width", width, low=0.0),
        clip=float(clip),
        half_life=half_life,
        noise=tally[:, NOISE].copy(),
        mean=np.zeros((models, weights)),
        belief=belief,
        tally=tally,
        frame=(Frame.unseen if framed else Frame.none)(features, bool(sparse)),
        clock=0,
        changed=0,
        change=0 if framed else NEVER,
    )
