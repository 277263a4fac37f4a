"""HTML pages of a report: files that need no network.

``front`` and ``paper`` are pages in a common ``frame``. ``exhibits`` and ``outcomes``
are their parts, ``charts`` the Bokeh charts, ``labels`` the formulas.
``locations`` and ``reading_order`` sort items as their paper does.
``report.reproduce`` and ``report.drawing`` import this folder.
"""
