"""Learning in pieces: each is learned by itself, and the models are merged.

Models that count add their counts. Beliefs are multiplied, the prior counted once. The
weights of perceptrons are averaged after every pass, and sent out again. Results are
joined in pairs, pairs of pairs, and so on, in the order of the pieces: sums of rounded
numbers have the same bits wherever, and in whatever order, the pieces are learned.
"""

from __future__ import annotations

import copy
import functools
import itertools
import json
import operator
import os
import shutil
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import lazy_loader
import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

from rosenblatt.bits import Bits
from rosenblatt.core.arguments import whole
from rosenblatt.core.parts import NO_AVERAGE, shift_kind
from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
    OnlinePerceptron,
)
from rosenblatt.estimators.binary_perceptron import NO_THRESHOLD
from rosenblatt.estimators.inputs import two_or_more
from rosenblatt.linear.learner import Learner
from rosenblatt.models import ModelFileError, load_model, save_model
from rosenblatt.system.atomic_files import write_whole
from rosenblatt.tables import STANDARD, Encoded, Encoder, Place, cuts, format_of
from rosenblatt.training.options import Options, check_same, parts_of
from rosenblatt.training.progress import TrainingBar, TrainingInterrupted
from rosenblatt.training.record import Record, learn_batch
from rosenblatt.training.sources import Position, Sources, check_labels

parallel: Any = lazy_loader.load("rosenblatt.system.parallel", suppress_warning=True)
client_of: Any = lazy_loader.load(
    "rosenblatt.system.dask_client", suppress_warning=True
)
Model = TypeVar("Model")
PIECE_ROWS = 2**20  # as many as pyarrow puts into a group of rows of Parquet
_CUT = ("parquet", "npy")  # formats
_FAULTS = (ValueError, TypeError, ArithmeticError)  # what bad rows raise
_MERGED = (ClippedHebb, BinaryPerceptron, BayesPerceptron, BinaryBayesPerceptron)
_NOTHING = object()  # where no result is stored


