"""Running of a report: items in several processes, and a store of their results.

``run`` computes all items, ``records`` turns results into plain values and back, and
``store`` holds these on disk. ``report.reproduce`` imports this folder.
"""
