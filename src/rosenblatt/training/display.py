"""Progress bar of training: fraction of the work, rows, speed and error."""

from __future__ import annotations

import time

from rosenblatt.system.progress import ProgressBar
from rosenblatt.training.evaluation.metrics import auc
from rosenblatt.training.record import Record

__all__ = ["TrainingBar", "summary"]


def summary(record: Record) -> str:
    """Return error and log-loss so far.

    Examples
    --------
    >>> summary(Record(rows=10, judged=10, mistakes=3, log_loss=5.0))
    'error 0.3000, log-loss 0.5000'
    """
    if record.error is None:
        return "nothing judged yet"
    text = f"error {record.error:.4f}"
    if record.majority_error is not None:
        text += f" (majority {record.majority_error:.4f})"
    loss = record.mean_log_loss
    text = text if loss is None else f"{text}, log-loss {loss:.4f}"
    area = auc(record.metrics)
    return text if area is None else f"{text}, AUC {area:.4f}"


class TrainingBar(ProgressBar):
    """Progress bar of training; ``shown`` is None for terminals only."""

    def __init__(self, shown: bool | None) -> None:
        super().__init__(1.0, shown=shown, counted=False, keep=True)
        self._first: tuple[int, float] | None = None  # rows and time at the start
        self.update(None, "reading")

    def update_record(
        self, record: Record, rows: int, done: float | None, before: str = ""
    ) -> None:
        """Show the record after that many rows."""
        if not self.shown:
            return
        now = time.perf_counter()
        if self._first is None:  # rows before this start are no speed
            self._first = rows, now
        speed = (rows - self._first[0]) / max(now - self._first[1], 1e-9)
        text = f"{before}{rows:,} rows, {speed:,.0f}/s, {summary(record)}"
        self.update(done, text)
