"""HTML pages of a report: files that need no network.

``front`` and ``paper`` are pages in a common ``frame``. ``exhibits`` and ``outcomes``
are their parts; charts and formulas come from ``rosenblatt.charts``.
``locations`` and ``reading_order`` sort items as their paper does.
Only ``report.reproduce`` imports this folder.
"""