def fit_parts(
    model: Model,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    classes: Any = None,
    client: Any = None,
) -> Model:
    """Learn from pieces of the examples in parallel, each on the worker that has it.

    Only models, counts and labels that occur travel. Rows never do, but those that Dask
    moves because they were made elsewhere (``persist``) and that worker is busy. The
    results of pieces are joined in the order of the pieces, whichever is ready first.
    The bits are the same for any number of workers, also if some die.

    * ``ClippedHebb``, ``BinaryPerceptron``: counts are added. The model is, to the bit,
      that of ``fit`` with all examples. The second one reads the pieces twice.
    * ``BayesPerceptron``, ``BinaryBayesPerceptron``: beliefs are multiplied, the prior
      counted once (``merge``). Each piece is learned by a model that does not know the
      others: what this loses is in the guide "many machines".
    * ``OnlinePerceptron``: in each of ``max_iter`` rounds every piece goes on from the
      mean of the weights of all, each counted by its rows. The schedule's clock begins
      a round with the examples of all pieces in all rounds before, and goes on with
      those of the piece. With one piece this is ``fit``.

    If anything is wrong, an error names the piece and, if it is found, the row in it,
    and the model stays as it was.

    Parameters
    ----------
    model
        A classifier. It forgets what it knew before.
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
    _check_model(model)
    pieces, dask = _pieces_of(X, y, sample_weight)
    if client is None and dask:
        client = _client_in_force()
    steps = Steps(client)
    if classes is None:
        known = _classes_in(pieces, steps)
    else:
        known = two_or_more("classes", np.unique(np.asarray(classes)))
    found = _learned(model, pieces, known, steps).model
    parameters = set(found.get_params(deep=False))
    for name in set(vars(model)) - set(vars(found)):
        delattr(model, name)
    for name, value in vars(found).items():
        if name not in parameters:
            setattr(model, name, value)
    return model


def learn_pieces(
    model: Any,
    given: Options,
    files: list[Any],
    steps: Steps,
    *,
    resume: bool,
    skip: bool,
    shown: Callable[[Sources], None],
) -> tuple[Any, Encoder, Record]:
    """Learn files in pieces; return the model, the encoder and the record.

    The first batch of the first file determines the encoding of columns as features.

    Parameters
    ----------
    model
        The model, before it has learned anything.
    files
        What the files are known again by.
    steps
        The way to run tasks.
    resume
        Whether to go on with results that are stored.
    skip
        Whether bad rows are left out.
    shown
        Called with the sources when all labels are known.
    """
    if not given.files or STANDARD in given.files:
        raise ValueError(
            "source must be files with workers, got standard input or a table in "
            "memory, which one process reads"
        )
    if given.holds_out:
        raise ValueError("holdout must be without workers; take predict instead")
    _check_model(model)
    pieces = _file_pieces(given)
    steps.open(given, files, resume)
    if given.classes is None:
        known = _classes_in(pieces, steps)
        given = replace(given, classes=tuple(known.tolist()))
    sources = Sources(given)
    shown(sources)
    encoder = sources.first()[1]
    ready = [replace(piece, encoder=encoder, skip=skip) for piece in pieces]
    if given.passes > 1:
        model.max_iter = given.passes
    result = _learned(model, ready, sources.classes_of(encoder), steps)
    return result.model, encoder, result.record or Record()


class LearnedModel(NamedTuple):
    """A model that has learned some pieces, and its record."""

    model: Any
    rows: float  # learned in this round, weights counted
    record: Record | None


def _check_model(model: Any) -> None:
    """Raise an error if models of pieces cannot be merged."""
    if not isinstance(model, (*_MERGED, OnlinePerceptron)):
        raise TypeError(
            "model must be ClippedHebb, BinaryPerceptron, BayesPerceptron, "
            "BinaryBayesPerceptron or OnlinePerceptron, whose pieces can be joined, "
            f"got {type(model).__name__}"
        )
    if getattr(model, "half_life", None) is not None:
        raise ValueError(
            "half_life must be None for pieces that are learned side by side, since "
            f"none is older than another, got {model.half_life!r}"
        )
    if model.warm_start and hasattr(model, "classes_"):
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


def _classes_in(pieces: Sequence[Any], steps: Steps) -> npt.NDArray[Any]:
    """Return all labels of all pieces, sorted."""
    found = steps.run("labels", _labels, pieces, np.union1d)
    return two_or_more("y", np.empty(0) if found is None else found)


def _labels(piece: Any, shared: None) -> npt.NDArray[Any] | None:
    found: npt.NDArray[Any] = piece.labels()
    return found if found.size else None


def _learned(
    model: Any, pieces: Sequence[Any], classes: npt.NDArray[Any], steps: Steps
) -> LearnedModel:
    """Return a copy of a model that has learned all pieces.

    A perceptron learns in rounds; each begins with the mean of the weights of all
    pieces. The clock of a piece begins with the examples of all pieces in all rounds
    before, and counts its own from there.
    """
    found = _round(0, clone(model), pieces, classes, steps)
    if isinstance(model, OnlinePerceptron):
        rounds = whole("max_iter", model.max_iter, low=1)
        record = found.record
        for number in range(1, rounds):
            before = found.model._learner.counts
            found = _round(number, found.model, pieces, classes, steps)
            gained = found.model._learner
            found.model._learner = gained._replace(counts=before + gained.counts)
        found.model.n_iter_ = rounds
        return found._replace(record=record)
    if not isinstance(model, BinaryPerceptron):
        return found
    now = steps.run(
        "thresholds", _with_threshold, pieces, _joined_thresholds, found.model
    )
    if not now.threshold_found_.all():
        share = f"1 - eps/4 = {1 - now.eps / 4:g}"
        warnings.warn(NO_THRESHOLD.format(share), ConvergenceWarning, stacklevel=3)
    return found._replace(model=now)


def _round(
    number: int,
    model: Any,
    pieces: Sequence[Any],
    classes: npt.NDArray[Any],
    steps: Steps,
) -> LearnedModel:
    """Let copies of a model learn all pieces, and merge them."""
    task = functools.partial(_learn_piece, classes=classes)
    found: LearnedModel | None = steps.run(
        f"round {number + 1}", task, pieces, _joined, model
    )
    if found is None:
        raise ValueError("X must have a row or more, got none")
    return found


def _learn_piece(
    piece: Any, model: Any, classes: npt.NDArray[Any]
) -> LearnedModel | None:
    """Let a copy of a model learn a piece; a perceptron returns the counts it adds."""
    twin = copy.copy(model)
    known = hasattr(model, "classes_")
    with warnings.catch_warnings():
        # of what a piece alone does not tell
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DataConversionWarning)
        record = piece.learn(twin, classes)
    rows = 0 if not hasattr(twin, "classes_") else twin.t_ - (model.t_ if known else 0)
    if not rows:
        return None
    if known:
        gain = twin._learner.counts - model._learner.counts
        twin._learner = twin._learner._replace(counts=gain)
    return LearnedModel(twin, rows, record)


def _joined(first: LearnedModel, second: LearnedModel) -> LearnedModel:
    """Return the merged result of two groups of pieces."""
    for name in ("n_features_in_", "feature_names_in_"):
        ours, theirs = (getattr(each.model, name, None) for each in (first, second))
        if ours is None or theirs is None or np.array_equal(ours, theirs):
            continue
        ours, theirs = np.asarray(ours).tolist(), np.asarray(theirs).tolist()
        raise ValueError(
            f"all pieces must have the same columns, got {ours} and {theirs}"
        )
    model = copy.copy(first.model)
    rows = first.rows + second.rows
    if isinstance(model, OnlinePerceptron):
        a, b = first.model._learner, second.model._learner
        weights = a.weights + (b.weights - a.weights) * (second.rows / rows)
        model._learner = Learner(weights, a.sums, a.counts + b.counts)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.merge(second.model)
    return LearnedModel(model, rows, _both(first.record, second.record, operator.add))


def _with_threshold(piece: Any, model: BinaryPerceptron) -> BinaryPerceptron | None:
    """Return the model with the threshold for one piece."""
    batches = piece.batches()
    first = next(batches, None)
    if first is None:
        return None
    twin: BinaryPerceptron = copy.copy(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return twin.fit_threshold(itertools.chain([first], batches))


def _joined_thresholds(
    first: BinaryPerceptron, second: BinaryPerceptron
) -> BinaryPerceptron:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return copy.copy(first).merge_threshold(second)


def _both(first: Any, second: Any, join: Callable[[Any, Any], Any]) -> Any:
    """Return two results as one; None counts for nothing."""
    if first is None or second is None:
        return second if first is None else first
    return join(first, second)


def reduce_tree(
    results: Iterable[tuple[int, Any]], count: int, join: Callable[[Any, Any], Any]
) -> Any:
    """Return the joined results; each is joined as soon as its neighbour has come.

    Parameters
    ----------
    results
        Numbers from 0 and results, in any order. A result that is None is that of a
        piece without rows.
    count
        Number of results.
    join
        A function of two results.

    Examples
    --------
    >>> pieces = list(enumerate("abcdefg"))
    >>> reduce_tree(pieces, 7, lambda a, b: f"({a}{b})")
    '(((ab)(cd))((ef)g))'
    >>> reduce_tree(reversed(pieces), 7, lambda a, b: f"({a}{b})")
    '(((ab)(cd))((ef)g))'
    """
    waiting: dict[tuple[int, int], Any] = {}  # by how many there are on the level
    root = None
    for number, result in results:
        place, size, now = number, count, result
        while size > 1:
            other = place ^ 1
            if other < size:  # else it is left over, and goes up as it is
                if (size, other) not in waiting:
                    waiting[size, place] = now
                    break
                found = waiting.pop((size, other))
                now = _both(*((found, now) if other < place else (now, found)), join)
            place, size = place // 2, (size + 1) // 2
        else:
            root = now
    return root


class Steps:
    """Tasks on all pieces, by this process or Dask workers, and stored results.

    Parameters
    ----------
    client
        A client of Dask; None for this process.
    model
        The model, before it has learned anything.
    folder
        Folder of the results of pieces; None to store none.
    bar
        Progress bar.
    stopped
        A function that is called repeatedly; True stops the tasks.
    """

    def __init__(
        self,
        client: Any = None,
        model: Any = None,
        folder: Path | None = None,
        bar: TrainingBar | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._client, self._model, self._folder = client, model, folder
        self._bar, self._stopped, self._rows = bar, stopped, 0.0

    def open(self, given: Options, files: list[Any], resume: bool) -> None:
        """Begin a run, or resume one with the same options and files."""
        if self._folder is None:
            return
        path = self._folder / "run.json"
        if resume and path.is_file():
            try:
                before = json.loads(path.read_text())
                options = dict(before["options"])
            except (ValueError, TypeError, LookupError):
                raise ValueError(f"{path} is damaged: remove {self._folder}") from None
            check_same(given, options, self._folder)
            if files != before.get("files"):
                raise ValueError(
                    f"cannot resume from {self._folder}: files have changed since"
                )
            return
        self.close()
        self._folder.mkdir()
        content = {"options": given.as_dict(), "files": files}
        write_whole(path, json.dumps(content).encode())

    def close(self) -> None:
        """Remove what is stored."""
        if self._folder is not None and self._folder.is_dir():
            shutil.rmtree(self._folder)

    def run(
        self,
        step: str,
        task: Callable[[Any, Any], Any],
        pieces: Sequence[Any],
        join: Callable[[Any, Any], Any],
        shared: Any = None,
    ) -> Any:
        """Return the joined results of a task on every piece.

        Parameters
        ----------
        step
            The name of the step.
        task
            A function of a piece and of what all tasks share.
        pieces
            The pieces, in their order.
        join
            A function of two results.
        shared
            Sent to each worker once.
        """
        with closing(self._each(step, task, pieces, shared)) as results:
            return reduce_tree(results, len(pieces), join)

    def _each(
        self, step: str, task: Any, pieces: Sequence[Any], shared: Any
    ) -> Generator[tuple[int, Any]]:
        """Yield numbers of pieces with their results, those that are stored first."""
        stored = {i: self._read(f"{step} {i}") for i in range(len(pieces))}
        left = [i for i, result in stored.items() if result is _NOTHING]
        known = ((i, r) for i, r in stored.items() if r is not _NOTHING)
        record = None
        new = self._results(task, {i: pieces[i] for i in left}, shared)
        for done, (number, result) in enumerate(itertools.chain(known, new), 1):
            if stored[number] is _NOTHING:
                self._write(f"{step} {number}", result)
            if isinstance(result, LearnedModel):
                self._rows += result.rows
                record = _both(record, result.record, operator.add)
            if self._bar is not None:
                before = f"{step}: {done} of {len(pieces)} pieces, "
                share = done / len(pieces)
                self._bar.update_record(
                    record or Record(), int(self._rows), share, before
                )
            yield number, result
            self._check()

    def _results(
        self, task: Any, pieces: dict[int, Any], shared: Any
    ) -> Iterator[tuple[int, Any]]:
        if self._client is None:
            for number, piece in pieces.items():
                values = piece.waiting and client_of.dask.compute(*piece.waiting)
                yield number, _work(task, piece, shared, *values)
            return
        # What is shared is a task of its own: Dask computes it again if it was lost
        # with a worker, which it cannot do with data that were scattered.
        sent = self._client.submit(_itself, shared, pure=False)
        pool = parallel.Cluster(self._client)
        try:
            work = functools.partial(_work, task)
            tasks = (
                (number, work, piece, sent, *self._client.compute(list(piece.waiting)))
                for number, piece in pieces.items()
            )
            for number, result in parallel.completed(tasks, pool, tick=self._check):
                if isinstance(result, parallel.Died):
                    raise RuntimeError(
                        "workers of Dask died again and again while they learned "
                        f"{pieces[number]}, perhaps for lack of memory"
                    )
                yield number, result
        finally:
            pool.close()

    def _check(self) -> None:
        """Raise TrainingInterrupted if an interrupt was asked for."""
        if self._stopped():
            rows = f"interrupted after {self._rows:.0f} rows"
            if self._folder is None:
                raise TrainingInterrupted(f"{rows}; nothing was stored")
            raise TrainingInterrupted(
                f"{rows}; what was learned is in {self._folder}; go on with --resume"
            )

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{name.replace(' ', '-')}.safetensors"

    def _write(self, name: str, result: Any) -> None:
        if self._folder is None:
            return
        model, extra = self._model, {}
        if isinstance(result, LearnedModel):
            record = None if result.record is None else result.record.as_dict()
            model, extra = result.model, {"rows": result.rows, "record": record}
        elif result is None or isinstance(result, np.ndarray):
            extra = {"labels": None if result is None else result.tolist()}
        else:
            model = result
        save_model(model, self._path(name), extra=extra)

    def _read(self, name: str) -> Any:
        if self._folder is None or not self._path(name).is_file():
            return _NOTHING
        path = self._path(name)
        try:
            parts = parts_of(self._model)
            model, extra = load_model(path, parts=parts, with_extra=True)
            if "labels" in extra:
                labels = extra["labels"]
                return None if labels is None else np.array(labels)
            if not extra:
                return model
            record = extra["record"]
            many = len(model.classes_)
            known = None if record is None else Record.from_dict(record, many)
            return LearnedModel(model, extra["rows"], known)
        except (ModelFileError, ValueError, TypeError, LookupError) as failure:
            warnings.warn(f"{path}: {failure}; learned again", stacklevel=2)
            return _NOTHING


def _itself(value: Any) -> Any:
    return value


def _work(task: Any, piece: Any, shared: Any, *values: Any) -> Any:
    """Run a task on a piece, with the values that it has waited for."""
    return task(piece.filled(values) if values else piece, shared)


@dataclass(frozen=True)
class FilePiece:
    """A file or some of its rows, read by the process that learns from it."""

    number: int
    options: Options  # of this file alone
    first: int = 0
    stop: int | None = None  # where another piece begins
    encoder: Encoder | None = None  # not known while labels are looked for
    skip: bool = False  # bad rows, instead of stopping
    waiting = ()

    def __str__(self) -> str:
        whole = self.first == 0 and self.stop is None
        return self.options.files[0] + ("" if whole else f", rows from {self.first}")

    def labels(self) -> npt.NDArray[Any]:
        """Return all labels of the piece, as text."""
        sources, found = Sources(self.options), set[str]()
        for labels, end in sources.labels(0, Place(self.first, self.first)):
            found.update(labels)
            check_labels(self.options.files[0], sources.target, found)
            if self.stop is not None and end.offset >= self.stop:
                break
        return np.array(sorted(found))

    def batches(self) -> Iterator[tuple[Any, Any, Any]]:
        """Return the rows that can be learned, some at a time."""
        for sources, rows, _ in self._encoded():
            if len(rows.codes) and (rows.weights is None or rows.weights.any()):
                yield rows.X, self._labels_of(sources, rows), rows.weights

    def learn(self, model: Any, classes: npt.NDArray[Any]) -> Record:
        """Let a model learn the rows; each row is predicted before it is learned."""
        record = Record()
        for sources, rows, end in self._encoded():
            record.skip(rows.bad, (str(sources.error(0, bad)) for bad in rows.bad))
            record.found(rows)
            if not len(rows.codes):
                continue
            labels = self._labels_of(sources, rows)
            try:
                judged = learn_batch(
                    model, rows.X, labels, rows.weights, classes, self.options.costs
                )
            except _FAULTS as failure:
                table = sources.table(0)
                raise ValueError(
                    f"{table.name}, a batch up to {table.unit} {end.line}: {failure}"
                ) from failure
            record.learned(len(rows.codes), judged)
        record.curve.clear()  # of a model that has seen this file alone
        return record

    def _labels_of(self, sources: Sources, rows: Encoded) -> Any:
        assert self.encoder is not None
        return sources.labels_of(self.encoder, rows)

    def _encoded(self) -> Iterator[tuple[Sources, Encoded, Position]]:
        """Yield the batches of the piece, each with its end."""
        assert self.encoder is not None
        sources = Sources(self.options, width=self.encoder.width)
        start = Position(0, 0, self.first, self.first)
        for rows, end in sources.batches(self.encoder, start):
            if rows.bad and not self.skip:
                raise sources.error(0, rows.bad[0])
            yield sources, rows, end
            if self.stop is not None and end.offset >= self.stop:
                break


def _file_pieces(given: Options) -> list[FilePiece]:
    """Return the pieces of all files, in their order."""
    found: list[FilePiece] = []
    for name in given.files:
        own = replace(given, files=(os.path.abspath(name),), passes=1)
        starts = [0]
        if (given.format or format_of(name)) in _CUT:
            sources = Sources(own)
            rows = given.piece_rows or PIECE_ROWS
            starts = cuts(sources.table(0), rows, sources.batch_rows)
        for first, stop in zip(starts, [*starts[1:], None], strict=True):
            found.append(FilePiece(len(found), own, first, stop))
    return found


@dataclass(frozen=True)
class DataPiece:
    """Rows in memory, or rows that a function without arguments returns.

    Parameters
    ----------
    number
        Its place among all pieces.
    source
        A pair of rows and labels, a triple with weights, or a function that returns
        such a pair, triple, or an iterator over some.
    only_labels
        A function that returns the labels alone, if that is cheaper.
    waiting
        Values that Dask must compute first. They become the source, or the argument of
        the function that is the source.
    """

    number: int
    source: Any
    only_labels: Callable[[], Any] | None = None
    waiting: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"piece {self.number}"

    def filled(self, values: tuple[Any, ...]) -> DataPiece:
        """Return the piece with the values that it has waited for."""
        source = values[0] if len(values) == 1 else values
        if self.source is not None:
            source = functools.partial(self.source, source)
        return replace(self, source=source, waiting=())

    def labels(self) -> npt.NDArray[Any]:
        """Return the labels of rows with a positive weight, sorted."""
        if self.only_labels is not None:
            return np.unique(np.asarray(self.only_labels()))
        found = [np.empty(0)]
        for _, y, weights in self.batches():
            labels = np.asarray(y)
            found.append(
                labels if weights is None else labels[np.asarray(weights) != 0]
            )
        return np.unique(np.concatenate(found[1:] or found))

    def batches(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the rows in their order, in batches that are not empty."""
        given = self.source() if callable(self.source) else self.source
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

    def learn(self, model: Any, classes: npt.NDArray[Any]) -> None:
        """Let a model learn these rows."""
        first = 0
        for X, y, weights in self.batches():
            new = {} if hasattr(model, "classes_") else {"classes": classes}
            try:
                model.partial_fit(X, y, sample_weight=weights, **new)
            except _FAULTS as failure:
                row = _bad_row(X, y, classes)
                where = "" if row is None else f", row {first + row}"
                raise ValueError(f"{self}{where}: {failure}") from failure
            first += _rows_of(X)


