"""Formatting of numbers, times, verdicts and commands."""

from __future__ import annotations

import math

from rosenblatt.papers.claims import Claim, Item, Measurement

__all__ = ["brief", "command", "duration", "with_error"]

_ROUNDING = 1e-12  # of a value: sums of a few thousand numbers are rounded by less


def _exact(number: Measurement) -> bool:
    """Return whether there is no standard error, or rounding only."""
    return number.stderr <= _ROUNDING * abs(number.value)


def _digits(number: Measurement) -> int:
    """Return the decimals that show two digits of the standard error."""
    return max(1 - math.floor(math.log10(number.stderr)), 0)


def with_error(number: Measurement | None) -> str:
    """Return a number with the digits that its standard error leaves.

    Examples
    --------
    >>> with_error(Measurement(1.2729090787, 0.00045301))
    '1.27291 +- 0.00045'
    >>> with_error(Measurement(0.0687349855787, 1.4e-18))
    '0.068735'
    >>> with_error(None)
    '-'
    """
    if number is None:
        return "-"
    if not number.sound:
        return f"{number.value:g} +- {number.stderr:g}"
    if _exact(number):
        return f"{number.value:.6g}"
    digits = _digits(number)
    return f"{number.value:.{digits}f} +- {number.stderr:.{digits}f}"


def brief(number: Measurement | None) -> str:
    """Return the same with the standard error of the last digits in parentheses.

    Examples
    --------
    >>> brief(Measurement(1.2729090787, 0.00045301)), brief(Measurement(28.2, 3.6))
    ('1.27291(45)', '28.2(3.6)')
    """
    if number is None or not number.sound or _exact(number):
        return with_error(number)
    digits = _digits(number)
    error = f"{number.stderr:.{digits}f}"
    if number.stderr < 1:
        error = error.replace(".", "").lstrip("0")
    return f"{number.value:.{digits}f}({error})"


def duration(seconds: float) -> str:
    """Return a time in seconds.

    Examples
    --------
    >>> duration(0.001), duration(12.345)
    ('0.0 s', '12.3 s')
    """
    return f"{seconds:.1f} s"


def command(item: Item, *, quick: bool) -> str:
    """Return the command line that reruns an item.

    Examples
    --------
    >>> from rosenblatt.papers import barkai1995
    >>> command(barkai1995.PAPER.claims[0], quick=True)
    'rosenblatt claims barkai1995/eq3/overlap-0.5 --quick'
    """
    hurry = " --quick" if quick else ""
    if isinstance(item, Claim):
        return f"rosenblatt claims {item.id}{hurry}"
    folder = item.id.replace("/", "-")
    return f"rosenblatt reproduce {item.id} --out {folder}{hurry}"
