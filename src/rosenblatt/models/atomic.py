"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file; whatever happens, an older one stays until the new one is complete.

    The content goes to a hidden file beside it, ``.name.*.part``, which takes the name
    once the disk has it all. A process that is killed may leave such a file behind.

    Parameters
    ----------
    path
        The file. A link is followed, and what it leads to is replaced.
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
    target = Path(os.path.realpath(path))
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            with open(partial, "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)
        _settle(target.parent)
    except OSError as failure:
        raise OSError(
            failure.errno,
            f"{path} cannot be written ({failure.strerror}); what was there before is "
            "as it was",
        ) from failure


def _settle(folder: Path) -> None:
    """Have the disk keep the new name, where folders can be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
