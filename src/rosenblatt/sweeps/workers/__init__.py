"""Workers of a sweep: local processes, Dask workers, or this process.

``compute`` has their interface and the worker in this process. ``threads`` sets the
number of threads of linear algebra. Only the coordinator and ``sweep`` import this
folder.
"""
