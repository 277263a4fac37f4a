"""Curves of theory with hostile parts and numbers."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import rosenblatt as rb
from tests.fuzz import hostile
from tests.fuzz.cases import Case, FaultError, Stage
from tests.fuzz.simulate import PARTS, choose

_ALPHA = [1, [1, 10], [0, 1], 0, [], [1, 1], "x", [1e-300, 1], [1, 1e8], -1, {1: 2}]
_FUNCTIONS: dict[str, dict[str, list[Any]]] = {
    "solve": {**PARTS, "alpha": _ALPHA},
    "theory.solve_online": {
        "alpha": _ALPHA,
        "noise": [0.0, 0.1, 0.5, 0.7, -0.1],
        "prior": ["spherical", "binary", "x", None],
    },
    "theory.solve_batch": {
        "alpha": _ALPHA,
        "noise": [0.0, 0.1, 0.5, 0.7, -0.1],
        "prior": ["spherical", "binary", "x", None],
    },
    "theory.critical_alpha": {"noise": [0.0, 0.1, 0.5, 0.7]},
    "theory.calibration": {
        "probability": [0.5, [0.1, 0.9], 0, 1, 1.5, -1, "x", []],
        "overlap": [0.5, 0.9, 1.0, 1.5],
        "norm": [1.0, 2.0, 0.0, -1.0],
        "noise": [0.0, 0.1, 0.5],
        "assumed": [None, 0.1, 0.6],
    },
    "theory.online_asymptote": {"noise": [0.0, 0.1, 0.5, 0.7]},
    "theory.batch_asymptote": {"noise": [0.0, 0.1, 0.5, 0.7]},
    "required_examples": {
        "n": [3, 10, 0, -1, 2**70, 1.5],
        "eps": [0.1, 0.5, 0, 1, 2],
        "delta": [0.1, 0.5, 0, 1, 2],
    },
    "separability": {
        "X": [[[0.0, 1.0], [1.0, 0.0]], [[1.0], [2.0], [3.0]], [[]], [], [[1, None]]],
        "y": [[0, 1], [1, -1, 1], [], [0, 0], ["a", "b"]],
        "fit_intercept": [True, False],
        "passes": [10, 1, 0, -1],
    },
    "perceptron_cycle": {
        "X": [[[0.0, 1.0], [1.0, 0.0]], [[1.0], [2.0], [3.0]], [[]], [], [[1, None]]],
        "y": [[0, 1], [1, -1, 1], [], [0, 0], ["a", "b"]],
        "passes": [10, 1, 0, -1],
    },
    "batch_posterior": {
        "X": [[[0.0, 1.0], [1.0, 0.0]], [[1.0], [2.0]], [[]], [], [[1, None]]],
        "labels": [[-1, 1], [1, 1], [], [0, 1], ["a", "b"]],
        "noise": [0.0, 0.1, 0.5, -1],
        "deviation": [0.0, 1.0, -1],
        "prior_variance": [1.0, 2.0, 0, -1],
        "damping": [0.0, 0.5, 1.0, 2.0],
        "tolerance": [1e-6, 1e-3, 0, -1],
        "max_sweeps": [50, 5, 0, -1],
    },
}


def _function(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(rb.theory if module else rb, last)


def prepare(folder: Path) -> None:
    """Load what curves are computed with."""
    for name, arguments in _FUNCTIONS.items():
        given = {key: values[0] for key, values in arguments.items()}
        _function(name)(**given)
    for rule in PARTS["rule"][1:9]:
        rb.solve(rule, rb.schedules.Constant(0.1), alpha=1)


def mutate(golden: None, random: Random) -> Case:
    """Return arguments of solve, or of another function of theory."""
    name = "solve" if random.random() < 0.5 else random.choice(sorted(_FUNCTIONS))
    given = choose(_FUNCTIONS[name], random)
    tables = [key for key in ("X", "y", "labels") if key in given]
    if tables and random.random() < 0.7:
        given["X"], said = hostile.table(random, 6, 3)
        given[tables[1]], words = hostile.labels(random, 6)
        rest = {key: value for key, value in given.items() if key not in tables}
        return Case(f"{name}({said}, y {words}, {rest!r})"[:2000], {}, (name, given))
    return Case(f"{name}({given!r})"[:2000], {}, (name, given))


def run(case: Case, folder: Path, stage: Stage) -> None:
    """Compute the curve."""
    name, given = case.given
    stage(name)
    result = _function(name)(**given)
    if name == "solve" and result.error.isnull().any():
        raise FaultError("the error of an accepted curve is NaN")
