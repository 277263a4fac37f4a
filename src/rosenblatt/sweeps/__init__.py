"""Sweeps: many experiments run on all cores or on Dask, stored, resumed and collected.

``plan`` lists the experiments, ``store`` keeps their results in one file and collects
them, and ``sweep`` runs what is missing.
"""

from rosenblatt.sweeps.sweep import open_sweep, sweep

__all__ = ["open_sweep", "sweep"]
