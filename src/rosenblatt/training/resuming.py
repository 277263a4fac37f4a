"""Resumption of a run, and continuation of a model on other files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rosenblatt.tables import STANDARD
from rosenblatt.training.models import parts_of
from rosenblatt.training.settings import Settings
from rosenblatt.training.sources import fingerprint
from rosenblatt.training.trained import Trained, checkpoint_path, pieces_folder

__all__ = [
    "check_same",
    "check_same_files",
    "continued_settings",
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


def continued_settings(
    before: dict[str, Any],
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
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
    ValueError: cannot resume from m.checkpoint: files must be ['mo.csv'] as before, ...
    """
    for key, value in given.as_dict().items():
        if key == "start" and value != before.get(key):
            raise ValueError(f"cannot resume from {path}: it continues another model")
        if value != before.get(key):
            raise ValueError(
                f"cannot resume from {path}: {key} must be {before.get(key)!r} as "
                f"before, got {value!r}; give the same options, or --continue to learn "
                "more files"
            )


def check_same_files(given: Settings, before: list[Any], path: Path) -> None:
    """Raise ValueError if files have changed since a run that is to be resumed."""
    for name, now, then in zip(
        given.files, fingerprint(given.files), before, strict=True
    ):
        if now != then:
            raise ValueError(f"cannot resume from {path}: {name} has changed since")


def load_finished(
    given: Settings, parts: dict[str, Any], path: Path, **more: Any
) -> Trained | None:
    """Load the model of a finished run with the same settings; None if there is none.

    A model of another run is refused: a run that is resumed must not replace it.

    Parameters
    ----------
    given
        Settings of the run.
    parts
        Rules and schedules of the model.
    path
        Where it was saved.
    **more
        Other values that the result depends on.
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
                f"cannot resume from {path}: {key} must be {value!r} as before, got "
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
