"""Output of a result: a table, a summary, a figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

import rosenblatt as rb
from rosenblatt.system.atomic_files import replacing

if TYPE_CHECKING:  # a page of help does without it
    import xarray as xr

__all__ = ["draw", "summary", "table"]

_LONG = 20  # rows of a table that still can be taken in
_DECADE = 10  # rows that one stands for in a longer one


def draw(result: xr.Dataset, theory: xr.Dataset | None, path: Path) -> None:
    """Draw learning curves to a file, whole or not at all."""
    figure = rb.plotting.learning_curve(result, theory=theory)
    with replacing(path) as partial:
        figure.savefig(partial, format=path.suffix[1:].lower())


def summary(result: xr.Dataset, theory: xr.Dataset | None) -> dict[str, Any]:
    """Return medians and bands over replicas, and what was simulated.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> hebb = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=[1, 100])
    >>> sorted(summary(hebb, None))[:4]
    ['alpha', 'attributes', 'error', 'error_high']
    """
    low, error, high = np.quantile(result["error"].values, [0.05, 0.5, 0.95], axis=0)
    found = {
        "alpha": result["alpha"].values,
        "error": error,
        "error_low": low,
        "error_high": high,
        "overlap": np.median(result["overlap"].values, axis=0),
        "replicas": result.sizes["replica"],
        "attributes": dict(result.attrs),
    }
    return found if theory is None else found | {"theory": theory["error"].values[0]}


def table(result: xr.Dataset, theory: xr.Dataset | None) -> Table:
    """Return medians and bands over replicas; every tenth row of a long result.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> hebb = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=[1, 100])
    >>> [column.header for column in table(hebb, None).columns]
    ['alpha', 'error', '5-95%', 'overlap']
    """
    known = summary(result, theory)
    alpha, error, overlap = known["alpha"], known["error"], known["overlap"]
    low, high = known["error_low"], known["error_high"]
    rows = set(range(alpha.size))
    if alpha.size > _LONG:
        rows = {0, *range(alpha.size - 1, 0, -_DECADE)}
    shown = Table(caption=f"medians over {known['replicas']} replicas")
    for header in ("alpha", "error", "5-95%", "overlap"):
        shown.add_column(header, justify="right")
    if theory is not None:
        shown.add_column("theory", justify="right")
    for i in sorted(rows):
        entries = [
            f"{alpha[i]:.6g}",
            f"{error[i]:.4g}",
            f"{low[i]:.3g} - {high[i]:.3g}",
            f"{overlap[i]:.6f}",
        ]
        if theory is not None:
            entries.append(f"{known['theory'][i]:.4g}")
        shown.add_row(*entries)
    return shown
