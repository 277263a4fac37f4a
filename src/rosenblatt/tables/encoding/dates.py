"""Dates and times as features: elapsed days, day of the week, cycles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["DAY_PARTS", "PARTS", "date_features", "elapsed", "parse_dates"]

_WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAY_PARTS = ("elapsed", "year sin", "year cos", *_WEEK)
PARTS = (*DAY_PARTS, "hour sin", "hour cos")  # of columns with a time of day
_ISO = re.compile(
    r"(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d))?[\d.:Z +-]*)?"
)
_DAY = 86400.0  # seconds
_YEAR = 365.2425  # days
_MONDAY = 3  # 1970-01-01 was a Thursday


def parse_dates(values: Sequence[str]) -> npt.NDArray[Any]:
    """Return dates and times in ISO 8601, in seconds; NaT for other text.

    A slash may stand for a hyphen. Fractions of seconds and time zones are left out:
    the time is that of the clock on the wall.

    Examples
    --------
    >>> parse_dates(["2024-02-29", "2024/3/1 07:30", "2024-03-01T07:30:59Z", "soon"])
    array(['2024-02-29T00:00:00', '2024-03-01T07:30:00',
           '2024-03-01T07:30:59',                 'NaT'], dtype='datetime64[s]')
    """
    found = np.full(len(values), "NaT", "datetime64[s]")
    try:
        found[:] = np.array([value[:19] for value in values], "datetime64[s]")
        if min(map(len, values), default=0) >= 10:  # not years alone
            return found
    except ValueError:
        pass
    for i, value in enumerate(values):
        match = _ISO.fullmatch(value.strip())
        found[i] = _moment(match) if match else "NaT"
    return found


def _moment(match: re.Match[str]) -> Any:
    year, month, day, *rest = (int(group or 0) for group in match.groups())
    text = f"{year:04}-{month:02}-{day:02}T" + ":".join(f"{part:02}" for part in rest)
    try:
        return np.datetime64(text, "s")
    except ValueError:  # no such day
        return np.datetime64("NaT", "s")


def elapsed(when: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return days since 1970; NaN for NaT."""
    days = when.astype("datetime64[s]").astype(np.int64) / _DAY
    return np.where(np.isnat(when), np.nan, days)


def date_features(
    when: npt.NDArray[Any], parts: Sequence[str], mean: float, scale: float
) -> npt.NDArray[np.float64]:
    """Return the parts of dates, one column each; zeros for NaT.

    ``mean`` and ``scale`` standardise the elapsed days.

    Examples
    --------
    >>> monday = parse_dates(["2024-01-01T06:00:00"])
    >>> date_features(monday, ("Mon", "Tue", "hour sin"), 0.0, 1.0)
    array([[1., 0., 1.]])
    """
    days = np.nan_to_num(elapsed(when))
    year, hour = 2 * np.pi * days / _YEAR, 2 * np.pi * days
    weekday = (np.floor(days).astype(np.int64) + _MONDAY) % 7
    known: dict[str, Any] = {
        "elapsed": lambda: (days - mean) / scale,
        "year sin": lambda: np.sin(year),
        "year cos": lambda: np.cos(year),
        "hour sin": lambda: np.sin(hour),
        "hour cos": lambda: np.cos(hour),
    }
    known |= {name: lambda k=k: weekday == k for k, name in enumerate(_WEEK)}
    found = np.stack([known[part]() for part in parts], axis=1).astype(np.float64)
    found[np.isnat(when)] = 0.0
    return found
