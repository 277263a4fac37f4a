"""Workers of a sweep: local processes, Dask workers, or this process.

All have the interface in ``base``; ``compute`` runs one experiment and ``threads`` sets
the number of threads of linear algebra. Only the coordinator and ``sweep`` import this
folder.
"""
