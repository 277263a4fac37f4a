"""Functions of the library with hostile arguments: parts, simulations and theory."""

import contextlib
import copy
import inspect

import rosenblatt as rb
from rosenblatt.core.arguments import shown
from tests.conformance.test_parts import (
    BELIEFS,
    PARTS,
    RULES,
    SCHEDULES,
    STREAMS,
    TEACHERS,
)
from tests.fuzz import hostile
from tests.fuzz.cases import Case, FaultError

# Values by argument; the first two are good ones. Large numbers of examples are left
# out: they ask for long work, and get it.
STARTS = [
    rb.starts.Zero(),
    rb.starts.Overlap(0.5),
    rb.starts.Hebbian(3.0),
    rb.starts.Vector((1.0,)),
]
_PARTS = {
    "rule": [rb.rules.Hebb(), *RULES, *BELIEFS, rb.rules.Perceptron, rb.core.Rule],
    "schedule": [*SCHEDULES, rb.schedules.Constant, rb.rules.Hebb()],
    "teacher": [None, *TEACHERS, rb.rules.Hebb()],
    "stream": [None, rb.streams.Gaussian(), *STREAMS],
    "start": [None, *STARTS, rb.starts.Vector((1.0, 2.0, 3.0, 4.0, 5.0))],
}
_ALPHA = [1, [0, 1, 2], [1e-9, 1], [2, 1], [], [[1, 2]], "1", [1, float("nan")], 1e300]
_NOISE = [0.0, 0.1, 0.5, 0.7, -0.1]
_ASKED = {"alpha": [1, [1, 10]], "noise": _NOISE, "prior": ["spherical", "binary", "x"]}
_RATES = [0.1, 0.5, 0, 1, 2]
_ROWS = {
    "X": [[[0.0, 1.0], [1.0, 0.0]], [[1.0], [2.0], [3.0]], [[]], [], [[1, None]]],
    "y": [[0, 1], [1, -1, 1], [], [0, 0], ["a", "b"]],
    "passes": [10, 1, 0, -1],
}
_FUNCTIONS = {
    "simulate": {
        **_PARTS,
        "dim": [5, 10, 1, 5.0, "5", 2.5, 0, -3, 2**70, 1e30, float("inf")],
        "alpha": [*_ALPHA, {1, 2}, iter([1, 2])],
        "replicas": [1, 3, 0, -1, 2**70, 1.5, "1"],
        "seed": [0, 1, 2**64, 2**200, -1, 1.0, "0", None],
        "workers": [None, 1, 2, 0, -1, 1.5, 10**30],
        "progress": [None, False, True, "no", 3],
        "engine": [None, None, "events", "reduced", "full", "", "x", 3, ["full"]],
    },
    "solve": {**_PARTS, "alpha": [*_ALPHA, [1, 1], [1e-300, 1], [1, 1e8], -1, {1: 2}]},
    "theory.solve_online": _ASKED,
    "theory.solve_batch": _ASKED,
    "theory.critical_alpha": {"noise": _NOISE},
    "theory.online_asymptote": {"noise": _NOISE},
    "theory.batch_asymptote": {"noise": _NOISE},
    "theory.calibration": {
        "probability": [0.5, [0.1, 0.9], 0, 1, 1.5, -1, "x", []],
        "overlap": [0.5, 0.9, 1.0, 1.5],
        "norm": [1.0, 2.0, 0.0, -1.0],
        "noise": _NOISE,
        "assumed": [None, 0.1, 0.6],
    },
    "required_examples": {
        "n": [3, 10, 0, -1, 2**70, 1.5],
        "eps": _RATES,
        "delta": _RATES,
    },
    "separability": {**_ROWS, "fit_intercept": [True, False]},
    "perceptron_cycle": _ROWS,
    "batch_posterior": {
        "X": _ROWS["X"],
        "labels": [[-1, 1], [1, -1], [], [0, 1], ["a", "b"]],
        "noise": _NOISE,
        "deviation": [0.0, 1.0, -1],
        "prior_variance": [1.0, 2.0, 0, -1],
        "damping": [0.0, 0.5, 1.0, 2.0],
        "tolerance": [1e-6, 1e-3, 0, -1],
        "max_sweeps": [50, 5, 0, -1],
    },
}
_MADE = [*map(type, [*PARTS, *STARTS])]
_CURVES = ("simulate", "solve")


def _function(name):
    module, _, last = name.rpartition(".")
    return getattr(rb.theory if module else rb, last)


def _chosen(names, random):
    """Return arguments: mostly good ones, which come first, and one or two others."""
    given = {name: random.choice(values[:2]) for name, values in names.items()}
    for _ in range(random.choice((1, 1, 2, 3))):
        name = random.choice(sorted(names))
        own = copy.deepcopy(random.choice(names[name]))  # an iterator is read once
        given[name] = random.choice((own, hostile.value(random)))
    return given


def prepare(folder):
    """Compile what the functions use, with every part."""
    for name, arguments in _FUNCTIONS.items():
        _function(name)(**{key: values[0] for key, values in arguments.items()})
    for rule in [*RULES, *BELIEFS]:
        for engine in (None, "reduced", "full"):
            with contextlib.suppress(TypeError, ValueError):  # that are not for it
                rb.simulate(rule, SCHEDULES[0], dim=5, alpha=1, engine=engine)
        with contextlib.suppress(TypeError, ValueError):
            rb.solve(rule, SCHEDULES[0], alpha=1)
    for schedule in SCHEDULES:
        rb.simulate(rb.rules.Perceptron(), schedule, dim=5, alpha=1)


def _said(given):
    """Return arguments in words; a number may have too many digits for ``repr``."""
    return str({name: shown(value) for name, value in given.items()})


def mutate(golden, random):
    """Return arguments of a part, a simulation, a curve or another function."""
    chance = random.random()
    if chance < 0.2:
        kind = random.choice(_MADE)
        values = [0.5, 1.0, rb.rules.Hebb(), *map(hostile.value, (random, random))]
        given = {
            name: random.choice(values) for name in inspect.signature(kind).parameters
        }
        return Case(f"{kind.__name__}({_said(given)})", {}, (kind, given))
    name = random.choice(_CURVES if chance < 0.7 else sorted(_FUNCTIONS))
    given = _chosen(_FUNCTIONS[name], random)
    said = _said(given)
    tables = [key for key in ("X", "y", "labels") if key in given]
    if tables and random.random() < 0.7:
        given["X"], table = hostile.table(random, 6, 3)
        given[tables[1]], labels = hostile.labels(random, 6)
        rest = {key: value for key, value in given.items() if key not in tables}
        said = f"{table}, y {labels}, {_said(rest)}"
    return Case(f"{name}({said})"[:2000], {}, (name, given))


def run(case, folder, stage):
    """Make the part, or call the function; curves have no NaN."""
    name, given = case.given
    stage(str(name))
    if not isinstance(name, str):
        part = name(**given)
        hash(part)
        repr(part)
        return
    result = _function(name)(**given)
    if name in _CURVES and result.error.isnull().any():
        raise FaultError(f"the error of an accepted {name} is NaN")
