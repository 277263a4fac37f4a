"""Learning from files and streams, and predicting them."""

from rosenblatt.training.display import summary
from rosenblatt.training.facts import facts
from rosenblatt.training.interrupts import TrainingInterrupted
from rosenblatt.training.kinds import MODELS
from rosenblatt.training.predicting import Predicted, predict
from rosenblatt.training.record import Record
from rosenblatt.training.run import Trained, load
from rosenblatt.training.settings import Settings
from rosenblatt.training.training import train

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
