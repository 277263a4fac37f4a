"""Result store of a sweep: a folder of append-only files of records.

``results`` encodes a result, ``records`` frames it with digests, ``segments`` reads the
files. ``locks`` keeps two sweeps from computing the same experiment, and ``collect``
makes one Dataset. Workers and the coordinator import this folder.
"""
