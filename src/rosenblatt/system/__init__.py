"""The operating system: processes, files, digests, a progress bar, Dask.

Nothing here knows about learning. All folders may import it; it imports none of them.
"""
