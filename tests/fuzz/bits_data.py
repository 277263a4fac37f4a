"""Columns of two levels in CSV and Parquet files, read as packed bits."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet

import rosenblatt as rb
from tests.fuzz.byte_changes import changed_bytes, changed_text
from tests.fuzz.cases import Case, FaultError, Stage

__all__ = ["mutate", "prepare", "run"]

_WORDS = (b"", b"yes", b"2", b"-1", b"1", b"0", b"nan", b"\xff", b"\0", b'"', b'""')


def prepare(folder: Path) -> dict[str, bytes]:
    """Write a table of two levels in both formats."""
    random = np.random.default_rng(0)
    codes = random.integers(0, 2, (3, 40))
    columns = {
        "rich": 2 * codes[0] - 1,
        "tall": np.array(["no", "yes"])[codes[1]],
        "won": codes[2],
    }
    lines = [",".join(columns)]
    lines += [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    found = {"votes.csv": ("\n".join(lines) + "\n").encode()}
    for name, options in (("plain", {"compression": "none"}), ("votes", {})):
        buffer = io.BytesIO()
        pyarrow.parquet.write_table(pa.table(columns), buffer, **options)
        found[f"{name}.parquet"] = buffer.getvalue()
    for name, content in found.items():
        (folder / name).write_bytes(content)
        _read(folder / name, lambda text: None)
    return found


def mutate(golden: dict[str, bytes], random: Random) -> Case:
    """Return a file with other bytes or words."""
    name = random.choice(sorted(golden))
    if name.endswith(".csv") and random.random() < 0.7:
        content, said = changed_text(golden[name], _WORDS, random), "other words"
    else:
        content, said = changed_bytes(golden[name], random)
    return Case(f"{name}: {said}", {name: content})


def run(case: Case, folder: Path, stage: Stage) -> None:
    """Read the file; an error must name it."""
    [name] = case.files
    try:
        _read(folder / name, stage)
    except (ValueError, OSError) as failure:
        if name not in str(failure):
            raise FaultError(f"an error without the file: {failure}") from failure
        raise


def _read(path: Path, stage: Stage) -> None:
    stage("levels")
    rb.bits.levels(path, target="won")
    stage("read")
    for bits, labels in rb.bits.read(path, target="won", rows=16):
        if labels is None or len(bits) != len(labels):
            raise FaultError(f"{bits!r} has other rows than labels")
