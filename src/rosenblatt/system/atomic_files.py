"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a hidden file, which replaces the given one at the end.

    Whatever happens, an older file stays as it is until then. The hidden file is
    ``.name.*.part``, beside the other; a process that is killed may leave it behind.

    Parameters
    ----------
    path
        The file. A link is followed, and what it leads to is replaced.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "note"
    ...     with replacing(path) as partial:
    ...         _ = partial.write_text("new")
    ...     path.read_text(), len(list(Path(folder).iterdir()))
    ('new', 1)
    """
    target = Path(os.path.realpath(path))
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        yield partial
        _settle(partial)
        os.replace(partial, target)
    except OSError as failure:
        if failure.filename not in (None, str(partial)):
            raise
        raise OSError(
            failure.errno,
            f"{path} cannot be written ({failure.strerror or failure}); it is as it "
            "was before",
        ) from failure
    finally:
        partial.unlink(missing_ok=True)
    with suppress(OSError):  # not all systems can do this with a folder
        _settle(target.parent)


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole; an older one stays until the new one is complete.

    Parameters
    ----------
    path
        The file, as in :func:`replacing`.
    content
        All of it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "note"
    ...     write_whole(path, b"old")
    ...     write_whole(path, b"new")
    ...     path.read_bytes(), len(list(Path(folder).iterdir()))
    (b'new', 1)
    """
    with replacing(path) as partial:
        partial.write_bytes(content)


def _settle(place: Path) -> None:
    """Flush a file or folder to the disk."""
    # Windows flushes only files that are open for writing.
    handle = os.open(place, os.O_RDONLY if place.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
