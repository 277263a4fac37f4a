r"""Learning from labelled classes: many replicas, several schedules on one stream.

With features :math:`x` and label :math:`y = \pm 1`,

.. math:: w \leftarrow (1 - \mathrm{decay})\, w + \mathrm{gain}\, x,  \tag{1}

where gain and decay are the rule's. There is no scaling with the number of weights:
a schedule's ``time`` and ``mistakes`` are plain numbers, and rules see ``dim = 1``. A
mistake is :math:`y\, w \cdot x \le 0`.

Examples are drawn a few thousand at a time. All students of a replica then learn from
them, one after the other, so that the examples stay in the cache. Students that move on
mistakes only look for the next one among several examples at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.compiling import compiled, kernel, types
from rosenblatt.compiling.eights import (
    EIGHT,
    first_not_positive,
    load,
    same_eight,
)
from rosenblatt.compiling.jit import inlined
from rosenblatt.compiling.pointers import address, rate_at, step_at
from rosenblatt.core import Clock, Percept, Rule, Schedule
from rosenblatt.core.arguments import part, shown, whole
from rosenblatt.core.trace import installed
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    RECORDED,
    Batch,
    Run,
    broken,
)
from rosenblatt.simulation.experiment import Engine, Experiment, broken_update
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import RefusalError, ScheduleLike, schedule_of
from rosenblatt.streams import TwoClasses
from rosenblatt.streams.two_classes import BLOCK, EACH, ROLES, TESTS, draw_features

__all__ = ["ClassesExperiment", "classes_experiment", "simulate_classes"]

Schedules = ScheduleLike | Iterable[ScheduleLike] | Mapping[str, ScheduleLike]


_ABOUT = {
    "weights": "weights of the student",
    "error": "probability that the student's sign is not the label",
    "test_error": "share of a test set that the student gets wrong",
    "mistakes": "mistakes so far",
}


@dataclass(frozen=True, eq=False)
class ClassesExperiment(Experiment):
    """Students that learn to tell two classes, one for each schedule."""

    rule: Rule
    schedules: dict[str, Schedule]
    stream: TwoClasses
    start: FloatArray
    tests: int  # of each class

    @property
    def student_size(self) -> int:
        """Numbers of one student's record: weights, mistakes, errors in the tests."""
        return self.stream.features + 2

    @property
    def record_size(self) -> int:
        """Numbers of a replica's record: those of one student for each schedule."""
        return len(self.schedules) * self.student_size

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        return f"{len(self.schedules)} schedules"

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for an update that is not finite."""
        place = self.run.place(replica, example)
        return broken_update(self.rule, self.schedules, place, fault)

    @property
    def spec(self) -> dict[str, Any]:
        """Name of the public function and its arguments, as plain data."""
        return describe(
            "simulate_classes",
            rule=self.rule,
            schedules=list(self.schedules.values()),
            names=list(self.schedules),
            stream=self.stream,
            **self.run.numbers,
            start=self.start,
            tests=self.tests,
        )

    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records with their labels, and exact errors."""
        run = self.run
        shape = (run.replicas, run.marks.size, len(self.schedules), self.student_size)
        numbers = np.ascontiguousarray(records.reshape(shape).swapaxes(1, 2))
        weights = np.ascontiguousarray(numbers[..., :-2])
        each = ("replica", "schedule", "example")
        variables: dict[str, tuple[tuple[str, ...], Any]] = {
            "weights": ((*each, "weight"), weights),
            "error": (each, self.stream.error(weights)),
            "mistakes": (each, np.ascontiguousarray(numbers[..., -2])),
        }
        if self.tests > 0:
            variables["test_error"] = (each, numbers[..., -1] / (2 * self.tests))
        attributes: dict[str, Any] = {}
        if self.stream.solvable:
            attributes["bayes_error"] = self.stream.bayes_error
        return xr.Dataset(
            {
                name: (dims, values, {"long_name": _ABOUT[name]})
                for name, (dims, values) in variables.items()
            },
            coords={
                "replica": np.arange(run.replicas),
                "schedule": list(self.schedules),
                "example": ("example", run.marks, {"long_name": "examples"}),
                "weight": np.arange(self.stream.features),
            },
            attrs={
                "engine": engine,
                "rule": repr(self.rule),
                "stream": repr(self.stream),
                "seed": run.seed,
                **attributes,
                "version": installed(),
                "spec": json.dumps(self.spec),
            },
        )


