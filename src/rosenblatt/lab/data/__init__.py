"""Second tab of the laboratory: a learner goes through points of two classes.

``tab`` is the tab, ``plot`` its drawing, ``points`` the data sets and ``learner`` the
models that learn them. Only the page and the server import this folder.
"""
