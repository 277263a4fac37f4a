"""Dask: connections to a scheduler, and supervision of the tasks on its workers.

``connection`` starts local workers or reaches a scheduler; ``supervision`` reports the
outcome of each task. It notices workers and schedulers that are lost or have other
code. Sweeps and distributed training import this folder, and load it only when Dask is
wanted.
"""
