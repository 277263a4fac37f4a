"""Workers of a sweep: local processes, Dask workers, or this process.

``compute`` has their interface and the worker in this process. Only the coordinator
and ``sweep`` import this folder.
"""
