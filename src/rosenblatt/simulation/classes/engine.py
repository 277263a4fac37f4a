r"""Learning from labelled classes: many replicas, several schedules on one stream.

With features :math:`x` and label :math:`y = \pm 1`,

.. math:: w \leftarrow (1 - \mathrm{decay})\, w + \mathrm{gain}\, x,  \tag{1}

where gain and decay are the rule's. There is no scaling with the number of weights:
a schedule's ``time`` and ``mistakes`` are plain numbers, and rules see ``dim = 1``. A
mistake is :math:`y\, w \cdot x \le 0`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.core import Rule
from rosenblatt.core.trace import installed
from rosenblatt.core.types import FloatArray
from rosenblatt.simulation.classes.replica import Replica
from rosenblatt.simulation.classes.task import ClassesTask, Schedules, classes_task
from rosenblatt.simulation.ensemble import Batch, run_replicas
from rosenblatt.simulation.run import Run
from rosenblatt.streams import TwoClasses

__all__ = ["simulate_classes"]

_ABOUT = {
    "weights": "weights of the student",
    "error": "probability that the student's sign is not the label",
    "test_error": "share of a test set that the student gets wrong",
    "mistakes": "mistakes so far",
}


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
    run = Run.at_examples(examples, replicas, seed, workers, progress)
    task = classes_task(
        rule, schedules, stream, start=start, tests=tests, names=names, run=run
    )

    def begin(replicas: range) -> Batch:
        (index,) = replicas
        return Replica(task, index).batch

    return _result(task, run_replicas(task, "classes", begin, most=1))


def _result(task: ClassesTask, records: FloatArray) -> xr.Dataset:
    """Label the records."""
    run = task.run
    shape = (run.replicas, run.marks.size, len(task.schedules), task.student_size)
    numbers = np.ascontiguousarray(records.reshape(shape).swapaxes(1, 2))
    weights = np.ascontiguousarray(numbers[..., :-2])
    each = ("replica", "schedule", "example")
    variables: dict[str, tuple[tuple[str, ...], Any]] = {
        "weights": ((*each, "weight"), weights),
        "error": (each, task.stream.error(weights)),
        "mistakes": (each, np.ascontiguousarray(numbers[..., -2])),
    }
    if task.tests > 0:
        variables["test_error"] = (each, numbers[..., -1] / (2 * task.tests))
    attributes: dict[str, Any] = {}
    if task.stream.solvable:
        attributes["bayes_error"] = task.stream.bayes_error
    return xr.Dataset(
        {
            name: (dims, values, {"long_name": _ABOUT[name]})
            for name, (dims, values) in variables.items()
        },
        coords={
            "replica": np.arange(run.replicas),
            "schedule": list(task.schedules),
            "example": ("example", run.marks, {"long_name": "examples"}),
            "weight": np.arange(task.stream.features),
        },
        attrs={
            "engine": "classes",
            "rule": repr(task.rule),
            "stream": repr(task.stream),
            "seed": run.seed,
            **attributes,
            "version": installed(),
            "spec": json.dumps(task.describe()),
        },
    )
