"""Training on files and streams, prediction, and the record of training.

``loop`` is the training loop. It reads from ``sources`` with the ``options`` of a run,
whose state is in ``run``, and counts in ``record``; ``preview`` and ``report`` describe
columns and results. ``parts`` learns in pieces, also on many machines. Only the command
line imports this folder.
"""

from rosenblatt.training.loop import train
from rosenblatt.training.options import DESCRIPTIONS, MODELS, Options
from rosenblatt.training.parts import fit_parts
from rosenblatt.training.predict import Predicted, predict
from rosenblatt.training.preview import ColumnPreview, Preview, preview
from rosenblatt.training.progress import TrainingInterrupted
from rosenblatt.training.record import Metrics
from rosenblatt.training.report import evaluation, report
from rosenblatt.training.run import load

__all__ = [
    "DESCRIPTIONS",
    "MODELS",
    "ColumnPreview",
    "Metrics",
    "Options",
    "Predicted",
    "Preview",
    "TrainingInterrupted",
    "evaluation",
    "fit_parts",
    "load",
    "predict",
    "preview",
    "report",
    "train",
]
