"""Compiled loops of the filters: one file for each, and the layout of their table.

A kernel is given one address, of the table of a filter. ``layout`` has the entries of
the table, and ``filters.state`` writes it. Only ``bayes`` imports this folder.
"""
