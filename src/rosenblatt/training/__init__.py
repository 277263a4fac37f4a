"""Training on files and streams, prediction, and the files of trained models.

``learning`` learns from ``sources`` with the ``settings`` of a run and returns a
``Trained`` model with its ``record``; ``predicting`` predicts; ``distributed`` learns
on many machines. Only the command line imports this folder.
"""

from rosenblatt.training.control import TrainingInterrupted, summary
from rosenblatt.training.evaluation.metrics import Metrics, report
from rosenblatt.training.facts import facts
from rosenblatt.training.learning import train
from rosenblatt.training.models import DESCRIPTIONS, MODELS
from rosenblatt.training.predicting import Predicted, predict
from rosenblatt.training.preview import (
    ColumnPreview,
    Preview,
    count,
    preview,
    readable,
)
from rosenblatt.training.record import Record
from rosenblatt.training.settings import Settings
from rosenblatt.training.trained import Trained, load

__all__ = [
    "DESCRIPTIONS",
    "MODELS",
    "ColumnPreview",
    "Metrics",
    "Predicted",
    "Preview",
    "Record",
    "Settings",
    "Trained",
    "TrainingInterrupted",
    "count",
    "facts",
    "load",
    "predict",
    "preview",
    "readable",
    "report",
    "summary",
    "train",
]
