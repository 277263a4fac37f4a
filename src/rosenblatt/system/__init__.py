"""The operating system: processes, atomic files, digests of the code, Dask workers.

Nothing here knows about learning. All folders may import it; it imports none of them.
"""
