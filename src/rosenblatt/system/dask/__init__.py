"""Dask: connections to a scheduler, and supervision of the tasks on its workers.

``connection`` starts local workers or reaches a scheduler; ``supervision`` tells what
becomes of each task, also if workers or schedulers are lost or have other code. Sweeps
and distributed training import this folder, and load it only when Dask is wanted.
"""