def _named(schedules: Schedules, names: Iterable[str] | None) -> dict[str, Schedule]:
    """Return the schedules by the given names, or by their representations."""
    if isinstance(schedules, Mapping):
        names, listed = list(schedules), list(schedules.values())
    elif callable(schedules) or not isinstance(schedules, Iterable):
        listed = [schedules]
    else:
        listed = list(schedules)
    parts = [schedule_of(schedule) for schedule in listed]
    labels = [repr(p) for p in parts] if names is None else [str(n) for n in names]
    if len(labels) != len(parts):
        raise ValueError(
            f"names must be {len(parts)}, one for each schedule, got {labels}"
        )
    found = dict(zip(labels, parts, strict=True))
    if not parts or len(found) < len(parts):
        raise ValueError(
            f"schedules must be one or more, all different, got {shown(schedules)}"
        )
    return found


def _first(start: npt.ArrayLike | None, features: int) -> FloatArray:
    """Return the first weights."""
    if start is None:
        return np.zeros(features)
    try:
        given = np.array(start, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"start must be {features} numbers, got {shown(start)}"
        ) from None
    if given.shape != (features,) or not np.isfinite(given).all():
        raise ValueError(
            f"start must be {features} finite numbers, one for each feature, "
            f"got {shown(start)}"
        )
    return given


def classes_experiment(
    rule: Rule,
    schedules: Schedules,
    stream: TwoClasses,
    *,
    start: npt.ArrayLike | None,
    tests: int,
    names: Iterable[str] | None,
    examples: float | Iterable[float],
    **numbers: Any,
) -> ClassesExperiment:
    """Check the arguments of ``simulate_classes``."""
    run = Run.at_examples(examples, **numbers)
    part("rule", Rule, rule)
    part("stream", TwoClasses, stream)
    if rule.shift is not None:
        raise RefusalError(
            f"rule {rule!r} has a shift, which is not known for labelled classes; "
            "take the rule without, or rosenblatt.OnlinePerceptron"
        )
    rule.check_dim(1)  # examples are not counted per weight
    found = ClassesExperiment(
        run,
        rule,
        _named(schedules, names),
        stream,
        _first(start, stream.features),
        whole("tests", tests, low=0),
    )
    for each in (rule, *found.schedules.values()):
        compiled(each)  # what does not compile fails before anything runs
    return found


_BLOCKS = 8  # drawn at a time, fewer of many features:
_NUMBERS = 2**16  # some hundred kilobytes
_PIECE = 4_000_000  # products a call: some hundredths of a second

_f, _i = types.float64, types.int64
_COLUMNS = _f[:, ::1]  # (feature, example)


@inlined
def _next_mistake(
    X: FloatArray, labels: FloatArray, w: FloatArray, row: int, stop: int
) -> int:
    """Return the first row from this one on that is a mistake, or ``stop``."""
    columns = X.shape[1]
    while row + EIGHT <= stop:
        field = same_eight(0.0)
        for i in range(w.size):
            field = field + same_eight(w[i]) * load(X, i * columns + row)
        ahead: int = first_not_positive(field * load(labels, row))
        if ahead < EIGHT:
            return row + ahead
        row += EIGHT  # a constant: the next eight need not wait for these
    while row < stop:
        h = 0.0
        for i in range(w.size):
            h += w[i] * X[i, row]
        if labels[row] * h <= 0.0:
            return row
        row += 1
    return row


