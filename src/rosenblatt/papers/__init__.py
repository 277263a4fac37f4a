"""The papers, one folder each, named by the key of their bibliography entry.

Each has ``PAPER``, ``CLAIMS``, ``ERRATA`` and its figures and tables as functions.
"""

from rosenblatt.papers import barkai1995, golea1993, seung2002

__all__ = ["barkai1995", "golea1993", "seung2002"]
