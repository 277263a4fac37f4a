"""Parts as text, ``passive-aggressive:margin=2``, for commands, files and pages."""

from rosenblatt.spelling.parts import parse

__all__ = ["parse"]
