"""Results of earlier runs, stored in the folder of the report.

Each item has one file for quick and one for full runs. A file is used only if it has
the same key, a digest of all that the result depends on. It ends with a digest of
itself, which shows damage. Any other result is computed again. Nothing but JSON is
read, so a folder from somebody else cannot run code.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

from rosenblatt.system.atomic_files import write_whole

__all__ = ["Store"]


def _check(key: str, body: str) -> str:
    return hashlib.sha256(f"{key}\n{body}".encode()).hexdigest()


def _number(value: Any) -> Any:
    """Return a number of NumPy's as one of Python's; all else is not for JSON."""
    return value.item()


class Store:
    """Results by name, each with the key that it was computed for.

    Parameters
    ----------
    folder
        Where the files are; None keeps nothing.
    fresh
        Whether to forget what is there.

    Examples
    --------
    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()))
    >>> store.put("barkai1995-fig1", "some digest", {"seconds": 1.5})
    >>> store.get("barkai1995-fig1", "some digest")
    {'seconds': 1.5}
    >>> store.get("barkai1995-fig1", "other sources") is None
    True
    """

    def __init__(self, folder: Path | None, *, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh

    @property
    def writable(self) -> bool:
        """True if results are stored."""
        return self._folder is not None

    @property
    def readable(self) -> bool:
        """True if results of earlier runs are used."""
        return self.writable and not self._fresh

    def get(self, name: str, key: str) -> Any | None:
        """Return the value of a name; None if its key or digest differs."""
        if self._folder is None or self._fresh:
            return None
        try:
            text = (self._folder / f"{name}.json").read_text(encoding="utf-8")
            body, _, check = text.rstrip("\n").rpartition("\n")
            return json.loads(body) if check == _check(key, body) else None
        except (OSError, ValueError):
            return None

    def put(self, name: str, key: str, value: Any) -> None:
        """Store a value; errors of the disk are ignored."""
        if self._folder is None:
            return
        body = json.dumps(value, default=_number)  # all digits, and what is no number
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            content = f"{body}\n{_check(key, body)}\n".encode()
            write_whole(self._folder / f"{name}.json", content)
