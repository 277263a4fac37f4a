"""Interrupts of a run, intervals of checkpoints, and resumption."""

from __future__ import annotations

import hashlib
import os
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Self

from rosenblatt.spelling.values import whole
from rosenblatt.tables import STANDARD
from rosenblatt.training.models import parts_of
from rosenblatt.training.settings import Settings
from rosenblatt.training.trained import Trained, checkpoint_path, pieces_folder

__all__ = [
    "Interrupts",
    "Interval",
    "TrainingInterrupted",
    "check_same",
    "check_same_files",
    "continued_settings",
    "fingerprint",
    "load_finished",
    "resumed",
]

# Settings about the files of a run; a run that goes on from a model has its own.
_OF_FILES: dict[str, Any] = {
    "format": None,
    "header": True,
    "features": None,
    "delimiter": None,
    "batch_rows": None,
    "holdout": None,
    "holdout_last": None,
}
_DECISIONS = ("threshold", "costs")  # learning does not depend on these
_HEAD = 2**16  # bytes from the start of a file by which it is known again


def continued_settings(
    before: dict[str, Any],
    files: Sequence[str | os.PathLike[str]],
    target: str | None,
    settings: dict[str, Any],
) -> Settings:
    """Return the settings of a run that goes on from a model, on other files.

    Examples
    --------
    >>> before = Settings(files=("mo.csv",), target="y", ignore=("id",)).as_dict()
    >>> continued_settings(before, ["tu.csv"], None, {}).ignore
    ('id',)
    >>> continued_settings(before, ["tu.csv"], None, {"ignore": ["age"]})
    Traceback (most recent call last):
    ValueError: ignore is ['id'] in the model to continue, and cannot become ['age']
    """
    now = {key: before[key] for key in Settings.__dataclass_fields__ if key in before}
    for key, value in {**settings, "target": target}.items():
        plain = list(value) if isinstance(value, tuple | list) else value
        free = key in _OF_FILES or key in _DECISIONS
        if not free and plain is not None and plain != now.get(key):
            raise ValueError(
                f"{key} is {now.get(key)!r} in the model to continue, and cannot "
                f"become {plain!r}"
            )
    given = {k: v for k, v in settings.items() if k in _OF_FILES or k in _DECISIONS}
    rest = {k: v for k, v in now.items() if k not in ("files", "target")}
    return Settings.of(files, now["target"], rest | _OF_FILES | given)


def check_same(given: Settings, before: dict[str, Any], path: Path) -> None:
    """Raise ValueError if a run is resumed from a path with other settings.

    Examples
    --------
    >>> monday = Settings(files=("mo.csv",), target="y").as_dict()
    >>> tuesday = Settings(files=("tu.csv",), target="y")
    >>> check_same(tuesday, monday, Path("m.checkpoint"))
    Traceback (most recent call last):
    ValueError: cannot resume from m.checkpoint: files was ['mo.csv'] and is now ...
    """
    for key, value in given.as_dict().items():
        if key == "start" and value != before.get(key):
            raise ValueError(f"cannot resume from {path}: it continues another model")
        if value != before.get(key):
            raise ValueError(
                f"cannot resume from {path}: {key} was {before.get(key)!r} and is now "
                f"{value!r}; give the same options, or --continue to learn more files"
            )


def check_same_files(given: Settings, before: list[Any], path: Path) -> None:
    """Raise ValueError if files have changed since a run that is to be resumed."""
    for name, now, then in zip(
        given.files, fingerprint(given.files), before, strict=True
    ):
        if now != then:
            raise ValueError(f"cannot resume from {path}: {name} has changed since")


def fingerprint(files: Sequence[str]) -> list[list[Any] | None]:
    """Return size and digest of the first bytes of each file."""
    found: list[list[Any] | None] = []
    for name in files:
        if name == STANDARD:
            found.append(None)
            continue
        path = Path(name)
        if not path.is_file():
            raise ValueError(f"there is no file {name!r}")
        with path.open("rb") as file:
            start = hashlib.blake2b(file.read(_HEAD), digest_size=16).hexdigest()
        found.append([path.stat().st_size, start])
    return found


def load_finished(
    given: Settings, parts: dict[str, Any], path: Path, **more: Any
) -> Trained | None:
    """Load the model of a finished run with the same settings; None if there is none.

    A model of another run is refused: a run that is resumed must not replace it.

    Parameters
    ----------
    given
        What the run is asked to do.
    parts
        Rules and schedules of the model.
    path
        Where it was saved.
    **more
        What the result depends on besides.
    """
    if not path.is_file():
        return None
    if given.files == (STANDARD,):
        raise ValueError(
            f"cannot resume: {path} is finished, and a pipe may bring other rows; "
            "--continue learns them too, and without --resume the model is replaced"
        )
    run = Trained.load(path, parts)
    check_same(given, run.settings, path)
    for key, value in run.settings.items():
        if key not in given.as_dict() and value != more.get(key):
            raise ValueError(
                f"cannot resume from {path}: {key} was {value!r} and is now "
                f"{more.get(key)!r}"
            )
    check_same_files(given, run.files, path)
    return run


def resumed(given: Settings, model: Any, where: Path) -> Trained | None:
    """Return the run in a checkpoint, or a finished one; None if there is none."""
    parts = parts_of(model)
    checkpoint = checkpoint_path(where)
    if checkpoint.is_file():
        run = Trained.load(checkpoint, parts)
        check_same(given, run.settings, checkpoint)
        check_same_files(given, run.files, checkpoint)
        return run
    if pieces_folder(where).is_dir():
        raise ValueError(
            f"{pieces_folder(where)} is the checkpoint of a run with workers: resume "
            "with workers, or remove it"
        )
    return load_finished(given, parts, where)


class TrainingInterrupted(KeyboardInterrupt):
    """Error of training that was interrupted; the message says how to resume."""


class Interrupts:
    """Context in which the first Ctrl-C or SIGTERM is noted, and the second one acts.

    Only the main thread can do this; elsewhere it does nothing.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *failure: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


class Interval:
    """Interval of checkpoints, in seconds or rows."""

    def __init__(self, text: str) -> None:
        text = str(text)
        self._seconds = self._rows = None
        if text.endswith("s"):
            self._seconds = whole("checkpoint_every", text[:-1])
        else:
            self._rows = whole("checkpoint_every", text)
        if (self._seconds or self._rows or 0) < 1:
            raise ValueError(
                "checkpoint_every must be seconds like 60s or rows like 1e6, "
                f"got {text!r}"
            )
        self._last, self._since = time.monotonic(), 0

    def due(self, rows: int) -> bool:
        """Return whether a checkpoint is due after this many more rows."""
        self._since += rows
        if self._seconds is not None:
            due = time.monotonic() - self._last >= self._seconds
        else:
            due = self._since >= (self._rows or 1)
        if due:
            self._last, self._since = time.monotonic(), 0
        return due
