"""Run a result again from what it says about itself."""

from __future__ import annotations

import json

import xarray as xr

from rosenblatt.core.serial import build
from rosenblatt.engines.classes import simulate_classes
from rosenblatt.engines.coordinate import coordinate
from rosenblatt.engines.machine import simulate_machine
from rosenblatt.engines.simulate import simulate

__all__ = ["rerun"]


def rerun(result: xr.Dataset, *, workers: int | None = None) -> xr.Dataset:
    """Simulate once more what a simulated result was made from; the bits are the same.

    Parts of your own must be importable under the name they had.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), dim=10, alpha=3)
    >>> rb.rerun(run).identical(run)
    True
    """
    if result.attrs.get("engine") == "theory" or "spec" not in result.attrs:
        raise ValueError(
            "result must come from rosenblatt.simulate, simulate_classes, "
            "simulate_machine or an engine"
        )
    spec = {
        name: build(value) for name, value in json.loads(result.attrs["spec"]).items()
    }
    if result.attrs["engine"] == "classes":
        return simulate_classes(**spec, workers=workers)
    if result.attrs["engine"] == "machine":
        return simulate_machine(**spec, workers=workers)
    if result.attrs["engine"] == "coordinate":
        return coordinate(**spec, workers=workers)
    parts = [spec.pop(name) for name in ("rule", "schedule", "teacher", "stream")]
    return simulate(*parts, **spec, workers=workers, engine=result.attrs["engine"])
