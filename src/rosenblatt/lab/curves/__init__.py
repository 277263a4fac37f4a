"""First tab of the laboratory: learning curves that grow while they are computed.

``tab`` is the tab, ``controls`` its controls, ``plots`` its drawings; ``presets`` are
figures of papers and ``script`` writes the Python program of a view. It imports
``jobs``; only the page imports this folder.
"""
