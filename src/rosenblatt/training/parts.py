"""Learning in pieces: each is learned by itself, and the models are merged.

Models that count add their counts. Beliefs are multiplied, the prior counted once. The
weights of perceptrons are averaged after every pass, and sent out again. Results are
joined in the order of the pieces: sums of rounded numbers have the same bits wherever,
and in whatever order, the pieces are learned.
"""

from __future__ import annotations

import copy
import functools
import itertools
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import lazy_loader
import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_regressor
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

from rosenblatt.core.arguments import whole
from rosenblatt.core.parts import NO_AVERAGE, shift_kind
from rosenblatt.estimators import (
    BayesPerceptron,
    BayesRegressor,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
    OnlinePerceptron,
)
from rosenblatt.estimators.binary_perceptron import NO_THRESHOLD
from rosenblatt.estimators.inputs import two_or_more
from rosenblatt.linear.learner import Learner
from rosenblatt.system.code import code_digest

client_of: Any = lazy_loader.load(
    "rosenblatt.system.dask_client", suppress_warning=True
)
Model = TypeVar("Model")
_LOOK = 0.02  # seconds between two looks at a task of Dask
_SENT = 60.0  # seconds in which a worker that is not lost sends its result
FAULTS = (ValueError, TypeError, ArithmeticError)  # what bad rows raise
_MERGED = (
    ClippedHebb,
    BinaryPerceptron,
    BayesPerceptron,
    BayesRegressor,
    BinaryBayesPerceptron,
)


def fit_parts(
    model: Model,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    classes: Any = None,
    client: Any = None,
) -> Model:
    """Learn from pieces of the examples in parallel, and merge the models.

    Dask learns a piece where its rows are or are computed. Only models, counts and
    labels are sent, and rows that another worker holds. The results of pieces are
    joined in their order: the bits are the same for any number of workers, also if some
    die.

    * ``ClippedHebb``, ``BinaryPerceptron``: counts are added. The model is, to the bit,
      that of ``fit`` with all examples. The second one reads the pieces twice.
    * ``BayesPerceptron``, ``BayesRegressor``, ``BinaryBayesPerceptron``: beliefs are
      multiplied, the prior counted once (``merge``). Each piece is learned by a model
      that does not know the others: what this loses is in the guide "many machines".
    * ``OnlinePerceptron``: in each of ``max_iter`` rounds every piece goes on from the
      mean of the weights of all, each counted by its rows. The schedule's clock begins
      a round with the examples of all pieces in all rounds before, and goes on with
      those of the piece. With one piece this is ``fit``.

    If anything is wrong, an error names the piece, and the model stays as it was.

    Parameters
    ----------
    model
        A classifier, or a ``BayesRegressor``. It forgets what it knew before.
    X
        An array of Dask, in chunks of rows, or a dataframe of Dask. Or a collection of
        pieces, each a pair of rows and labels, or a triple with weights. A piece may
        also be a function without arguments that returns a piece, or an iterator over
        several. It is called where the piece is learned. Each piece may be delayed, or
        a future. Packed bits are rows, too. Pieces without rows are ignored.
    y
        The labels, as a Dask collection if X is one; or the name of a column of a
        dataframe. None for a collection of pieces.
    sample_weight
        The weights of the examples, as a Dask collection if X is one.
    classes
        All labels. By default the labels are read once before.
    client
        A client of Dask. By default that in force if anything is of Dask, else this
        process alone learns one piece after the other.

    Returns
    -------
    object
        The model.

    Examples
    --------
    >>> import numpy as np
    >>> import rosenblatt as rb
    >>> rng = np.random.default_rng(0)
    >>> X = rng.choice([-1, 1], (1000, 11))
    >>> y = X.sum(axis=1) > 0
    >>> pieces = [(X[i : i + 300], y[i : i + 300]) for i in range(0, 1000, 300)]
    >>> model = rb.fit_parts(rb.ClippedHebb(), pieces)
    >>> model.t_, model.coef_.tolist()
    (1000, [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]])
    """
    check_model(model)
    pieces = labelled = _pieces_of(X, y, sample_weight)
    if client is None and any(p.waiting or _is_lazy(p.source) for p in pieces):
        client = _client_in_force()
    known = None
    if is_regressor(model):
        if classes is not None:
            raise ValueError(f"classes must be None for numbers, got {classes!r}")
    elif classes is None:
        if y is not None and sample_weight is None:  # labels without their rows
            own = X[y] if isinstance(y, str) else y
            labelled = _pieces_of(own, own, None)
        known = classes_in(labelled, client)
    else:
        known = two_or_more("classes", np.unique(np.asarray(classes)))
    task = functools.partial(learn_piece, classes=known)
    found = _joined(task, pieces, clone(model), client)
    if isinstance(model, OnlinePerceptron):
        rounds = whole("max_iter", model.max_iter, low=1)
        for _ in range(1, rounds):
            before = found._learner.counts
            found = _joined(task, pieces, found, client)
            gained = found._learner
            found._learner = gained._replace(counts=before + gained.counts)
        found.n_iter_ = rounds
    elif isinstance(model, BinaryPerceptron):
        found = _joined(_with_threshold, pieces, found, client)
        if not found.threshold_found_.all():
            share = f"1 - eps/4 = {1 - found.eps / 4:g}"
            warnings.warn(NO_THRESHOLD.format(share), ConvergenceWarning, stacklevel=2)
    parameters = set(found.get_params(deep=False))
    for name in set(vars(model)) - set(vars(found)):
        delattr(model, name)
    for name, value in vars(found).items():
        if name not in parameters:
            setattr(model, name, value)
    return model


