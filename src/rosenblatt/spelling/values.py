"""Parsers of plain values: numbers, words, lists."""

from __future__ import annotations

from typing import Any

__all__ = ["number", "split", "value", "whole"]

_WORDS = {"none": None, "true": True, "false": False}


def number(name: str, text: str) -> float:
    """Return a number.

    Examples
    --------
    >>> number("rate", "fast")
    Traceback (most recent call last):
    ValueError: rate must be a number, got 'fast'
    """
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name} must be a number, got {text!r}") from None


def whole(name: str, text: str) -> int:
    """Return a whole number, which may be written like 1e6.

    Examples
    --------
    >>> whole("dim", "1e6")
    1000000
    """
    try:
        return int(text)  # exact, however many digits there are
    except ValueError:
        result = number(name, text)
    if not result.is_integer():
        raise ValueError(f"{name} must be a whole number, got {text!r}")
    return int(result)


def split(text: str) -> list[str]:
    """Split at commas outside parentheses.

    Examples
    --------
    >>> split("margin=1, by=fixed-shift(mean=1,teacher=2)")
    ['margin=1', 'by=fixed-shift(mean=1,teacher=2)']
    """
    pieces, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return [piece.strip() for piece in pieces] if text.strip() else []


def value(name: str, kinds: tuple[Any, ...], text: str) -> Any:
    """Return a value of one of these types; without a type, a number or the text.

    Examples
    --------
    >>> value("mean", (float, type(None)), "none") is None
    True
    >>> value("mean", (float, type(None)), "1e3")
    1000.0
    """
    word = text.lower()
    if word in _WORDS and type(_WORDS[word]) in kinds:
        return _WORDS[word]
    if float in kinds:
        return number(name, text)
    if int in kinds:
        return whole(name, text)
    if str in kinds:
        return text
    if bool in kinds:
        raise ValueError(f"{name} must be true or false, got {text!r}")
    try:
        return number(name, text)
    except ValueError:
        return text
