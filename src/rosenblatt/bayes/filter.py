r"""A Gaussian filter: the belief about the weights, and learning of rows.

A filter is started by :func:`~rosenblatt.bayes.start` and goes on by :func:`learn`,
in any pieces. Changes between examples (standardisation, drift, a better estimate of
the label noise) depend on the number of examples alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, ClassVar

import numpy as np

import rosenblatt.bayes.layout as layout
from rosenblatt.bayes import label_law, row_loop
from rosenblatt.bayes.belief import PIECES, Belief, Routines
from rosenblatt.bayes.covariances import BELIEFS
from rosenblatt.bayes.label_law import NOISE as ESTIMATE
from rosenblatt.bayes.layout import Record
from rosenblatt.bayes.standardisation import NEVER, STANDARDISATION, Standardisation
from rosenblatt.compiling.blas import dgemm
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.pointers import array_address, kernel_address, table_of
from rosenblatt.compiling.vectors import aligned_table
from rosenblatt.core import schema
from rosenblatt.core.arguments import below_half, choice, either, number, whole
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear.errors import explained
from rosenblatt.system.threads import MANY_ROWS, interruptible, one_thread

# What a filter predicts with, and its places in the table.
_place = layout.Arrays._fields.index
PREDICTS_WITH = {name: _place(name) for name in ("noise", "mean", "belief", "center")}
PREDICTS_WITH["inverse_scale"] = _place("inverse")
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_ROWS = 32.0  # of a piece of the columns' half-life: a change takes longer than a row
_MOST = 1e100  # of means and variances: no product with a row overflows
# Checks of the noise of labels, and of a number of examples.
LABEL_NOISE = either("auto", below_half)
HALF_LIFE = either(None, partial(number, above=0.0))


def _belief_fits(filter: Any, sizes: dict[str, int]) -> bool:
    """Return whether the belief has the shape that its kind asks for."""
    own = BELIEFS[filter.covariance].shape(sizes["weights"])
    wanted = (sizes["models"], *own)
    return bool(filter.belief.shape == wanted)


FILTER = schema.Schema(
    "filter",
    {
        "covariance": schema.Text(tuple(BELIEFS)),
        "prior": schema.Number(low=1 / _MOST, high=_MOST),
        "label_variance": schema.Number(low=0.0),
        "clip": schema.Number(low=0.0, above=True, infinite=True),
        "half_life": schema.Number(low=0.0, above=True, optional=True),
        "input_half_life": schema.Number(low=0.0, above=True, optional=True),
        "standardisation": schema.Nested(STANDARDISATION),
        "mean": schema.Array((("models", "weights"),), low=-_MOST, high=_MOST),
        "belief": schema.Array(
            (("models",), ("models", "weights"), ("models", "rows", "weights")),
            low=-_MOST,
            high=_MOST,
        ),
        "noise": schema.Array(
            (("models",),), low=0.0, high=float(np.nextafter(0.5, 0.0))
        ),
        "statistics": schema.Array((("models", layout.STATISTICS),)),
        "clock": schema.Whole(high=2**53),
        "last_change": schema.Whole(high=2**53),
        "next_change": schema.Whole(high=NEVER),
    },
    (
        schema.Relation("a model", lambda _, sizes: sizes["models"] >= 1),
        schema.Relation(
            "a weight for each column, and perhaps one more for the intercept",
            lambda _, sizes: 0 <= sizes["weights"] - sizes["columns"] <= 1,
        ),
        schema.Relation(
            "a belief of the shape that its covariance asks for", _belief_fits
        ),
        schema.Relation(
            "a diagonal covariance if rows are sparse",
            lambda filter, _: (
                BELIEFS[filter.covariance].sparse or not filter.standardisation.sparse
            ),
        ),
        schema.Relation(
            "a standardisation with sums if it ever changes",
            lambda filter, _: (
                filter.next_change == NEVER or filter.standardisation.sums.size > 0
            ),
        ),
        schema.Relation(
            "last_change <= examples <= next_change",
            lambda filter, _: filter.last_change <= filter.clock <= filter.next_change,
        ),
        schema.Relation(
            "positive variances, and covariances that are symmetric",
            lambda filter, _: BELIEFS[filter.covariance].possible(filter.belief),
            values=True,
        ),
        schema.Relation(
            "statistics that labels can have led to",
            lambda filter, _: not label_law.impossible(filter.statistics),
            values=True,
        ),
    ),
)


@schema.record(FILTER)
class Filter(Record):
    """A Gaussian belief about the weights, with the other state that learning needs.

    There is one model for two classes, else one for each class. All have the same
    noise, statistics of the labels and standardisation of the columns.

    Parameters
    ----------
    covariance
        ``"spherical"``, ``"diagonal"`` or ``"full"``.
    prior
        The variance of each weight before any example.
    label_variance
        The variance of the label law's own noise: 0 for a step, 1 for the probit law.
    clip
        The largest standardised input, in absolute value.
    half_life
        The number of examples after which half of a weight's variance is new, or None
        for weights that do not change.
    input_half_life
        The number of examples after which a row counts half in the standardisation of
        the columns, or None.
    noise
        The probability of a wrong label, for each model.
    mean
        Mean of the weights, of shape (models, weights); an intercept comes last.
    belief
        One variance, variances, or a covariance matrix, for each model.
    statistics
        Statistics of the labels, see :mod:`rosenblatt.bayes.label_law`.
    standardisation
        Standardisation of the columns.
    clock
        The number of examples so far.
    last_change, next_change
        The number of examples at which the standardisation last changed, and next does.
    """

    _fields: ClassVar = tuple(FILTER.fields)  # a record, for model files
    _state: KernelState | None = None

    def __init__(
        self,
        *,
        covariance: str,
        prior: float,
        label_variance: float,
        clip: float,
        half_life: float | None,
        input_half_life: float | None,
        noise: FloatArray,
        mean: FloatArray,
        belief: FloatArray,
        statistics: FloatArray,
        standardisation: Standardisation,
        clock: int,
        last_change: int,
        next_change: int,
    ) -> None:
        self.covariance, self.prior = covariance, prior
        self.label_variance, self.clip = label_variance, clip
        self.half_life, self.input_half_life = half_life, input_half_life
        self.noise, self.mean, self.belief = noise, mean, belief
        self.statistics = statistics
        self.center, self.inverse_scale, self.sums, weight, self.sparse = (
            standardisation
        )
        given = {
            layout.WEIGHT: weight,
            layout.CLOCK: clock,
            layout.CHANGED: last_change,
        }
        self.counts = np.zeros(layout.POWER + 1)  # kernels write here
        for place, value in (given | {layout.NEXT_CHANGE: next_change}).items():
            self.counts[place] = value
        FILTER.check(self, values=False)  # kernels are given the addresses of arrays

    @property
    def clock(self) -> int:
        """The number of examples so far."""
        return int(self.counts[layout.CLOCK])

    @property
    def last_change(self) -> int:
        """The number of examples at which the standardisation last changed."""
        return int(self.counts[layout.CHANGED])

    @property
    def next_change(self) -> int:
        """The number of examples at which the standardisation changes next."""
        return int(self.counts[layout.NEXT_CHANGE])

    @property
    def standardisation(self) -> Standardisation:
        """The standardisation of the columns; its arrays are the filter's own."""
        weight = float(self.counts[layout.WEIGHT])
        own = self.center, self.inverse_scale, self.sums
        return Standardisation(*own, weight, self.sparse)

    @property
    def rate(self) -> float:
        """The rate of forgetting, 1 / half-life."""
        return 1.0 / self.half_life if self.half_life else 0.0

    @property
    def piece(self) -> float:
        """The number of examples after which sums are forgotten; 0 for no half-life."""
        half_life = self.input_half_life
        return max(_ROWS, half_life // PIECES) if half_life else 0.0

    @property
    def state(self) -> KernelState:
        """The table that kernels are given; from now on arrays must not be replaced."""
        if self._state is None:
            self.make_writable()
            self._state = KernelState(self)
        return self._state

    def replaced(self, **fields: Any) -> Filter:
        """Return a copy with other values of some fields."""
        own = self.copy()
        given = {name: getattr(own, name) for name in FILTER.fields}
        return Filter(**(given | fields))

    def table(self, X: Any) -> Any:
        """Return rows as kernels take them."""
        features = self.center.size
        if self.sparse:
            if not X.has_canonical_format:
                X = X.copy()
                X.sum_duplicates()
        elif not (
            isinstance(X, np.ndarray) and X.dtype in _FLOATS and X.flags.c_contiguous
        ):
            X = np.ascontiguousarray(X, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != features:
            raise ValueError(f"X must have {features} columns, got shape {X.shape}")
        return X

    @property
    def kind(self) -> Belief:
        """What the numbers of the belief mean, and its routines."""
        return BELIEFS[self.covariance]

    @property
    def routines(self) -> Routines:
        """The routines that learn."""
        return self.kind.routines(*self.mean.shape)

    @property
    def variances(self) -> FloatArray:
        """The variance of each weight, for standardised inputs."""
        return self.kind.variances(self.belief, self.mean.shape[1])

    def field_variance(self, row: FloatArray) -> FloatArray:
        """Return the variance of each model's field for a standardised row."""
        return np.asarray(self.kind.times(self.belief, row) @ row)

    def covariances(self, weights: list[int]) -> FloatArray:
        """Return the covariances of some weights, for standardised inputs."""
        units = np.eye(self.mean.shape[1])[weights]
        rows = [self.kind.times(self.belief, unit)[:, weights] for unit in units]
        return np.stack(rows, axis=1)

    @property
    def log_evidence(self) -> FloatArray:
        """The logarithm of the probability of all labels, the same for each model."""
        return self.statistics[:, label_law.LOG_EVIDENCE].copy()


class KernelState:
    """The table of a filter for kernels, which are given its address.

    The filter has checked types and shapes. The table stays valid as long as the filter
    has the same arrays, and in one process. A change of the standardisation reads
    ``row`` and writes ``shifts`` and ``ratios`` of the columns.
    """

    def __init__(self, filter: Filter) -> None:
        models, weights = filter.mean.shape
        features = filter.center.size
        own = filter.routines
        assert filter.statistics.shape == (models, layout.STATISTICS)
        given = filter.clip, filter.label_variance, filter.prior
        lives = filter.half_life or 0.0, filter.input_half_life or 0.0
        label = label_law.learn_class if models > 1 else label_law.learn_label
        self.row, self.shifts, self.ratios = np.zeros((3, features))
        self._entries = (
            filter.center,
            filter.inverse_scale,
            filter.sums,
            filter.noise,
            filter.mean,
            filter.belief,
            filter.statistics,
            np.array([*given, *lives, filter.piece, 0.5**filter.rate]),
            filter.counts,
            np.ones(layout.LABEL_ROOM * models + 1),
            *(self.row, self.shifts, self.ratios),
            aligned_table(own.block * weights),
            np.zeros(layout.READ_AFTER + 1),
            aligned_table(own.room),
            *(features, weights, models, filter.sums.size),
            filter.belief.size // models,
            filter.sparse,
            own.block,
            dgemm() if own.products else 0,
            *map(kernel_address, (label, row_loop.change, own.rescale, own.start)),
            *map(kernel_address, (own.predict, own.learn, own.finish)),
        )
        self.table = table_of(*self._entries)
        assert self.table.size == len(layout.Arrays._fields)
        self.address = array_address(self.table)


def start(
    features: int,
    *,
    covariance: str = "full",
    models: int = 1,
    prior: float = 1.0,
    label_variance: float = 0.0,
    noise: float | str = 0.0,
    intercept: bool = False,
    standardised: bool = False,
    clip: float = np.inf,
    half_life: float | None = None,
    input_half_life: float | None = None,
    sparse: bool = False,
) -> Filter:
    """Return the filter before any example.

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
        label, by the law of :mod:`rosenblatt.numerics.evidence`.
    prior
        The variance of each weight before any example.
    label_variance
        The variance of the label law's own noise: 0 for a step, 1 for the probit law.
    noise
        The probability of a wrong label, below 0.5; ``"auto"`` to estimate it.
    intercept
        Whether there is one more weight, on a constant input of 1.
    standardised
        Whether inputs are standardised as they come.
    clip
        How many scales from its centre an input counts at most.
    half_life
        The number of examples after which half of the variance of a weight is new, for
        weights that drift. None for weights that do not drift.
    input_half_life
        The number of examples after which a row counts half in the standardisation of
        the columns; None for ever.
    sparse
        Whether rows come as a sparse matrix.

    Examples
    --------
    >>> from rosenblatt.bayes import learn
    >>> filter = start(2, covariance="full")
    >>> filter = learn(filter, [[1.0, 0.0]], [1])
    >>> filter.mean.round(4), filter.variances.round(4)
    (array([[0.7979, 0.    ]]), array([[0.3634, 1.    ]]))
    """
    kind = BELIEFS[choice(*BELIEFS)("covariance", covariance)]
    if sparse and not kind.sparse:
        raise ValueError(
            f"covariance must be 'diagonal' for sparse rows, got {covariance!r}"
        )
    features = whole("features", features, low=1)
    models = whole("models", models, low=1)
    prior = number("prior", prior, above=0.0)
    noise = LABEL_NOISE("noise", noise)
    half_life = HALF_LIFE("half_life", half_life)
    input_half_life = HALF_LIFE("input_half_life", input_half_life)
    weights = features + bool(intercept)
    statistics = label_law.blank(models, noise)
    columns = Standardisation.unseen if standardised else Standardisation.none
    return Filter(
        covariance=kind.name,
        prior=prior,
        label_variance=number("label_variance", label_variance, low=0.0),
        clip=float(clip),
        half_life=half_life,
        input_half_life=input_half_life,
        noise=statistics[:, ESTIMATE].copy(),
        mean=np.zeros((models, weights)),
        belief=kind.prior(models, weights, prior),
        statistics=statistics,
        standardisation=columns(features, bool(sparse)),
        clock=0,
        last_change=0,
        next_change=0 if standardised else NEVER,
    )


NOTHING = np.zeros((0, 0))
ONCE = np.zeros(0)  # no repeats: kernels take each row once


def learn(
    filter: Filter,
    X: Any,
    codes: Any,
    repeats: FloatArray | None = None,
    odds: FloatArray | None = None,
) -> Filter:
    """Return a filter that has learned examples; the given one does not change.

    Parameters
    ----------
    filter
        Filter to start from.
    X
        One example a row: an array, or a CSR matrix for a sparse filter.
    codes
        The number of each row's class. With one model 1 is the label +1, 0 is -1.
    repeats
        How many times in succession a row is presented; 0 leaves it out. A fraction is
        one more presentation, with this power of the likelihood.
    odds
        Array for the predictions of each row before it is learned. They are the
        log-odds of the label +1, or the log-probabilities of several classes.
    """
    result = filter.copy()
    presented = len(codes) if repeats is None else np.sum(repeats)
    interruptible(
        lambda: learn_rows(result, X, codes, repeats, odds),
        long=bool(presented > MANY_ROWS),
    )
    return result


def learn_rows(
    filter: Filter,
    X: Any,
    codes: Any,
    repeats: FloatArray | None = None,
    odds: FloatArray | None = None,
) -> None:
    """Learn examples in place; an error may leave some of them learned."""
    X = filter.table(X)
    codes = np.ascontiguousarray(codes, dtype=np.int64)
    rows = X.shape[0]
    for given in (codes, repeats):
        if given is not None and given.shape != (rows,):
            raise ValueError(
                f"codes and repeats must have {rows} entries as X has rows, "
                f"got shape {given.shape}"
            )
    times = ONCE if repeats is None else np.ascontiguousarray(repeats, np.float64)
    with np.errstate(all="ignore"), threads([filter]):
        if filter.sparse:
            _learn_sparse(filter, X, codes, times, NOTHING if odds is None else odds)
            return
        where = NOTHING if odds is None else odds
        fault = kernel_for(X)(X, codes, times, where, filter.state.address)
        if fault >= 0:
            raise explained(X, fault)


def _learn_sparse(
    filter: Filter, X: Any, codes: IntArray, repeats: FloatArray, odds: FloatArray
) -> None:
    """Learn sparse rows in place."""
    place, counts = filter.state.address, filter.counts
    given = (
        X.data.astype(np.float64, copy=False),
        X.indices.astype(np.int32, copy=False),
        X.indptr.astype(np.int64, copy=False),
    )
    room = np.empty(int(np.diff(given[2]).max(initial=0)))
    while True:
        status = row_loop.learn_sparse(*given, codes, repeats, odds, room, place)
        if status >= 0:
            raise explained(X, status)
        if status != row_loop.CHANGE_DUE:
            counts[layout.ROW] = counts[layout.DONE] = 0.0
            return
        row_loop.change(place)


def kernel_for(X: FloatArray) -> Any:
    """Return the kernel that learns dense rows of this precision."""
    return row_loop.learn_singles if X.itemsize == 4 else row_loop.learn_doubles


def threads(filters: Sequence[Filter]) -> AbstractContextManager[object]:
    """Return a context in which BLAS has one thread, for filters that call it much."""
    if not any(filter.routines.products for filter in filters):
        return nullcontext()
    dgemm()  # a library that is loaded later is not limited
    return one_thread()


def learn_in_place(
    filter: Filter, row: FloatArray, code: IntArray, odds: FloatArray
) -> None:
    """Learn one row in place; if it is not finite, nothing changes.

    ``row`` has the shape (1, features), and ``odds`` that of one row, or (0, 0).
    """
    if row.itemsize < 8:  # single precision
        row = row.astype(np.float64)
    if PLAIN or filter.counts[layout.CLOCK] >= filter.counts[layout.NEXT_CHANGE]:
        own = filter.copy()
        learn_rows(own, row, code, odds=odds)
        vars(filter).update(vars(own))
        return
    # No more Python than needed: it takes longer than to learn.
    fault = row_loop.learn_doubles(row, code, ONCE, odds, filter.state.address)
    if fault >= 0:
        raise explained(row, 0)
