"""Files of images in the idx format, plain and compressed."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

from rosenblatt.tables.idx import read_idx
from tests.fuzz.byte_changes import changed_bytes
from tests.fuzz.cases import Case, FaultError, Stage

__all__ = ["mutate", "prepare", "run"]

_FILE = "images.idx"


def prepare(folder: Path) -> list[bytes]:
    """Return small files of every type of numbers."""
    found = []
    for kind, size in ((8, 1), (9, 1), (11, 2), (12, 4), (13, 4), (14, 8)):
        shape = b"".join(n.to_bytes(4, "big") for n in (3, 2, 2))
        content = bytes([0, 0, kind, 3]) + shape + bytes(range(12 * size))
        found += [content, gzip.compress(content, mtime=0)]
    for content in found:
        (folder / _FILE).write_bytes(content)
        read_idx(folder / _FILE)
    return found


def mutate(golden: list[bytes], random: Random) -> Case:
    """Return a file with other bytes."""
    content = random.choice(golden)
    if content[:2] == b"\x1f\x8b" and random.random() < 0.5:
        inner, said = changed_bytes(gzip.decompress(content), random)
        return Case(f"compressed, {said}", {_FILE: gzip.compress(inner, mtime=0)})
    content, said = changed_bytes(content, random)
    return Case(said, {_FILE: content})


def run(case: Case, folder: Path, stage: Stage) -> None:
    """Read the file; an error must name it."""
    try:
        read_idx(folder / _FILE)
    except ValueError as failure:
        if _FILE not in str(failure):
            raise FaultError(f"an error without the file: {failure}") from failure
        raise
