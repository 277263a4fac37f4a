"""Stores of sweeps with changed files, and manifests whose checksum is right again."""

from __future__ import annotations

import hashlib
import json
import warnings
from pathlib import Path
from random import Random
from typing import Any

import rosenblatt as rb
from tests.fuzz.byte_changes import changed_bytes, changed_json
from tests.fuzz.cases import Case, FaultError, Stage

__all__ = ["mutate", "prepare", "run"]

_STORE = "store"


def _sweep(store: Path) -> Any:
    given = {"schedule": rb.schedules.Constant(), "alpha": [1, 10]}
    rules = {"Hebb": rb.rules.Hebb(), "AdaTron": rb.rules.AdaTron()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rb.sweep("solve", given, axes={"rule": rules}, store=store, cores=0)


def prepare(folder: Path) -> dict[str, bytes]:
    """Run a small sweep, and return the files of its store."""
    _sweep(folder / _STORE)
    rb.open_sweep(folder / _STORE)
    return {
        str(path.relative_to(folder / _STORE)): path.read_bytes()
        for path in sorted((folder / _STORE).rglob("*"))
        if path.is_file()
    }


def mutate(golden: dict[str, bytes], random: Random) -> Case:
    """Return a store in which one file is changed or missing."""
    files = dict(golden)
    name = random.choice(sorted(golden))
    if name.endswith(".json") and random.random() < 0.7:
        tree, said = changed_json(json.loads(files[name].splitlines()[0]), random)
        text = json.dumps(tree)
        check = hashlib.sha256(text.encode()).hexdigest()
        files[name] = f"{text}\n{check}\n".encode()
    elif random.random() < 0.05:
        del files[name]
        said = "missing"
    else:
        files[name], said = changed_bytes(files[name], random)
    return Case(f"{name}: {said}", {f"{_STORE}/{n}": c for n, c in files.items()})


def run(case: Case, folder: Path, stage: Stage) -> None:
    """Open the store, and run the sweep again."""
    store = folder / _STORE
    refused: Exception | None = None
    stage("open_sweep")
    try:
        rb.open_sweep(store)
    except OSError as failure:
        refused = failure
    stage("sweep")
    found = _sweep(store)
    stage("open_sweep after sweep")
    kept = rb.open_sweep(store)
    if not kept.error.equals(found.error):
        raise FaultError("a sweep that ran again has another result in its store")
    if refused is not None:
        raise refused
