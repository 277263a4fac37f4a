"""Results in netCDF files: other bytes, and other specifications to run again."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import rosenblatt as rb
from tests.fuzz.byte_changes import changed_bytes, changed_json
from tests.fuzz.cases import Case, Stage

_FILE = "run.nc"
_MOST = 100  # the largest number in a changed specification
# Names that a specification must not import or call.
_PARTS = (
    "os:getcwd",
    "builtins:print",
    "subprocess:run",
    "rosenblatt.core:kernel",
    "rosenblatt.rules:Nothing",
    "numpy:ones",
    "pathlib:Path",
)


def prepare(folder: Path) -> list[tuple[bytes, Any]]:
    """Simulate with several engines, and return files and specifications."""
    hebb, constant = rb.rules.Hebb(), rb.schedules.Constant()
    made = [
        rb.simulate(hebb, constant, dim=10, alpha=[1, 3]),
        rb.simulate(rb.rules.Perceptron(), rb.schedules.Power(), dim=10, alpha=[0, 2]),
        rb.simulate(rb.rules.BinaryBayes(), constant, dim=11, alpha=2),
    ]
    found = []
    for result in made:
        rb.save(result, folder / _FILE)
        rb.rerun(rb.load(folder / _FILE))
        found.append(((folder / _FILE).read_bytes(), result))
    return found


def mutate(golden: list[tuple[bytes, Any]], random: Random) -> Case:
    """Return other bytes, or other attributes."""
    content, result = random.choice(golden)
    if random.random() < 0.4:
        content, said = changed_bytes(content, random)
        return Case(said, {_FILE: content})
    attributes = {name: _plain(value) for name, value in result.attrs.items()}
    spec = json.loads(attributes["spec"])
    chance = random.random()
    if chance < 0.25:
        spec, said = _other_part(spec, random)
        attributes["spec"] = json.dumps(spec)
    elif chance < 0.85:
        spec, said = changed_json(spec, random)
        attributes["spec"] = json.dumps(_small(spec))
    else:
        attributes, said = changed_json(attributes, random)
    return Case(f"{result.attrs['engine']}: {said}", {}, (result, attributes))


def _small(tree: Any) -> Any:
    """Return a specification without numbers that only ask for long work."""
    if isinstance(tree, dict):
        return {key: _small(entry) for key, entry in tree.items()}
    if isinstance(tree, list):
        return [_small(entry) for entry in tree]
    number = isinstance(tree, int | float) and not isinstance(tree, bool)
    return _MOST if number and tree > _MOST else tree


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _other_part(spec: Any, random: Random) -> tuple[Any, str]:
    """Let a part have the name of something else."""
    parts = [entry for entry in spec.values() if isinstance(entry, dict)]
    if not parts:
        return spec, "no part"
    entry, name = random.choice(parts), random.choice(_PARTS)
    entry["part"] = name
    return spec, f"a part becomes {name}"


def run(case: Case, folder: Path, stage: Stage) -> None:
    """Load the file and run it again."""
    if case.given is None:
        stage("load")
        found = rb.load(folder / _FILE)
    else:
        result, attributes = case.given
        found = result.assign_attrs(attributes)
        found.attrs = attributes
    stage("rerun")
    rb.rerun(found, workers=1)
