"""Simulations with hostile parts and numbers."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from typing import Any

import rosenblatt as rb
from tests.fuzz import hostile
from tests.fuzz.cases import Case, FaultError, Stage

# Parts by argument, and values that they may have instead of their own. Large numbers
# of examples are left out: they ask for long work, and get it.
PARTS: dict[str, list[Any]] = {
    "rule": [
        rb.rules.Hebb(),
        rb.rules.Perceptron(),
        rb.rules.Perceptron(0.5),
        rb.rules.AdaTron(),
        rb.rules.Decay(rb.rules.Perceptron(), 0.5),
        rb.rules.Normalised(rb.rules.Perceptron()),
        rb.rules.Shifted(rb.rules.Perceptron()),
        rb.rules.PassiveAggressive(),
        rb.rules.Delta(rb.rules.Tanh(2.0)),
        rb.rules.BinaryBayes(),
        rb.rules.DiagonalBayes(0.1),
        rb.rules.Perceptron,
        rb.core.Rule,
    ],
    "schedule": [
        rb.schedules.Constant(),
        rb.schedules.Constant(0.1),
        rb.schedules.Power(2.0, 1.0, 1.0),
        rb.schedules.Power(),
        rb.schedules.PerMistake(),
        rb.schedules.Constant,
        rb.rules.Hebb(),
    ],
    "teacher": [None, rb.teachers.Sign(), rb.teachers.Sign(0.1), rb.rules.Hebb()],
    "stream": [
        None,
        rb.streams.Gaussian(),
        rb.streams.Gaussian(1.0, 0.5),
        rb.streams.Uniform(5),
        rb.streams.UniformBits(5),
        rb.streams.Normal(5),
    ],
    "start": [
        None,
        rb.starts.Zero(),
        rb.starts.Random(),
        rb.starts.Overlap(0.5),
        rb.starts.Hebbian(),
        rb.starts.Hebbian(3.0),
        rb.starts.Vector((1.0, 2.0, 3.0, 4.0, 5.0)),
        rb.starts.Vector((1.0,)),
    ],
}
_NUMBERS: dict[str, list[Any]] = {
    "dim": [1, 2, 5, 5.0, 10, "5", 2.5, 0, -3, 2**70, 1e30, float("inf")],
    "alpha": [
        1,
        [0, 1, 2],
        [1e-9, 1],
        [0.1, 0.2, 3.0],
        [2, 1],
        [[1, 2]],
        "1",
        ["1"],
        [1, float("nan")],
        1e30,
        1e300,
        {1, 2},
        iter([1, 2]),
    ],
    "replicas": [1, 3, 7, 0, -1, 2**70, 1.5, "1"],
    "seed": [0, 1, 2**64, 2**200, -1, 1.0, "0", None],
    "workers": [None, 1, 2, 0, -1, 1.5, 10**30],
    "progress": [None, False, True, "no", 3],
    "engine": [None, "events", "reduced", "full", "coordinate", "", "x", 3, ["full"]],
}
_MADE: list[tuple[Any, tuple[str, ...]]] = [
    (rb.rules.Perceptron, ("margin",)),
    (rb.rules.PassiveAggressive, ("margin", "aggressiveness")),
    (rb.rules.Shifted, ("rule", "by", "opening")),
    (rb.rules.Decay, ("rule", "strength")),
    (rb.rules.Normalised, ("rule",)),
    (rb.rules.Delta, ("activation",)),
    (rb.rules.Tanh, ("gain",)),
    (rb.rules.BinaryBayes, ("noise", "floor", "implicit", "weighted")),
    (rb.schedules.Constant, ("rate",)),
    (rb.schedules.Power, ("scale", "exponent", "offset")),
    (rb.schedules.PerMistake, ("scale", "exponent")),
    (rb.schedules.Custom, ("function",)),
    (rb.teachers.Sign, ("noise",)),
    (rb.streams.Gaussian, ("mean", "overlap")),
    (rb.streams.ProductBits, ("probabilities",)),
    (rb.streams.Uniform, ("dim", "low", "high")),
    (rb.starts.Overlap, ("teacher", "mean", "norm")),
    (rb.starts.Hebbian, ("alpha", "norm")),
    (rb.starts.Vector, ("weights",)),
]


def choose(names: dict[str, list[Any]], random: Random) -> dict[str, Any]:
    """Return arguments: mostly good ones, which come first, and one or two others."""
    given = {name: random.choice(values[:2]) for name, values in names.items()}
    for _ in range(random.choice((1, 1, 2, 3))):
        name = random.choice(sorted(names))
        many = names[name]
        own = copy.deepcopy(random.choice(many))  # an iterator can be read once
        given[name] = random.choice((own, hostile.value(random)))
    return given


def part(random: Random) -> tuple[Any, dict[str, Any]]:
    """Return a class of parts, and arguments for it of which one may be hostile."""
    kind, names = random.choice(_MADE)
    values = [0.5, 1.0, rb.rules.Hebb(), hostile.value(random), hostile.value(random)]
    return kind, {name: random.choice(values) for name in names}


def prepare(folder: Path) -> None:
    """Load every engine with every part."""
    for rule in PARTS["rule"][:-2]:
        for engine in (None, "reduced", "full"):
            try:
                rb.simulate(
                    rule, rb.schedules.Constant(), dim=5, alpha=1, engine=engine
                )
            except ValueError:  # an engine that is not for this rule
                continue
    for schedule in PARTS["schedule"][:-2]:
        rb.simulate(rb.rules.Perceptron(), schedule, dim=5, alpha=1)


def mutate(golden: None, random: Random) -> Case:
    """Return arguments of simulate, or of a part."""
    if random.random() < 0.25:
        kind, given = part(random)
        return Case(f"{kind.__name__}({given!r})"[:2000], {}, (kind, given))
    given = choose(PARTS | _NUMBERS, random)
    return Case(f"simulate({given!r})"[:2000], {}, (rb.simulate, given))


def run(case: Case, folder: Path, stage: Stage) -> None:
    """Make the part or the simulation."""
    function, given = case.given
    stage(function.__name__)
    result = function(**given)
    if function is not rb.simulate:
        stage("repr, hash")
        hash(result)
        repr(result)
        return
    for name in ("overlap", "norm", "error"):
        if result[name].isnull().any():
            raise FaultError(f"{name} of an accepted simulation is NaN")
