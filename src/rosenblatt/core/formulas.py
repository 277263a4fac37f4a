r"""Formulas in texts, as HTML, as plain text and as text for matplotlib.

A text is readable on a terminal: ``alpha^(-1/2)``. Between dollar signs is a little
TeX: names of letters and signs, indices and powers. Nothing is parsed: names become
letters, and what stands after ``^`` or ``_`` becomes a power or an index.
"""

from __future__ import annotations

import re
from html import escape, unescape

__all__ = ["as_html", "as_mathtext", "as_text"]

# Names that are no words: HTML knows most of them.
_NAMES = (
    "alpha|beta|gamma|delta|epsilon|eps|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|"
    "tau|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Sigma|Phi|Psi|Omega|"
    "approx|cdot|infty|int|nabla|propto|sim|sqrt"
)
_OTHERS = {"eps": "\u03b5", "cdot": "\u00b7", "infty": "\u221e", "sqrt": "\u221a"}
_OTHERS |= {"to": "\u2192", ",": "\u2009"}
_MARKS = {"<=": "\u2264", ">=": "\u2265", "->": "\u2192", "+-": "\u00b1"}
_MARKS |= {"!=": "\u2260", "~": "\u223c"}
_NAME = re.compile(rf"(?<![A-Za-z])({_NAMES})(?=\d?(?![A-Za-z\d]))")
_POWER_OF_TEN = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)\b")
_INDEX = re.compile(r"(?<![A-Za-z\d\\'])([A-Za-z\u0391-\u03c9])(\d)(?![\w.])")
_MEAN = re.compile(r"(?<![\w)])<((?=\S)(?:(?![a-z]{4})[^<>=])+)>")  # an average, <x>
_SCRIPT = re.compile(r"\^(-?)\(([^()]*)\)|\^()(-\d+/\d+|-?[\d.]*\d|-?\w+|\*)")
_LOW = re.compile(r"(?<=[\w)'\u2207])_([A-Za-z\d\u03b1-\u03c9]+|[*\u221e])")
_TEX_SCRIPT = re.compile(r"([_^])([^{\\\s]|\\[A-Za-z]+)")
_COMMAND = re.compile(r"\\([A-Za-z]+|,) ?")
_GROUP = re.compile(r"([_^])\{([^{}]*)\}")
_ITALIC = re.compile(r"(?<![A-Za-z])([A-Za-z\u03b1-\u03c9])(?![A-Za-z])")
_MINUS = re.compile(
    r"(?<![\w\u2212.)-])-(?=\d)|(?<= )-(?= )|(?<=\()-(?=\w)|(?<== )-(?=\w)"
)
_RAISED = dict(
    zip(
        "0123456789\u2212./",
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u00b7\u2044",
        strict=True,
    )
)


def _letter(found: re.Match[str]) -> str:
    name = found[1]
    known = _OTHERS.get(name) or unescape(f"&{name};")
    return name if known.startswith("&") else known


def _prose(text: str) -> str:
    """Return words with letters and signs, and ``^{}`` and ``_{}`` around scripts."""

    def ten(found: re.Match[str]) -> str:
        front = "" if found[1] == "1" else f"{found[1]}\u00d7"
        return f"{front}10^({int(found[2])})"

    def raised(found: re.Match[str]) -> str:
        power = "".join(group or "" for group in found.groups())
        minus = power.replace("-", "\u2212")
        return f"^{{{minus}}}"

    text = _POWER_OF_TEN.sub(ten, text)
    text = _NAME.sub(_letter, text)
    for sign, mark in _MARKS.items():
        text = text.replace(sign, mark)
    text = _MEAN.sub("\u27e8\\1\u27e9", text)
    text = re.sub("\u221a{([^{}]*)}", "\u221a(\\1)", text)
    text = _SCRIPT.sub(raised, text)
    text = _INDEX.sub(r"\1_{\2}", _LOW.sub(r"_{\1}", text))
    return _MINUS.sub("\u2212", text)


def _tex(text: str) -> str:
    """Return TeX in the same form."""
    text = _TEX_SCRIPT.sub(r"\1{\2}", text.replace("\\mathrm", ""))
    text = _COMMAND.sub(_letter, text)
    # what had a group of its own, such as an upright index
    return re.sub(r"\{\{([^{}]*)\}\}", r"{\1}", text).replace("-", "\u2212")


def _pieces(text: str) -> list[tuple[str, bool]]:
    """Return pieces of a text, and whether each is TeX."""
    pieces = text.split("$")
    if len(pieces) % 2 == 0:  # a dollar sign without a partner is one
        pieces = [text]
    return [(piece, inside % 2 == 1) for inside, piece in enumerate(pieces)]


_SCRIPTS = {"^": ("<sup>", "</sup>"), "_": ("<sub>", "</sub>")}


def as_html(text: str) -> str:
    r"""Return a text as HTML.

    Examples
    --------
    >>> as_html("error $R_{0}$ & more, N^2")
    'error <i>R</i><sub>0</sub> &amp; more, N<sup>2</sup>'
    """

    def scripts(found: re.Match[str]) -> str:
        before, after = _SCRIPTS[found[1]]
        return before + found[2] + after

    out = ""
    for piece, inside in _pieces(text):
        letters = escape(_tex(piece) if inside else _prose(piece), quote=False)
        if inside:
            letters = _ITALIC.sub(r"<i>\1</i>", letters)
        while _GROUP.search(letters):  # from the inside
            letters = _GROUP.sub(scripts, letters)
        out += re.sub(r"[{}]", "", letters)
    return out


def as_text(text: str) -> str:
    r"""Return a text where nothing can be typeset.

    Examples
    --------
    >>> as_text(r"$|W_0|$ grows as $n^{k+1}$, not as alpha^2")
    '|W_0| grows as n^(k+1), not as α²'
    """

    def scripts(found: re.Match[str]) -> str:
        sign, inner = found.groups()
        if sign == "^" and set(inner) <= set(_RAISED):
            return "".join(_RAISED[letter] for letter in inner)
        return f"{sign}({inner})" if len(inner) > 1 and sign == "^" else sign + inner

    letters = "".join(_tex(p) if inside else _prose(p) for p, inside in _pieces(text))
    return re.sub(r"[{}]", "", _GROUP.sub(scripts, letters))


def as_mathtext(text: str) -> str:
    r"""Return a text for matplotlib, which reads TeX itself.

    Examples
    --------
    >>> as_mathtext(r"1.27/alpha, alpha^(1/2) and $\epsilon_g$")
    '1.27/α, α$^{1/2}$ and $\\epsilon_g$'
    """
    return "".join(
        f"${piece}$" if inside else _GROUP.sub(r"$\g<0>$", _prose(piece))
        for piece, inside in _pieces(text)
    )