class Learned(NamedTuple):
    """A model that has learned a piece, and its record."""

    model: Any
    record: Any = None
    merge: str = "merge"  # the method that joins two of them


def is_fitted(model: Any) -> bool:
    """Return whether a model has learned a row."""
    return hasattr(model, "n_features_in_")


def check_model(model: Any) -> None:
    """Raise an error if models of pieces cannot be merged."""
    if not isinstance(model, (*_MERGED, OnlinePerceptron)):
        raise TypeError(
            f"model must be {', '.join(kind.__name__ for kind in _MERGED)} or "
            "OnlinePerceptron, whose pieces can be joined, got "
            f"{type(model).__name__}"
        )
    if getattr(model, "half_life", None) is not None:
        raise ValueError(
            "half_life must be None for pieces that are learned side by side, since "
            f"none is older than another, got {model.half_life!r}"
        )
    if model.warm_start and is_fitted(model):
        raise ValueError(
            "warm_start must be False: pieces are learned from the beginning; learn "
            "new pieces with a new model, and take model.merge(new)"
        )
    if isinstance(model, OnlinePerceptron):
        if model.shuffle:
            raise ValueError(
                "shuffle must be False: the rows of a piece are taken in their order"
            )
        if model.rule is not None and shift_kind(model.rule.shift) != NO_AVERAGE:
            raise ValueError(
                "rule must not have an average shift, which starts with the first "
                f"examples of all pieces, got {model.rule!r}"
            )


def classes_in(
    pieces: Sequence[Any], client: Any, stopped: Callable[[], bool] | None = None
) -> npt.NDArray[Any]:
    """Return all labels of all pieces, sorted."""
    every = results(_labels, pieces, None, client, stopped)
    found = [labels for labels in every if labels.size]
    return two_or_more("y", np.unique(np.concatenate(found or [np.empty(0)])))


def _labels(piece: Any, shared: None) -> npt.NDArray[Any]:
    labels: npt.NDArray[Any] = piece.labels()
    return labels


def learn_piece(piece: Any, model: Any, classes: Any) -> Learned | None:
    """Let a copy of a model learn a piece; a perceptron returns the counts it adds.

    The clock of a perceptron begins with the examples of all pieces in all rounds
    before.
    """
    twin = copy.copy(model)
    known = is_fitted(model)
    with warnings.catch_warnings():
        # of what a piece alone does not tell
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DataConversionWarning)
        record = piece.learn(twin, classes)
    if not is_fitted(twin) or (known and twin.t_ == model.t_):
        return None
    if known:
        gain = twin._learner.counts - model._learner.counts
        twin._learner = twin._learner._replace(counts=gain)
    return Learned(twin, record)


