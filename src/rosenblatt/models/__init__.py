"""Models on disk: files to go on from, and exports for use elsewhere."""

from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.saving import load_model, save_model

__all__ = ["ModelFileError", "load_model", "save_model"]
