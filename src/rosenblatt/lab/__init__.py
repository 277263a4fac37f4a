"""Laboratory: a web page with learning curves and data sets, served by Bokeh.

``server`` starts it; ``page`` is the page of one visitor, with the tabs ``curves`` and
``data``. A ``job`` computes a curve in a process. ``points`` has data sets and
learners, ``state`` is the page's address. Only the command line imports this folder.
"""
