"""HTML page of a report: one file that needs no other file and no network.

``page`` is the whole; ``exhibits`` and ``outcomes`` are its parts, ``charts`` its Bokeh
charts, ``labels`` its formulas. ``locations`` and ``reading_order`` sort items as their
paper does. ``report.reproduce`` and ``report.drawing`` import this folder.
"""
