"""Laboratory: a web page with learning curves and data sets, served by Bokeh.

``server`` starts it, ``page`` is the page of one visitor, with the tabs in ``curves``
and ``data``; ``jobs`` computes in processes. ``state`` is the page's address. Only the
command line imports this folder.
"""
