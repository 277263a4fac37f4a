"""Readers of text files: CSV, TSV and svmlight.

``records`` cuts a file into records, ``delimited`` and ``svmlight`` are the readers,
and ``svmlight_lines`` has the kernel that parses lines. Only ``tables`` imports it.
"""