@kernel(
    types.void,
    _i,
    _i,
    types.boolean,
    _COLUMNS,
    _f[::1],
    _i,
    _i,
    _f[::1],
    _i[::1],
    _f[::1],
)
def _learn(
    rule: int,
    schedule: int,
    mistakes_only: bool,
    X: FloatArray,
    labels: FloatArray,
    start: int,
    stop: int,
    w: FloatArray,
    counts: IntArray,
    fault: FloatArray,
) -> None:
    """Show examples to one student: eq. (1) of ``classes``.

    Rule and schedule are addresses: to pass functions takes longer than to learn.
    """
    step, rate = step_at(rule), rate_at(schedule)
    size, examples, mistakes = w.size, counts[EXAMPLES] - start, counts[MISTAKES]
    q = 0.0
    for i in range(size):
        q += w[i] * w[i]
    row = start
    while row < stop:
        if mistakes_only:
            row = _next_mistake(X, labels, w, row, stop)
            if row == stop:
                break
        y, h, x2 = labels[row], 0.0, 0.0
        for i in range(size):
            h += w[i] * X[i, row]
            x2 += X[i, row] * X[i, row]
        if y * h <= 0.0:
            mistakes += 1
        row += 1
        eta = rate(Clock(float(examples + row), float(mistakes), 1.0))
        p = Percept(h, y, q, x2, eta, 1.0, 0.0)
        u = step(p)
        if broken(p, u, counts, fault):
            counts[EXAMPLES] = examples + row
            return
        q = 0.0
        for i in range(size):
            w[i] = (1.0 - u.decay) * w[i] + u.gain * X[i, row - 1]
            q += w[i] * w[i]
    counts[EXAMPLES], counts[MISTAKES] = examples + stop, mistakes


@kernel(_i, _COLUMNS, _f[::1], _f[::1])
def _wrong(X: FloatArray, labels: FloatArray, w: FloatArray) -> int:
    """Return the number of mistakes on a test set."""
    wrong = 0
    for row in range(labels.size):
        h = 0.0
        for i in range(w.size):
            h += w[i] * X[i, row]
        if labels[row] * h <= 0.0:
            wrong += 1
    return wrong


