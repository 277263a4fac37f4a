"""The error of files that are not a valid model."""

from __future__ import annotations

__all__ = ["ModelFileError"]


class ModelFileError(ValueError):
    """A file is not a model, is damaged, or is from a newer version.

    Examples
    --------
    >>> issubclass(ModelFileError, ValueError)
    True
    """
