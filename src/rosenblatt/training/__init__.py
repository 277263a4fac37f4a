"""Training on files and streams, prediction, and the files of trained models.

``learning`` learns from ``sources`` with the ``settings`` of a run and returns a
``Trained`` model with its ``record``; ``predicting`` predicts; ``distributed`` learns
on many machines. Only the command line imports this folder.
"""

from rosenblatt.training.display import summary
from rosenblatt.training.facts import facts
from rosenblatt.training.interrupts import TrainingInterrupted
from rosenblatt.training.learning import train
from rosenblatt.training.models import MODELS
from rosenblatt.training.predicting import Predicted, predict
from rosenblatt.training.record import Record
from rosenblatt.training.settings import Settings
from rosenblatt.training.trained import Trained, load

__all__ = [
    "MODELS",
    "Predicted",
    "Record",
    "Settings",
    "Trained",
    "TrainingInterrupted",
    "facts",
    "load",
    "predict",
    "summary",
    "train",
]