def _with_threshold(piece: Any, model: BinaryPerceptron) -> Learned | None:
    """Return the model with the threshold for one piece."""
    batches = piece.batches()
    first = next(batches, None)
    if first is None:
        return None
    twin: BinaryPerceptron = copy.copy(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        twin.fit_threshold(itertools.chain([first], batches))
    return Learned(twin, merge="merge_threshold")


def _joined(task: Any, pieces: Sequence[Any], shared: Any, client: Any) -> Any:
    """Return the merged models of a task on every piece."""
    total = None
    for found in results(task, pieces, shared, client):
        if found is not None:
            total = found if total is None else merged(total, found)
    if total is None:
        raise ValueError("X must have a row or more, got none")
    return total.model


def merged(first: Learned, second: Learned) -> Learned:
    """Return the merged result of two groups of pieces."""
    for name in ("n_features_in_", "feature_names_in_"):
        ours, theirs = (getattr(each.model, name, None) for each in (first, second))
        if ours is None or theirs is None or np.array_equal(ours, theirs):
            continue
        ours, theirs = np.asarray(ours).tolist(), np.asarray(theirs).tolist()
        raise ValueError(
            f"all pieces must have the same columns, got {ours} and {theirs}"
        )
    model, other = copy.copy(first.model), second.model
    if isinstance(model, OnlinePerceptron):  # each is counted by its rows
        a, b = model._learner, other._learner
        share = other.t_ / (model.t_ + other.t_)
        weights = a.weights + (b.weights - a.weights) * share
        model._learner = Learner(weights, a.sums, a.counts + b.counts)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            getattr(model, second.merge)(other)
    if first.record is not None:
        first.record.add(second.record)
    return Learned(model, first.record)


def results(
    task: Any,
    pieces: Sequence[Any],
    shared: Any,
    client: Any,
    stopped: Callable[[], bool] | None = None,
) -> Iterator[Any]:
    """Yield the result of a task on every piece, in the order of the pieces.

    Parameters
    ----------
    task
        A function of a piece and of what all tasks share.
    pieces
        The pieces.
    shared
        Sent to each worker once.
    client
        A client of Dask, which tries again if a worker dies; None for this process.
    stopped
        Whether to stop; asked now and then while Dask works.
    """
    if client is None and not any(piece.waiting for piece in pieces):
        yield from (task(piece, shared) for piece in pieces)
        return
    dask = client_of.dask
    # A task of its own: what was scattered is gone with the worker that had it.
    sent = dask.delayed(_itself)(shared)
    work = functools.partial(_work, code_digest(), task)
    tasks = [
        dask.delayed(functools.partial(work, piece))(sent, *piece.waiting)
        for piece in pieces
    ]
    if client is None:
        yield from (one.compute() for one in tasks)
        return
    futures = client.compute(tasks)
    try:
        for piece, future in zip(pieces, futures, strict=True):
            try:
                yield _result(future, stopped)
            except client_of.distributed.KilledWorker:
                raise ConnectionError(
                    "workers of Dask died again and again while they learned "
                    f"{piece}, perhaps for lack of memory"
                ) from None
            except CancelledError as failure:
                raise ConnectionError("the scheduler of Dask was lost") from failure
    finally:
        if client.status == "running":
            client.cancel(futures)


def _result(future: Any, stopped: Callable[[], bool] | None) -> Any:
    """Wait for a result, which may be lost again with its worker."""
    while True:
        while future.status == "pending":
            if stopped is not None and stopped():
                raise KeyboardInterrupt
            time.sleep(_LOOK)
        try:
            return future.result(timeout=_SENT)
        except client_of.distributed.TimeoutError:
            if future.status == "error":  # of the task itself
                raise


def _itself(value: Any) -> Any:
    return value


def _work(code: str, task: Any, piece: Any, shared: Any, *source: Any) -> Any:
    """Run a task on a piece, perhaps with the rows that Dask has computed for it."""
    if code_digest() != code:
        raise ImportError(
            "workers of Dask must have this version of rosenblatt and its libraries"
        )
    return task(replace(piece, source=source[0]) if source else piece, shared)


@dataclass(frozen=True)
class DataPiece:
    """Rows in memory, or rows that a function without arguments returns.

    Parameters
    ----------
    number
        Its place among all pieces.
    source
        A pair of rows and labels, a triple with weights, or a function that returns
        such a pair, triple, or an iterator over some. It may be a
        delayed object of Dask: the task that learns computes it, so that rows are not
        sent from one worker to another.
    waiting
        The source, delayed, if workers of Dask hold some of it.
    """

    number: int
    source: Any = None
    waiting: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"piece {self.number}"

    def labels(self) -> npt.NDArray[Any]:
        """Return the labels of rows with a positive weight, sorted."""
        found = [np.empty(0)]
        for _, y, weights in self.batches():
            labels = np.asarray(y)
            found.append(
                labels if weights is None else labels[np.asarray(weights) != 0]
            )
        return np.unique(np.concatenate(found[1:] or found))

    def batches(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the rows in their order, in batches that are not empty."""
        given = self.source
        if _is_lazy(given):
            given = given.compute(scheduler="synchronous")
        elif callable(given):
            given = given()
        for batch in [given] if isinstance(given, tuple | list) else given:
            if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
                raise TypeError(
                    f"{self} must be a pair of rows and labels, or a triple with "
                    f"weights, got {type(batch).__name__}"
                )
            X, y, weights = (*batch, None)[:3]
            if _rows_of(X) != _rows_of(y):
                raise ValueError(
                    f"{self} must have as many labels as rows, got {_rows_of(y)} and "
                    f"{_rows_of(X)}"
                )
            if _rows_of(X):
                yield X, y, weights

    def learn(self, model: Any, classes: npt.NDArray[Any] | None) -> None:
        """Let a model learn these rows."""
        for X, y, weights in self.batches():
            named = classes is not None and not is_fitted(model)
            new = {"classes": classes} if named else {}
            try:
                model.partial_fit(X, y, sample_weight=weights, **new)
            except FAULTS as failure:
                raise ValueError(f"{self}: {failure}") from failure


def _rows_of(X: Any) -> int:
    """Return the number of rows of a table of any kind."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _pieces_of(X: Any, y: Any, sample_weight: Any) -> list[DataPiece]:
    """Return the pieces of the examples."""
    held: Any = None  # what workers hold
    if hasattr(X, "__dask_graph__") and not hasattr(X, "key"):
        given = _blocks_of(X, y, sample_weight)
        held = client_of.distributed.futures_of([X, y, sample_weight])
        X, y, sample_weight = given, None, None
    if y is not None or sample_weight is not None:
        raise TypeError(
            "X must be an array or a dataframe of Dask if y is given, got "
            f"{type(X).__name__}. Take model.fit for examples in memory, or give a "
            "collection of pieces without y"
        )
    try:
        given = list(X)
    except TypeError:
        raise TypeError(
            "X must be of Dask, or a collection of pairs of rows and labels, "
            f"got {type(X).__name__}"
        ) from None
    if not given:
        raise ValueError("X must have one piece or more, got none")
    found = []
    for number, item in enumerate(given):
        if any(map(_is_lazy, item if isinstance(item, tuple | list) else [item])):
            client_of.check_installed()
            source = client_of.dask.delayed(_itself)(item)
            if held or client_of.distributed.futures_of(item):
                found.append(DataPiece(number, waiting=(source,)))
            else:
                found.append(DataPiece(number, client_of.dask.optimize(source)[0]))
        elif isinstance(item, tuple | list | Callable):
            found.append(DataPiece(number, item))
        else:
            raise TypeError(
                f"piece {number} must be a pair of rows and labels, a triple with "
                f"weights, or a function that returns one, got {type(item).__name__}"
            )
    return found


def _is_lazy(value: Any) -> bool:
    """Return whether Dask has a value, or is to compute it."""
    return hasattr(value, "__dask_graph__") or hasattr(value, "add_done_callback")


def _client_in_force() -> Any:
    """Return the client that Dask would take; None if it would start threads."""
    owner = getattr(client_of.dask.base.get_scheduler(), "__self__", None)
    return owner if isinstance(owner, client_of.distributed.Client) else None


def _blocks_of(X: Any, y: Any, sample_weight: Any = None) -> list[Any]:
    """Return the chunks of rows of Dask's arrays, or the partitions of dataframes."""
    client_of.check_installed()
    if y is None:
        raise ValueError("y must be given with a collection of Dask, got None")
    if isinstance(y, str):
        if y not in getattr(X, "columns", ()):
            raise ValueError(f"y must be a column of X, or labels, got {y!r}")
        if sample_weight is not None:
            raise ValueError(
                "sample_weight cannot be given if y is the name of a column"
            )
        return [client_of.dask.delayed(_split)(frame, y) for frame in _blocks(X)]
    every = [_blocks(X)]
    sizes = getattr(X, "chunks", ((np.nan,),))[0]
    for name, other in (("y", y), ("sample_weight", sample_weight)):
        if other is None:
            continue
        if not client_of.dask.is_dask_collection(other):
            raise TypeError(
                f"{name} must be a collection of Dask as X is, got {type(other)}"
            )
        if hasattr(other, "rechunk"):
            other = other[:, 0] if other.shape[1:] == (1,) else other
            if other.ndim != 1:
                raise ValueError(
                    f"{name} must be one column, got the shape {other.shape}"
                )
            if other.shape[0] != sum(sizes) and not np.isnan(sizes).any():
                raise ValueError(
                    f"{name} must have {sum(sizes)} rows as X has, got {other.shape[0]}"
                )
            other = other if np.isnan(sizes).any() else other.rechunk((sizes,))
        every.append(_blocks(other))
        if len(every[-1]) != len(every[0]):
            raise ValueError(
                f"{name} must have {len(every[0])} chunks as X has, got "
                f"{len(every[-1])}"
            )
    return list(zip(*every, strict=True))


def _split(frame: Any, target: str) -> tuple[Any, Any]:
    """Return rows and labels of a dataframe in which the labels are a column."""
    return frame.drop(columns=target), frame[target]


def _blocks(collection: Any) -> list[Any]:
    """Return the chunks of rows of a collection, not computed yet."""
    if not hasattr(collection, "numblocks"):
        return list(collection.to_delayed())
    if collection.ndim == 2 and collection.numblocks[1] != 1:
        collection = collection.rechunk({1: -1})
    return list(collection.to_delayed().ravel())
