"""Migrations of stored runs of older versions."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rosenblatt.training.settings import Settings

__all__ = ["migrated"]


def migrated(stored: dict[str, Any]) -> dict[str, Any]:
    """Return a stored run in the present form; other versions stay as they are.

    Version 4 adds the columns that look like an id, which are not known of older runs.
    """
    if stored.get("version") == 2:
        stored = _version_3(stored)
    if stored.get("version") == 3:
        encoder = stored.get("encoder")
        known = {**encoder, "ids": []} if isinstance(encoder, dict) else encoder
        stored = stored | {"version": 4, "encoder": known}
    return stored


def _version_3(stored: dict[str, Any]) -> dict[str, Any]:
    """Return a run of version 3 from one of version 2.

    Version 2 has ``levels`` for each text column, None if it is hashed. Version 3 has
    a coding for each. Settings that version 2 has not get their defaults, except that
    its words for missing values are those given only.

    Examples
    --------
    >>> encoder = {"levels": [["a", "(other)"], None], "hash_bits": 4}
    >>> old = {"version": 2, "settings": {}, "encoder": encoder, "record": {}}
    >>> _version_3(old)["encoder"]["codings"][1]
    {'kind': 'hash', 'levels': [], 'mean': 0.0, 'scale': 1.0}
    """
    try:
        encoder, record = dict(stored["encoder"]), dict(stored["record"])
        codings = [
            {
                "kind": "hash" if levels is None else "one-hot",
                "levels": list(levels or ()),
                "mean": 0.0,
                "scale": 1.0,
            }
            for levels in encoder.pop("levels")
        ]
        defaults = {
            f.name: list(f.default) if isinstance(f.default, tuple) else f.default
            for f in fields(Settings)
            if f.name not in ("files", "target")
        }
        settings = defaults | {"missing": []} | dict(stored["settings"])
    except (KeyError, TypeError):
        return stored | {"version": 3}  # damaged: its types are refused
    metrics: dict[str, Any] = {
        "labels": [],
        "wrong": [],
        "confusion": [],
        "bins": [],
        "log_loss": None,
    }
    return stored | {
        "version": 3,
        "settings": settings,
        "encoder": encoder | {"codings": codings, "weighted": False},
        "record": record | {"labels": [], "metrics": metrics, "test": None},
    }
