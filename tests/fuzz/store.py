"""Stores of sweeps with changed bytes."""

import rosenblatt as rb
from tests.fuzz.byte_changes import changed_bytes
from tests.fuzz.cases import Case, FaultError

_STORE = "store"


def _sweep(store):
    given = {"schedule": rb.schedules.Constant(), "alpha": [1, 10]}
    rules = {"Hebb": rb.rules.Hebb(), "AdaTron": rb.rules.AdaTron()}
    return rb.sweep("solve", given, axes={"rule": rules}, store=store, cores=0)


def prepare(folder):
    """Run a small sweep, and return its store."""
    _sweep(folder / _STORE)
    rb.open_sweep(folder / _STORE)
    return {_STORE: (folder / _STORE).read_bytes()}


def mutate(golden, random):
    """Return a store with a few changed bytes."""
    content, said = changed_bytes(golden[_STORE], random)
    return Case(said, {_STORE: content})


def run(case, folder, stage):
    """Open the store, and run the sweep again."""
    store = folder / _STORE
    stage("open_sweep")
    rb.open_sweep(store)
    stage("sweep")
    found = _sweep(store)
    stage("open_sweep after sweep")
    if not rb.open_sweep(store).error.equals(found.error):
        raise FaultError("a sweep that ran again has another result in its store")
