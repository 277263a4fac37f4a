"""Teachers: laws of the labels.

Each is a frozen dataclass, a ``Teacher`` of ``core``. Everything above may import it;
it imports ``core`` only.
"""

from rosenblatt.teachers.sign import Sign

__all__ = ["Sign"]
