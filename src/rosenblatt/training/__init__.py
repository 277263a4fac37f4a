"""Training on files and streams, prediction, and the record of training.

``loop`` is the training loop and the state of a run. It reads from ``sources`` with the
``options`` of a run, and counts in ``record``. ``preview`` describes the columns,
``parts`` learns in pieces, also on many machines; ``report`` and ``predict`` take a
finished model. Only the command line imports this folder.
"""

from rosenblatt.training.loop import TrainingInterrupted, load, train
from rosenblatt.training.options import MODELS, Options
from rosenblatt.training.parts import fit_parts
from rosenblatt.training.predict import Predicted, predict
from rosenblatt.training.preview import ColumnPreview, Preview, preview
from rosenblatt.training.record import Metrics
from rosenblatt.training.report import evaluation, report

__all__ = [
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
