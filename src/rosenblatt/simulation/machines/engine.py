r"""On-line learning of any thresholded smooth function.

The label of an input is :math:`y = \operatorname{sgn} f(s, w_0)`, wrong with a given
probability; on a mistake,

.. math:: w \leftarrow w + \eta(n)\, y\, \nabla_w f(s, w)
    \quad\text{if}\quad y\, f(s, w) \le 0,  \tag{1}

where :math:`n` is the number of examples, the current one included. Afterwards each
normalised group of weights is rescaled to length 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.core import Machine, VectorStream
from rosenblatt.core.trace import installed
from rosenblatt.core.types import FloatArray
from rosenblatt.simulation.machines import compiled
from rosenblatt.simulation.machines.task import MachineTask, machine_task
from rosenblatt.simulation.run import Run
from rosenblatt.specification.parts import ScheduleLike

__all__ = ["simulate_machine"]

_ABOUT = {
    "weights": "weights of the student",
    "error": "probability that the student's sign is not the label",
    "mistakes": "mistakes so far",
}


def simulate_machine(
    machine: Machine,
    schedule: ScheduleLike,
    target: npt.ArrayLike,
    stream: VectorStream | None = None,
    *,
    examples: float | Iterable[float],
    noise: float = 0.0,
    replicas: int = 1,
    seed: int = 0,
    start: npt.ArrayLike | None = None,
    tests: int = 10_000,
    workers: int | None = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Simulate students that learn a target of their own kind, by eq. (1).

    Parameters
    ----------
    machine
        The dichotomy, see :mod:`rosenblatt.machines`.
    schedule
        The rate, with ``time`` and ``mistakes`` as plain numbers and ``dim`` 1; any
        function of the clock.
    target
        The weights to be learned; normalised groups are rescaled to length 1.
    stream
        The inputs; by default standard normal.
    examples
        Numbers of examples after which the state is recorded, increasing; 0 is allowed.
    noise
        Probability of a wrong label.
    replicas, seed, workers, progress
        As in :func:`rosenblatt.simulate`.
    start
        The first weights, for all replicas or one row for each; by default standard
        normal. Normalised groups are rescaled to length 1.
    tests
        Number of fresh inputs on which the error of a recorded state is measured, where
        the machine does not know it exactly.

    Returns
    -------
    xarray.Dataset
        Dimensions ``replica``, ``example`` and ``parameter``; variables ``weights``,
        ``error`` (the probability that the student's sign is not the label, noise
        included) and ``mistakes``. The attribute ``exact`` is 1 where the error is
        exact, 0 where it is a fraction of tests.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.simulate_machine(
    ...     rb.machines.Ball(), rb.schedules.Power(4.0, 1.0, 10.0), target=[0.0, 0.0],
    ...     examples=[0, 10_000], replicas=100)
    >>> dict(run.sizes), run.attrs["exact"]
    ({'replica': 100, 'example': 2, 'parameter': 2}, 1)
    >>> bool(run.error.mean("replica")[1] < 1e-3)
    True
    """
    run = Run.at_examples(examples, replicas, seed, workers, progress)
    parts = machine, schedule, target, stream
    task = machine_task(*parts, noise=noise, start=start, tests=tests, run=run)
    return _result(task, compiled.records(task))


def _result(task: MachineTask, records: FloatArray) -> xr.Dataset:
    """Label the records, and turn errors in tests into those of labels."""
    size = task.machine.parameters
    weights = np.ascontiguousarray(records[..., :size])
    wrong = records[..., size + 1] / task.tests
    if task.exact:
        rows = weights.reshape(-1, size)
        known = task.machine.error(rows, task.target, task.stream)
        assert known is not None
        wrong = known.reshape(wrong.shape)
    each = ("replica", "example")
    variables = {
        "weights": ((*each, "parameter"), weights),
        "error": (each, task.noise + (1 - 2 * task.noise) * wrong),
        "mistakes": (each, np.ascontiguousarray(records[..., size])),
    }
    return xr.Dataset(
        {
            name: (dims, values, {"long_name": _ABOUT[name]})
            for name, (dims, values) in variables.items()
        },
        coords={
            "replica": np.arange(task.run.replicas),
            "example": ("example", task.run.marks, {"long_name": "examples"}),
            "parameter": np.arange(size),
        },
        attrs={
            "engine": "machine",
            "machine": repr(task.machine),
            "schedule": repr(task.schedule),
            "stream": repr(task.stream),
            "seed": task.run.seed,
            "exact": int(task.exact),
            "version": installed(),
            "spec": json.dumps(task.describe()),
        },
    )
