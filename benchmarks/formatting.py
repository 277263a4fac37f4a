"""Numbers of tables as people read them: 1,400 and 2.2 million, not 1.4e+03."""

from __future__ import annotations

import re

_WORDS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_NUMBER = re.compile(
    r"(-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?)(?: (million|billion|trillion)\b)?"
)


def rounded(value: float, digits: int = 3) -> str:
    """Return a number with a few significant digits.

    Examples
    --------
    >>> rounded(0.05541), rounded(1403.2), rounded(221_400), rounded(6.1e9, 2)
    ('0.0554', '1,400', '221,000', '6.1 billion')
    """
    short = float(f"{value:.{digits}g}")
    for size, word in _WORDS:
        if abs(short) >= size:
            return f"{float(f'{short / size:.{digits}g}'):,g} {word}"
    return f"{short:,.0f}" if abs(short) >= 1000 else f"{short:.{digits}g}"


def number_of(number: int, what: str) -> str:
    """Return a number of things, such as ``1 thread`` and ``2 threads``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def first_number(text: str) -> float | None:
    """Return the first number of a text, also of one that ``rounded`` has written.

    Examples
    --------
    >>> first_number("6.1 billion bits a second"), first_number("none")
    (6100000000.0, None)
    """
    found = _NUMBER.search(text)
    if found is None:
        return None
    sizes = {word: size for size, word in _WORDS}
    return float(found[1].replace(",", "")) * sizes.get(found[2], 1.0)
