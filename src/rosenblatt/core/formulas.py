r"""Formulas in plain text: ``alpha^(-1/2)`` is found and marked as TeX.

Texts of claims, captions and legends are readable on a terminal. Pages and pictures
show their formulas typeset: :func:`marked` puts dollar signs around each formula and
writes it as TeX. Text between dollar signs stays as it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["GREEK", "marked"]

GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "kappa", "lambda"),
    *("mu", "nu", "xi", "pi", "rho", "sigma", "tau", "phi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Sigma", "Phi", "Psi", "Omega"),
)
_GREEK = {name: f"\\{name}" for name in GREEK} | {
    "eps": "\\epsilon",
    "infinity": "\\infty",
    "grad": "\\nabla ",
}
_FUNCTIONS = (
    *("sqrt", "exp", "log", "ln", "sin", "cos", "tan", "tanh", "arctan", "arccos"),
    *("arcsin", "erf", "erfc", "max", "min", "sgn"),
)
_NOT_IN_TEX = ("erf", "erfc", "sgn")  # functions that TeX has no command for
_SIGNS = {
    "<=": "\\le ",
    ">=": "\\ge ",
    "+-": "\\pm ",
    "!=": "\\ne ",
    "->": "\\to ",
    "<<": "\\ll ",
    ">>": "\\gg ",
    "~": "\\sim ",
    "*": "\\cdot ",
}
# Places in a paper, abbreviations and numbered cases, which are no formulas.
_WORDS = re.compile(
    r"\b(?:[Ee]qs?|[Ss]ections?|[Ff]igures?|[Tt]ables?|[Cc]onditions?|[Cc]orollary|"
    r"[Ll]emmas?|[Tt]heorems?|[Ff]ootnotes?|[Pp]ages?)\.? "
    r"\(?\d+[a-z]?(?:\.\d+)*\)?(?:(?:, | and | to )\(?\d+[a-z]?(?:\.\d+)*\)?)*"
    r"|\be\.g\.|\bi\.e\.|\((?:i|ii|iii|iv|v)\)|'s\b|`[^`]*`|\$[^$]*\$|https?:\S+"
)
_TOKEN = re.compile(
    r"(?P<number>(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?:e[+-]?\d+)?)(?!(?!pi\b)[A-Za-z]{2})"
    r"|(?P<function>\b(?:" + "|".join(_FUNCTIONS) + r")\b)(?=[ (])"
    r"|(?P<greek>(?<![A-Za-z])(?:" + "|".join(_GREEK) + r")(?P<index>\d?)(?![A-Za-z]))"
    r"|(?P<limit>\bto(?= infinity))"
    r"|(?P<letter>(?<![A-Za-z'])(?:d(?=[wWRQ]))?[A-Za-z](?P<number_of>\d|_[A-Za-z]+|)(?![A-Za-z]))"
    r"|(?P<sign><=|>=|\+-|!=|->|<<|>>|[-+*/=<>^_|~.,()\[\]'])"
    r"|(?P<space> +)"
)
_AVERAGE = re.compile(r"(?<![\w)])<[A-Za-z|](?:[^<>=]*[^\s<>=])?>")  # <x>, <|dw|>
_STRONG = ("=", "<", ">", "^", "/", "_")  # signs that make a formula
_NEVER_LAST = {"<=", ">=", *"-+*/=<>^_.,~'"}
_NEVER_FIRST = {*_SIGNS, *"=/^_.,'<>+)]"}
_WORD_LETTERS = ("a", "A", "I")  # words, if they stand alone


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def _tokens(text: str, begin: int, end: int) -> list[_Token]:
    """Return what may be parts of a formula; gaps between them are words."""
    found, at, closing = [], begin, -1
    while at < end:
        average = _AVERAGE.match(text, at, end)
        if average or at == closing:
            kind = "open" if average else "close"
            closing = average.end() - 1 if average else -1
            found.append(_Token(kind, text[at], at, at + 1))
            at += 1
            continue
        match = _TOKEN.match(text, at, end)
        if match is None:
            word = re.compile(r"[A-Za-z0-9]+|.").match(text, at, end)
            assert word is not None
            found.append(_Token("word", word[0], at, word.end()))
            at = word.end()
            continue
        kind = match.lastgroup or ""
        kind = {"index": "greek", "number_of": "letter"}.get(kind, kind)
        found.append(_Token(kind, match[0], at, match.end()))
        at = match.end()
    return found


def _written(token: _Token) -> str:
    """Return a token as TeX."""
    kind, text = token.kind, token.text
    if kind == "number":
        factor, _, power = text.partition("e")
        if not power:
            return text
        front = "" if factor == "1" else f"{factor} \\times "
        return f"{front}10^{{{int(power)}}}"
    if kind in ("greek", "letter"):
        name, _, index = text.partition("_")
        if name[-1].isdigit():
            name, index = name[:-1], name[-1]
        if len(index) > 1:
            index = f"{{\\mathrm{{{index}}}}}"
        name = _GREEK.get(name, f"d {name[1]}" if len(name) == 2 else name)
        return name + (f"_{index}" if index else "") + (" " if kind == "greek" else "")
    if kind == "function":
        return f"\\operatorname{{{text}}}" if text in _NOT_IN_TEX else f"\\{text}"
    if kind in ("open", "close"):
        return "\\langle " if kind == "open" else "\\rangle "
    if kind == "limit":
        return "\\to "
    return _SIGNS.get(text, text)


def _depth(token: _Token) -> int:
    """Return 1 for what opens a group, -1 for what closes one, else 0."""
    if token.kind in ("open", "close"):
        return 1 if token.kind == "open" else -1
    return {"(": 1, "[": 1, ")": -1, "]": -1}.get(token.text, 0)


def _closing(tokens: list[_Token], at: int) -> int:
    """Return the position of the parenthesis that closes the one at ``at``; else -1."""
    depth = 0
    for index in range(at, len(tokens)):
        if tokens[index].kind == "word":
            return -1
        depth += _depth(tokens[index])
        if depth == 0:
            return index
    return -1


def _loose(tokens: list[_Token], last: int) -> bool:
    """Return whether a formula cannot end with this token."""
    kind, text = tokens[last].kind, tokens[last].text
    if kind == "letter" and text in _WORD_LETTERS:  # a word, unless it is an operand
        return last > 1 and (tokens[last - 1].kind, tokens[last - 2].kind) != (
            "space",
            "sign",
        )
    never = text in _NEVER_LAST and kind != "close"
    return never or kind in ("space", "function", "limit")


def _length(tokens: list[_Token], at: int) -> int:
    """Return how many tokens from ``at`` on may be one formula, ends in balance."""
    index = at
    while index < len(tokens):
        token = tokens[index]
        if token.kind == "word" or token.text in (")", "]", ","):
            break
        if token.text == ".":
            around = [*tokens[max(index - 1, at) : index], *tokens[index + 1 :][:1]]
            if [one.kind for one in around] != ["letter", "letter"]:
                break  # w.B is a product, else a sentence ends
        if _depth(token) > 0:
            end = _closing(tokens, index)
            number = index == at and end == index + 2 and token.kind != "open"
            if end < 0 or number:
                break  # words in it, or a number in parentheses
            index = end
        index += 1
    while index > at and _loose(tokens, index - 1):
        index -= 1
    return index - at


def _formula(tokens: list[_Token]) -> bool:
    """Return whether tokens are a formula, not words or numbers of a sentence."""
    kinds = {token.kind for token in tokens}
    if kinds & {"greek", "function", "limit", "open"}:
        return True
    if "letter" not in kinds:
        texts = {token.text for token in tokens}
        return bool(texts & {"^"}) or any("e" in t for t in texts) or "/" in texts
    if any(token.text in _STRONG for token in tokens):
        return True
    letters = [token.text for token in tokens if token.kind == "letter"]
    return len(tokens) > 2 or (len(tokens) == 1 and letters[0] not in _WORD_LETTERS)


def _tex(tokens: list[_Token]) -> str:
    """Return the TeX of a formula: powers and roots of parentheses are groups."""
    out, index = "", 0
    while index < len(tokens):
        token, rest = tokens[index], tokens[index + 1 :]
        group = bool(rest) and rest[0].text == "("
        end = _closing(tokens, index + 1) if group else -1
        if token.text in ("^", "_") and group:
            out += f"{token.text}{{{_tex(tokens[index + 2 : end])}}}"
            index = end + 1
            continue
        if token.text == "^" and rest:
            sign = rest[0].text == "-"
            # N^-1/2 has the power -1/2, but r^2/M^2 is a ratio
            length = 1 + sign
            if sign and [t.text for t in rest[2:3]] == ["/"]:
                length = 4
            out += f"^{{{''.join(map(_written, rest[:length]))}}}"
            index += 1 + length
            continue
        if token.text == "sqrt" and group:
            out += f"\\sqrt{{{_tex(tokens[index + 2 : end])}}}"
            index = end + 1
            continue
        before = tokens[index - 1].kind if index else ""
        star = token.text == "*" and before in ("greek", "letter")
        if star and (not rest or rest[0].kind in ("space", "sign")):
            out += "^{*}"  # the vector w*, not a product
        else:
            out += "." if token.text == "." else _written(token)
        index += 1
    return out


def _marked(text: str, begin: int, end: int) -> str:
    """Return a piece of text, which has no places of papers in it, with formulas."""
    tokens, out, at = _tokens(text, begin, end), "", 0
    while at < len(tokens):
        length = 0
        if tokens[at].kind == "open" or (
            tokens[at].kind not in ("word", "space", "limit", "close")
            and tokens[at].text not in _NEVER_FIRST
        ):
            length = _length(tokens, at)
        piece = tokens[at : at + length]
        if length and _formula(piece):
            tex = _tex(piece).strip()
            out += f"${tex}$"
            at += length
            continue
        out += tokens[at].text
        at += 1
    return out


def marked(text: str) -> str:
    r"""Return a text with its formulas as TeX between dollar signs.

    Examples
    --------
    >>> marked("The error falls as alpha^(-1/2), see eq. (3), at N = 1e4.")
    'The error falls as $\\alpha ^{-1/2}$, see eq. (3), at $N = 10^{4}$.'
    """
    out, at = "", 0
    for found in _WORDS.finditer(text):
        out += _marked(text, at, found.start()) + found[0]
        at = found.end()
    return out + _marked(text, at, len(text))
