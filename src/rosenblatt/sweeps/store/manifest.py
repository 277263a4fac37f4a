"""Manifests of sweeps in a store: enough to collect their results.

A manifest holds labels and digests, not parts. To open a sweep, neither the code that
computed it nor the same version of this package is needed.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.sweeps.plan.keys import Group, Keys
from rosenblatt.sweeps.plan.plan import MOST, Plan
from rosenblatt.sweeps.store.store import Store, StoreError, check_format
from rosenblatt.system.digests import SIZE

__all__ = ["Manifest", "manifest_of", "read_last", "write"]

_FORMAT = 1
_FILE = re.compile(r"[^/\\\0]{1,200}-[0-9a-f]{16}\.json")
_ENTRIES = {"name", "task", "code", "shape", "axes", "coordinates", "start", "groups"}
_LAST = "last"  # the file that names the sweep that was started last


class Manifest(NamedTuple):
    """Name, axes and keys of a sweep in a store."""

    name: str
    task: str
    code: str
    axes: list[str]
    coordinates: dict[str, tuple[str, npt.NDArray[Any]]]
    keys: Keys

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of values on the axes."""
        return self.keys.shape


def manifest_of(plan: Plan, name: str) -> Manifest:
    """Return the manifest of a plan."""
    names = [axis.name for axis in plan.axes]
    return Manifest(name, plan.title, plan.code, names, plan.coordinates(), plan.keys)


def _text(manifest: Manifest) -> bytes:
    keys = manifest.keys
    plain = {
        "format": _FORMAT,
        "name": manifest.name,
        "task": manifest.task,
        "code": manifest.code,
        "shape": keys.shape,
        "axes": manifest.axes,
        "coordinates": {
            name: [axis, labels.tolist()]
            for name, (axis, labels) in manifest.coordinates.items()
        },
        "start": keys.start.hex(),
        "groups": [
            [name, axes, [digest.hex() for digest in digests]]
            for name, axes, digests in keys.groups
        ],
    }
    text = json.dumps(plain)
    check = hashlib.sha256(text.encode()).hexdigest()
    return f"{text}\n{check}\n".encode()


def write(store: Store, manifest: Manifest) -> None:
    """Write a manifest, and name it as the last one."""
    text = _text(manifest)
    file = f"{manifest.name}-{hashlib.sha256(text).hexdigest()[:16]}.json"
    store.write(store.folder / "sweeps" / file, text)
    store.write(store.folder / "sweeps" / _LAST, file.encode())


def _texts(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(entry, str) for entry in given)


def _whole(given: Any, low: int, high: int) -> bool:
    whole = isinstance(given, list) and all(type(entry) is int for entry in given)
    return whole and all(low <= entry < high for entry in given)


def _labels(given: Any) -> npt.NDArray[Any]:
    """Return labels as an array of numbers, or of objects if some are text."""
    _expect(isinstance(given, list))
    _expect(all(isinstance(entry, bool | int | float | str) for entry in given))
    text = any(isinstance(entry, str) for entry in given)
    return np.array(given, dtype=object if text else None)


def _expect(right: bool) -> None:
    if not right:
        raise ValueError


def _checked(plain: Any) -> Manifest:
    """Return a manifest; anything that :func:`write` does not write is an error."""
    _expect(isinstance(plain, dict) and set(plain) == _ENTRIES)
    axes, shape = plain["axes"], plain["shape"]
    _expect(_texts([plain["name"], plain["task"], plain["code"]]) and _texts(axes))
    _expect(len(set(axes)) == len(axes) == len(shape) and _whole(shape, 1, MOST + 1))
    _expect(math.prod(shape) <= MOST)
    sizes = dict(zip(axes, shape, strict=True))
    coordinates = {}
    _expect(isinstance(plain["coordinates"], dict))
    for name, (axis, given) in plain["coordinates"].items():
        labels = _labels(given)
        _expect(axis in sizes and labels.shape == (sizes[axis],))
        coordinates[name] = (axis, labels)
    _expect(all(coordinates.get(name, ("",))[0] == name for name in axes))
    groups = []
    for name, numbers, digests in plain["groups"]:
        _expect(isinstance(name, str) and _whole(numbers, 0, len(axes)))
        _expect(len(digests) == math.prod(shape[number] for number in numbers))
        found = [bytes.fromhex(digest) for digest in digests]
        _expect(all(len(digest) in (0, SIZE) for digest in found))
        groups.append(Group(name, numbers, found))
    start = bytes.fromhex(plain["start"])
    _expect(len(start) == SIZE)
    keys = Keys(start, tuple(shape), groups)
    return Manifest(
        plain["name"], plain["task"], plain["code"], axes, coordinates, keys
    )


def _read(path: Path) -> Manifest:
    try:
        text, check = path.read_text("utf-8").splitlines()
        if hashlib.sha256(text.encode()).hexdigest() != check:
            raise ValueError
        plain = json.loads(text)
        number = plain.pop("format")
    except (ValueError, TypeError, KeyError, AttributeError, OSError, RecursionError):
        raise _damaged(path) from None
    if number != _FORMAT or type(number) is not int:
        raise StoreError(
            f"{str(path)!r} must have the format {_FORMAT}, got {str(number)[:40]!r}"
        )
    try:
        return _checked(plain)
    except (ValueError, TypeError, OverflowError):
        raise _damaged(path) from None


def _damaged(path: Path) -> StoreError:
    return StoreError(
        f"{str(path)!r} is damaged; run the sweep again: it is written anew, and "
        "nothing that is stored is computed again"
    )


def read_last(folder: Path) -> Manifest:
    """Return the sweep that was started last in a store."""
    try:
        name = (folder / "sweeps" / _LAST).read_text("utf-8")
    except UnicodeDecodeError:
        raise _damaged(folder / "sweeps" / _LAST) from None
    except OSError:
        raise StoreError(
            f"store must be the folder of a sweep, got {str(folder)!r}"
        ) from None
    if not _FILE.fullmatch(name):  # nothing but a file beside this one
        raise _damaged(folder / "sweeps" / _LAST)
    check_format(folder)
    return _read(folder / "sweeps" / name)
