"""Charts for web pages, drawn with Bokeh: the curves and pictures of a figure.

The report and the laboratory import it; it imports ``core`` and ``system``.
"""