def _rows_of(X: Any) -> int:
    """Return the number of rows of a table of any kind."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _bad_row(X: Any, y: Any, classes: npt.NDArray[Any]) -> int | None:
    """Return the first row that no model can learn, if one is found."""
    bad = ~np.isin(np.asarray(y), classes)
    if issparse(X):
        table: Any = X
        entries = table.tocoo()
        bad[entries.row[~np.isfinite(entries.data)]] = True
    elif not isinstance(X, Bits):
        try:
            bad |= ~np.isfinite(np.asarray(X, dtype=np.float64)).all(axis=1)
        except _FAULTS:  # not numbers at all, which the failure says
            return None
    return int(bad.argmax()) if bad.any() else None


def _pieces_of(X: Any, y: Any, sample_weight: Any) -> tuple[list[DataPiece], bool]:
    """Return the pieces, and whether they are of Dask."""
    if hasattr(X, "__dask_graph__") and not hasattr(X, "key"):
        return _collection_pieces(X, y, sample_weight), True
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
    found, lazy = [], False
    for number, item in enumerate(given):
        parts = list(item) if isinstance(item, tuple | list) else [item]
        if any(map(_is_lazy, parts)):
            lazy = True
            found.append(_lazy_piece(number, parts))
        elif isinstance(item, tuple | list | Callable):
            found.append(DataPiece(number, item))
        else:
            raise TypeError(
                f"piece {number} must be a pair of rows and labels, a triple with "
                "weights, or a function that returns one, got "
                f"{type(item).__name__}"
            )
    return found, lazy


def _is_lazy(value: Any) -> bool:
    """Return whether Dask has a value, or is to compute it."""
    return hasattr(value, "__dask_graph__") or hasattr(value, "add_done_callback")


def _client_in_force() -> Any:
    """Return the client that Dask would take; None if it would start threads."""
    client_of.check_installed()
    owner = getattr(client_of.dask.base.get_scheduler(), "__self__", None)
    return owner if isinstance(owner, client_of.distributed.Client) else None


class Subgraph(NamedTuple):
    """The part of a Dask graph that computes one piece.

    It is computed by the one task that learns the piece, so that rows are never sent
    from one worker to another.
    """

    graph: dict[Any, Any]
    keys: list[Any]

    @classmethod
    def of(cls, full: dict[Any, Any], parts: Sequence[Any]) -> Subgraph:
        """Return the part of a graph that some delayed values need."""
        keys = [part.key for part in parts]
        return cls(dict(client_of.dask.optimization.cull(full, keys)[0]), keys)

    def __call__(self) -> Any:
        """Return the values; one alone if there is one key."""
        found = client_of.dask.get(self.graph, self.keys)
        return found[0] if len(found) == 1 else tuple(found)


def _lazy_piece(number: int, parts: list[Any]) -> DataPiece:
    """Return a piece whose rows, labels or both are yet to be computed."""
    client_of.check_installed()
    lazy = [part for part in parts if _is_lazy(part)]
    if len(lazy) < len(parts) or client_of.distributed.futures_of(lazy):
        return DataPiece(number, None, waiting=tuple(parts))
    graph = {k: v for part in lazy for k, v in dict(part.__dask_graph__()).items()}
    return DataPiece(number, Subgraph.of(graph, lazy))


def _collection_pieces(X: Any, y: Any, sample_weight: Any) -> list[DataPiece]:
    """Return the chunks of rows of Dask's arrays, or the partitions of dataframes."""
    client_of.check_installed()
    if isinstance(y, str):
        if not hasattr(X, "divisions") or y not in X.columns:
            raise ValueError(f"y must be a column of X, or labels, got {y!r}")
        if sample_weight is not None:
            raise ValueError(
                "sample_weight cannot be given if y is the name of a column"
            )
        split = functools.partial(_split, target=y)
        return _block_pieces([X], X[y], split)
    if y is None:
        raise ValueError("y must be given with a collection of Dask, got None")
    parts = [X]
    for name, other in (("y", y), ("sample_weight", sample_weight)):
        if other is not None:
            parts.append(_like(X, name, other))
    # the weights decide which labels count
    return _block_pieces(parts, parts[1] if len(parts) == 2 else None, None)


