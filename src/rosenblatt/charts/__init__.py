"""Charts for web pages, drawn with Bokeh, and labels with formulas.

``charts`` draws the curves and pictures of a figure; ``labels`` turns TeX into HTML or
plain text. The report and the laboratory import it; it imports ``core`` and ``system``.
"""
