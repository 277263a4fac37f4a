"""Readers of Arrow and Parquet files.

``files`` has the readers, ``columns`` converts columns to rows, and ``message_sizes``
and ``page_sizes`` check the sizes that a file declares. Only ``tables`` imports it.
"""
