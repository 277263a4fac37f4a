"""What a store says about the sweeps in it: enough to collect their results.

A manifest holds labels and digests, not parts: whoever opens a sweep needs neither the
code that computed it nor the same version of this package.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.sweeps.keys import Group, Keys
from rosenblatt.sweeps.plan import Plan
from rosenblatt.sweeps.store import Store, StoreError

__all__ = ["Manifest", "last", "manifest_of", "write"]

_FORMAT = 1
_LAST = "last"  # the file that names the sweep that was started last


class Manifest(NamedTuple):
    """A sweep as a store knows it."""

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
    """Return what is to be kept of a plan."""
    names = [axis.name for axis in plan.axes]
    return Manifest(name, plan.title, plan.code, names, plan.coordinates(), plan.keys)


def _text(manifest: Manifest) -> bytes:
    keys = manifest.keys
    said = {
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
    text = json.dumps(said)
    check = hashlib.sha256(text.encode()).hexdigest()
    return f"{text}\n{check}\n".encode()


def write(store: Store, manifest: Manifest) -> None:
    """Keep a manifest, and that it is the last one."""
    text = _text(manifest)
    file = f"{manifest.name}-{hashlib.sha256(text).hexdigest()[:16]}.json"
    store.write(store.folder / "sweeps" / file, text)
    store.write(store.folder / "sweeps" / _LAST, file.encode())


def _read(path: Path) -> Manifest:
    try:
        text, check = path.read_text("utf-8").splitlines()
        if hashlib.sha256(text.encode()).hexdigest() != check:
            raise ValueError
        said = json.loads(text)
    except (ValueError, FileNotFoundError):
        raise _damaged(path) from None
    groups = [
        Group(name, axes, [bytes.fromhex(digest) for digest in digests])
        for name, axes, digests in said["groups"]
    ]

    def labels(given: list[Any]) -> npt.NDArray[Any]:
        text = any(isinstance(entry, str) for entry in given)
        return np.array(given, dtype=object if text else None)

    return Manifest(
        said["name"],
        said["task"],
        said["code"],
        said["axes"],
        {n: (axis, labels(given)) for n, (axis, given) in said["coordinates"].items()},
        Keys(bytes.fromhex(said["start"]), tuple(said["shape"]), groups),
    )


def _damaged(path: Path) -> StoreError:
    return StoreError(
        f"{str(path)!r} is damaged; run the sweep again: it is written anew, and "
        "nothing that is stored is computed again"
    )


def last(folder: Path) -> Manifest:
    """Return the sweep that was started last in a store."""
    try:
        name = (folder / "sweeps" / _LAST).read_text("utf-8")
    except UnicodeDecodeError:
        raise _damaged(folder / "sweeps" / _LAST) from None
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(
            f"store must be the folder of a sweep, got {str(folder)!r}"
        ) from None
    if not name:
        raise _damaged(folder / "sweeps" / _LAST)
    return _read(folder / "sweeps" / name)
