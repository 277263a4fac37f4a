"""Parts as text, ``passive-aggressive:margin=2``, for commands, files and pages.

``parts`` parses text, ``text`` writes it, ``names`` looks up names, ``files`` loads a
user's own file, ``combinators`` puts decay, shift and normalisation around a rule.
``training``, ``cli`` and ``web`` may import it; it imports public names only.
"""

from rosenblatt.spelling.parts import parse
from rosenblatt.spelling.text import spell

__all__ = ["parse", "spell"]
