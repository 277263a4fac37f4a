"""Readers of Arrow and Parquet files.

``files`` has the readers, ``columns`` converts columns to rows. Only ``tables`` imports
it.
"""
