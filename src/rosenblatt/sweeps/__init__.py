"""Many experiments as one: run on all cores or on Dask, kept, resumed, collected.

``plan`` says what is to be computed, ``store`` keeps it, ``coordinator`` hands it out
to the processes of ``pool`` or to those of ``cluster``, ``collect`` makes one result.
"""

from rosenblatt.sweeps.sweep import open_sweep, sweep

__all__ = ["open_sweep", "sweep"]
