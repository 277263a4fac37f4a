"""HTML pages of a report: files that need no network.

``pages`` makes all: ``front`` and ``paper`` in their common ``frame``. ``exhibits`` and
``outcomes`` are their parts, ``charts`` the Bokeh charts, ``labels`` the formulas.
``locations`` and ``reading_order`` sort items as their paper does.
``report.reproduce`` and ``report.drawing`` import this folder.
"""
