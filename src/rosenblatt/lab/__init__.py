"""Laboratory: a web page with learning curves and data sets, served by Bokeh.

``server`` starts it; ``page`` is the page of one visitor, with the tabs ``curves`` and
``data``. A ``job`` computes in a process. ``state`` is the page's address. Only the
command line imports this folder.
"""
