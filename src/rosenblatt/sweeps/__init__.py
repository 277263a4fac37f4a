"""Sweeps: many experiments run on all cores or on Dask, stored, resumed and collected.

``plan`` lists the experiments, ``store`` holds their results on disk, and ``workers``
compute them. ``coordinator`` gives the missing ones to the workers. ``sweep`` has the
public functions. Only the command line imports this folder.
"""

from rosenblatt.sweeps.sweep import open_sweep, sweep

__all__ = ["open_sweep", "sweep"]