class Replica:
    """The students of one replica, one for each schedule, on their way."""

    def __init__(self, task: ClassesExperiment, index: int) -> None:
        self.task = task
        self.batch = Batch(1, task.run.marks, task.record_size)
        self.batch.advance = self.advance
        rates = [address(schedule) for schedule in task.schedules.values()]
        self.functions = [(address(task.rule), rate) for rate in rates]
        self.law = task.stream.law()
        self.weights = np.tile(task.start, (len(rates), 1))
        # examples, mistakes and faults of each student, as the ensemble knows them
        self.counts = np.zeros((len(rates), self.batch.counts.shape[1]), np.int64)
        self.words = task.run.generators(range(index, index + 1), ROLES)[0]
        features, dim = task.stream.features, task.stream.dim
        few = min(_BLOCKS, 1 + int(task.run.marks[-1]) // BLOCK)
        size = max(1, min(few, _NUMBERS // (features * BLOCK))) * BLOCK
        self.X, self.labels = np.empty((features, size)), np.empty(size)
        # of an input by its root, of a field, and some for the random numbers
        self.pieces = max(1, _PIECE // (size * (dim * dim + 8 * features)))
        self.tests = self._draw_tests()

    def _draw_tests(self) -> tuple[FloatArray, FloatArray]:
        """Return a test set with as many examples of each class."""
        task = self.task
        wanted = 2 * task.tests
        size = -(-wanted // BLOCK) * BLOCK
        X, labels = np.empty((task.stream.features, size)), np.empty(size)
        balanced = self.law._replace(prior=EACH)
        draw_features(self.words[TESTS:], balanced, 0, X, labels)
        return np.ascontiguousarray(X[:, :wanted]), labels[:wanted]

    def advance(self) -> None:
        """Go on for a piece of work."""
        shared = self.batch.counts[0]
        for _ in range(self.pieces):
            if self.batch.done or shared[FAULT]:
                return
            first = int(shared[EXAMPLES]) // BLOCK
            draw_features(self.words[:TESTS], self.law, first, self.X, self.labels)
            self._learn_all()

    def _learn_all(self) -> None:
        """Present all drawn examples to all students, and record at the marks."""
        shared, marks = self.batch.counts[0], self.batch.marks
        at = 0
        while True:
            if not self.batch.done and marks[shared[RECORDED]] == shared[EXAMPLES]:
                self._record(int(shared[RECORDED]))
                shared[RECORDED] += 1
                continue
            if self.batch.done or at == self.labels.size:
                return
            left = int(marks[shared[RECORDED]] - shared[EXAMPLES])
            stop = min(self.labels.size, at + left)
            for (rule, schedule), w, counts in zip(
                self.functions, self.weights, self.counts, strict=True
            ):
                _learn(
                    rule,
                    schedule,
                    self.task.rule.mistakes_only,
                    self.X,
                    self.labels,
                    at,
                    stop,
                    w,
                    counts,
                    self.batch.fault[0],
                )
                if counts[FAULT]:
                    shared[[EXAMPLES, FAULT]] = counts[EXAMPLES], 1
                    return
            shared[EXAMPLES] += stop - at
            at = stop

    def _record(self, mark: int) -> None:
        record = self.batch.records[0, mark].reshape(len(self.weights), -1)
        record[:, :-2] = self.weights
        record[:, -2] = self.counts[:, MISTAKES]
        record[:, -1] = [_wrong(*self.tests, w) for w in self.weights]


def _begin(experiment: ClassesExperiment, replicas: range) -> Batch:
    (index,) = replicas
    return Replica(experiment, index).batch


_ENGINE = Engine("classes", _begin, most=1)


def simulate_classes(
    rule: Rule,
    schedules: Schedules,
    stream: TwoClasses,
    *,
    examples: float | Iterable[float],
    replicas: int = 1,
    seed: int = 0,
    start: npt.ArrayLike | None = None,
    tests: int = 0,
    names: Iterable[str] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Simulate students that learn to tell two classes, by eq. (1).

    Parameters
    ----------
    rule
        The learning rule, without a shift.
    schedules
        One schedule, several, or a mapping of names to schedules. All students of a
        replica see the same examples; ``time`` is their number.
    stream
        The classes, see :class:`rosenblatt.streams.TwoClasses`.
    examples
        Numbers of examples after which the state is recorded, increasing; 0 is allowed.
    replicas, seed, workers, progress
        As in :func:`rosenblatt.simulate`. Other schedules do not change a replica.
    start
        The first weights, one for each feature; by default zero.
    tests
        Size of a test set that each replica has, of each class, whatever the prior of
        the stream. The exact error is there without one, and knows the prior.
    names
        Names of the schedules in the result; by default their representations.

    Returns
    -------
    xarray.Dataset
        Dimensions ``replica``, ``schedule``, ``example`` and ``weight``; variables
        ``weights``, ``error`` (exact given the weights), ``mistakes`` and, with tests,
        ``test_error``. The attribute ``bayes_error`` is the least error there can be.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> stream = rb.streams.TwoClasses([(-1, 0), (1, 0)], covariances=1)
    >>> run = rb.simulate_classes(
    ...     rb.rules.Perceptron(), {"slow": rb.schedules.Power(1.0, 0.6),
    ...     "per mistake": rb.schedules.PerMistake()}, stream, examples=[100, 10_000],
    ...     replicas=50)
    >>> dict(run.sizes)
    {'replica': 50, 'schedule': 2, 'example': 2, 'weight': 3}
    >>> bool((run.error >= run.attrs["bayes_error"]).all())
    True
    """
    experiment = classes_experiment(
        rule, schedules, stream, start=start, tests=tests, names=names,
        examples=examples, replicas=replicas, seed=seed, workers=workers,
        progress=progress,
    )  # fmt: skip
    return _ENGINE.run(experiment)
