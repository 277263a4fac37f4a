"""The same table in every format."""

import gzip

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

__all__ = ["table", "write"]


def table(rows, seed=0):
    """Return columns of numbers, a small category, and labels that depend on them."""
    random = np.random.default_rng(seed)
    a, b = random.standard_normal((2, rows)).round(3)
    side = random.choice(["left", "right", "middle"], rows)
    field = 2 * a - b + (side == "left") + 0.3 * random.standard_normal(rows)
    return {"a": a, "b": 100 * b, "side": side, "won": (field > 0).astype(np.int64)}


def write(columns, path):
    """Write columns to a file, in the format that its name says."""
    name, given = path.name, pyarrow.table(columns)
    if ".csv" in name or ".tsv" in name:
        tab = "\t" if ".tsv" in name else ","
        lines = [tab.join(columns)]
        lines += [
            tab.join(map(str, row)) for row in zip(*columns.values(), strict=True)
        ]
        text = ("\n".join(lines) + "\n").encode()
        path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    elif name.endswith(".parquet"):
        pyarrow.parquet.write_table(given, path, row_group_size=97)
    elif name.endswith(".arrows"):
        with pyarrow.ipc.new_stream(str(path), given.schema) as out:
            out.write_table(given, max_chunksize=50)
    elif name.endswith(".arrow"):
        with pyarrow.ipc.new_file(str(path), given.schema) as out:
            out.write_table(given, max_chunksize=61)
    elif name.endswith(".feather"):
        pyarrow.feather.write_feather(given, str(path), chunksize=70)
    elif name.endswith(".npy"):
        np.save(path, np.stack([np.asarray(c, float) for c in columns.values()], 1))
    return path
