"""Training on files and streams, prediction, and the record of training.

``loop`` is the training loop and the state of a run, with the ``options`` of a user.
``record`` has the two tasks, classes and numbers, and what is counted. ``parts`` learns
in pieces, also on many machines; ``report`` and ``predict`` take a finished model. Only
the command line imports this folder.
"""

from rosenblatt.training.loop import (
    ColumnPreview,
    Preview,
    TrainingInterrupted,
    load,
    preview,
    train,
)
from rosenblatt.training.options import MODELS, Options
from rosenblatt.training.parts import fit_parts
from rosenblatt.training.predict import Predicted, predict
from rosenblatt.training.record import Metrics, Numbers, metric_text
from rosenblatt.training.report import report

__all__ = [
    "MODELS",
    "ColumnPreview",
    "Metrics",
    "Numbers",
    "Options",
    "Predicted",
    "Preview",
    "TrainingInterrupted",
    "fit_parts",
    "load",
    "metric_text",
    "predict",
    "preview",
    "report",
    "train",
]