def _like(X: Any, name: str, other: Any) -> Any:
    """Return labels or weights in chunks like those of X."""
    if not client_of.dask.is_dask_collection(other):
        raise TypeError(
            f"{name} must be a collection of Dask as X is, got {type(other)}"
        )
    if hasattr(other, "numblocks") and other.ndim != 1:
        if other.ndim != 2 or other.shape[1] != 1:
            raise ValueError(f"{name} must be one column, got the shape {other.shape}")
        other = other[:, 0]
    sizes = getattr(X, "chunks", ((np.nan,),))[0]
    if hasattr(other, "rechunk") and not np.isnan(sizes).any():
        if other.shape[0] != sum(sizes):
            raise ValueError(
                f"{name} must have {sum(sizes)} rows as X has, got {other.shape[0]}"
            )
        other = other.rechunk((sizes,))
    here, there = (
        each.numblocks[0] if hasattr(each, "numblocks") else each.npartitions
        for each in (X, other)
    )
    if here != there:
        raise ValueError(f"{name} must have {here} chunks as X has, got {there}")
    return other


def _split(source: Any, target: str) -> tuple[Any, Any]:
    """Return rows and labels of a dataframe in which the labels are a column."""
    frame = source() if callable(source) else source
    return frame.drop(columns=target), frame[target]


def _block_pieces(parts: list[Any], labels: Any, split: Any) -> list[DataPiece]:
    """Return pieces that are computed by the worker that learns them."""
    held = bool(client_of.distributed.futures_of(parts))
    blocks = [_blocks(part) for part in parts]
    full = {k: v for each in blocks for k, v in dict(each[0].__dask_graph__()).items()}
    own = None if labels is None else _blocks(labels)
    graph = {} if own is None else dict(own[0].__dask_graph__())
    found = []
    for i, values in enumerate(zip(*blocks, strict=True)):
        if held:
            found.append(DataPiece(i, split, waiting=values))
            continue
        data: Any = Subgraph.of(full, values)
        source = data if split is None else functools.partial(split, data)
        only: Any = None if own is None else Subgraph.of(graph, [own[i]])
        found.append(DataPiece(i, source, only))
    return found


def _blocks(collection: Any) -> list[Any]:
    """Return the chunks of rows of a collection, not computed yet."""
    if not hasattr(collection, "numblocks"):
        return list(collection.to_delayed())
    if collection.ndim == 2 and collection.numblocks[1] != 1:
        collection = collection.rechunk({1: -1})
    return list(collection.to_delayed().ravel())
