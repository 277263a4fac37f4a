"""Pages of a report: what they show, and templates that say how.

``pages`` fills the templates, ``places`` sorts items by their place in the paper. Each
page is one file that needs no other file and no network.
"""
