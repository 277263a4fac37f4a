"""Parts as text, ``passive-aggressive:margin=2``, for commands, files and pages."""

from rosenblatt.spelling.parts import parse
from rosenblatt.spelling.text import spell

__all__ = ["parse", "spell"]
