"""Labels with a little TeX in them, as HTML."""

from __future__ import annotations

import re
from html import escape

__all__ = ["as_html", "as_text"]

_SIGNS = {
    "alpha": "\u03b1",
    "beta": "\u03b2",
    "gamma": "\u03b3",
    "delta": "\u03b4",
    "epsilon": "\u03b5",
    "eta": "\u03b7",
    "theta": "\u03b8",
    "kappa": "\u03ba",
    "lambda": "\u03bb",
    "mu": "\u03bc",
    "pi": "\u03c0",
    "rho": "\u03c1",
    "sigma": "\u03c3",
    "phi": "\u03c6",
    "le": "\u2264",
    "ge": "\u2265",
    "times": "\u00d7",
    "cdot": "\u00b7",
    "infty": "\u221e",
    ",": "\u2009",
}
_TOKEN = re.compile(r"\\([A-Za-z]+|,)\s*|([_^])|([{}])|([A-Za-z])|(\s+)|(.)")
_RAISED = {"_": "sub", "^": "sup"}


def _formula(text: str) -> str:
    """Return a formula as HTML: signs, letters, indices, powers."""
    out: list[str] = []
    closing: list[str] = []  # of the groups that are open
    pending = ""  # an index or a power of which nothing was seen yet
    for name, index, brace, letter, space, other in _TOKEN.findall(text):
        if index:
            pending = _RAISED[index]
            out.append(f"<{pending}>")
            continue
        if brace == "{":
            closing.append(f"</{pending}>" if pending else "")
            pending = ""
            continue
        if brace == "}":
            out.append(closing.pop() if closing else "")
            continue
        if name:
            sign = _SIGNS.get(name, name)
            out.append(f"<i>{sign}</i>" if sign.isalpha() else sign)
        elif letter:
            out.append(f"<i>{letter}</i>")
        else:
            out.append(" " if space else escape(other.replace("-", "\u2212")))
        if pending:
            out.append(f"</{pending}>")
            pending = ""
    return "".join([*out, *reversed(closing), f"</{pending}>" if pending else ""])


def as_html(text: str) -> str:
    r"""Return text as HTML; what stands between dollar signs is a formula.

    Examples
    --------
    >>> as_html("error $R_{0}^2$ & more")
    'error <i>R</i><sub>0</sub><sup>2</sup> &amp; more'
    """
    pieces = text.split("$")
    if len(pieces) % 2 == 0:  # a dollar sign without a partner is one
        return escape(text)
    return "".join(
        _formula(piece) if inside % 2 else escape(piece)
        for inside, piece in enumerate(pieces)
    )


def as_text(text: str) -> str:
    r"""Return a label as plain text.

    Examples
    --------
    >>> as_text(r"$|W|$ after $n$ examples")
    '|W| after n examples'
    """
    return re.sub(r"<[^>]+>", "", as_html(text))
