"""Compiled loops of the filters: one file for each, and the table that they read.

A kernel is given one address, of the table of a filter (``layout``, ``table``). Only
``filters`` imports it.
"""
