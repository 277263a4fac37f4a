"""Tables with columns of all kinds, and their rows for runtimes of exports."""

import numpy as np
import pandas as pd

__all__ = ["given", "rows_of_c", "table"]

NUMBERS = ("age", "new price", "member", "*/ /* int")
TEXTS = ("city", "int")
DATES = ("joined",)


def table(seed, rows=300, unseen=False):
    """Return a table with gaps, and labels that depend on all kinds of columns."""
    random = np.random.default_rng(seed)
    age = random.normal(40.0, 12.0, rows)
    price = random.lognormal(3.0, 1.0, rows)
    member = random.random(rows) < 0.3
    city = random.choice(["Riga", "Oslo", 'B"rn\\', "Z\u00fcrich"], rows).astype(object)
    kind = random.choice(["a", "", "c"], rows).astype(object)
    seconds = random.integers(1_500_000_000, 1_700_000_000, rows)
    joined = seconds.astype("M8[s]")
    late = seconds > 1_600_000_000
    field = (age - 40) / 12 + member + (city == "Oslo") + (kind == "c") - late
    y = field + random.normal(0.0, 0.3, rows) > 0.5
    gaps = random.random((4, rows)) < 0.1
    age[gaps[0]] = np.nan
    city[gaps[1]] = None
    joined[gaps[2]] = np.datetime64("NaT")
    if unseen:
        city[gaps[3]] = "Paris"
    frame = pd.DataFrame(
        {
            "age": age,
            "new price": price,
            "city": city,
            "member": member,
            "joined": joined,
            "int": kind,
            "*/ /* int": age**2 - price,
        }
    )
    return frame, y


def given(frame):
    """Return the inputs of an ONNX graph."""
    found = {n: frame[n].to_numpy(float)[:, None] for n in NUMBERS}
    for name in TEXTS:
        texts = [text if isinstance(text, str) else "" for text in frame[name]]
        found[name] = np.array(texts, object)[:, None]
    for name in DATES:
        seconds = frame[name].to_numpy("M8[s]").astype(np.int64).astype(float)
        found[name] = np.where(frame[name].isna(), np.nan, seconds)[:, None]
    return found


def rows_of_c(frame):
    """Return the rows as values of an array of structures in C."""
    columns = given(frame)
    lines = []
    for i, row in enumerate(frame.to_dict("records")):
        entries = []
        for name in row:
            value = columns[name][i, 0]
            if name in TEXTS:
                text = row[name]
                octal = "".join(f"\\{b:03o}" for b in str(text).encode())
                entries.append(f'"{octal}"' if isinstance(text, str) else "NULL")
            else:
                entries.append("NAN" if np.isnan(value) else float(value).hex())
        fields = ", ".join(f".{FIELDS[n]} = {e}" for n, e in zip(row, entries))  # noqa: B905
        lines.append(f"{{ {fields} }}")
    return ",\n".join(lines)


FIELDS = {
    "age": "age",
    "new price": "new_price",
    "city": "city",
    "member": "member",
    "joined": "joined",
    "int": "int_",
    "*/ /* int": "______int",
}
