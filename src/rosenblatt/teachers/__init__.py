"""Teachers: one file per label law."""

from rosenblatt.teachers.sign import Sign

__all__ = ["Sign"]
