"""Workers of a sweep: local processes, Dask workers, or this process.

``compute`` has their interface and runs one experiment; ``threads`` sets the number of
threads of linear algebra. Only the coordinator and ``sweep`` import this folder.
"""
