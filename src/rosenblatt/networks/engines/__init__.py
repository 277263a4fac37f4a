"""Engines that simulate committees: without vectors, and with them.

``full`` and ``reduced`` are the engines, ``task`` their checked arguments. ``block``,
``rows`` and ``turning`` are pieces of ``reduced``. Only ``networks`` imports it.
"""
