"""Readers of text files: CSV, TSV and svmlight.

``records`` cuts a file into records, ``delimited`` and ``svmlight`` are the readers.
Only ``tables`` imports it.
"""
