"""Texts with formulas as HTML: formulas are MathML, which browsers show offline."""

from __future__ import annotations

import re
from html import escape

from rosenblatt.core.formulas import GREEK, marked

__all__ = ["MATH_STYLE", "as_html", "as_text"]

# Fonts with the table MATH: without one, powers stand too high.
MATH_STYLE = (
    'math { white-space: nowrap; font-family: "Cambria Math", "STIX Two Math", '
    '"Latin Modern Math", "DejaVu Math TeX Gyre", "Noto Sans Math", math; }'
)

# In the order of the names.
_LETTERS = dict(
    zip(
        GREEK,
        "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b7\u03b8\u03ba\u03bb\u03bc\u03bd\u03be"
        "\u03c0\u03c1\u03c3\u03c4\u03c6\u03c8\u03c9\u0393\u0394\u0398\u039b\u03a3"
        "\u03a6\u03a8\u03a9",
        strict=True,
    )
)
_SIGNS = {
    "le": "\u2264",
    "ge": "\u2265",
    "ne": "\u2260",
    "ll": "\u226a",
    "gg": "\u226b",
    "pm": "\u00b1",
    "sim": "\u223c",
    "times": "\u00d7",
    "cdot": "\u00b7",
    "to": "\u2192",
    "nabla": "\u2207",
    "langle": "\u27e8",
    "rangle": "\u27e9",
    "infty": "\u221e",
}
_FUNCTIONS = ("ln", "log", "sin", "cos", "min", "max", "tanh", "erf")
_MEAN = re.compile(r"(?<![\w)])<([A-Za-z|][^<>]*)>")  # an average, <x>
_CLOSE = 'lspace="0" rspace="0"'  # no space on either side
_SLASH = f"<mo {_CLOSE}>/</mo>"
_SPACE = '<mspace width="0.17em"/>'
_LONG = 12  # elements of a formula that must fit into a line of a phone
_BREAKS = {
    f"<mo>{sign}</mo>": f'</math><wbr><math><mo form="infix">{sign}</mo>'
    for sign in ("=", "+", "\u2212", "&lt;", "&gt;", "\u2264", "\u2265", "\u2192")
} | {"<mo>/</mo>": f'</math><wbr><math><mo form="infix" {_CLOSE}>/</mo>'}
_OPENING = re.compile("[(\\[\u27e8]</mo>$")
_CLOSING = re.compile("[)\\]\u27e9]</mo>")  # also with a power or an index
_SIGNS_OF_NUMBERS = ("<mo>\u2212</mo>", "<mo>+</mo>")
_OPERATOR = re.compile("[^)\\]|\u27e9]</mo>$")  # a minus after it is a sign of a number
_FUNCTION = re.compile("<mi>[a-z]{2,}</mi>")
_NEGATIVE = re.compile(r"(?<=[\s(])-(?=\d)")
_POWER = re.compile(r"\^(?:\{([^{}]*)\}|(\w))")
_RAISED = dict(
    zip(
        "0123456789\u2212./",
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u00b7\u2044",
        strict=True,
    )
)
_INDEX = re.compile(r"_(?:\{([^{}]*)\}|(\w))")
_LOWERED = dict(
    zip(
        "0123456789aehijklmnoprstuvx",
        "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u2090\u2091\u2095"
        "\u1d62\u2c7c\u2096\u2097\u2098\u2099\u2092\u209a\u1d63\u209b\u209c\u1d64\u1d65\u2093",
        strict=True,
    )
)
_JOINER = "\u2060"  # no line ends here; browsers end one beside a formula all the same
_JOINED = re.compile(
    f"[(]{_JOINER}<math>(?:(?!</math>).)*</math>(?:{_JOINER}[.,;:)]+)?"
    f"|<math>(?:(?!</math>).)*</math>{_JOINER}[.,;:)]+"
)
_TOKEN = re.compile(
    r"\\(?P<name>[A-Za-z]+|,)|(?P<number>\d+(?:\.\d+)?)|(?P<letter>[A-Za-z])"
    r"|(?P<other>[^\s])|\s+"
)


class _Reader:
    """Reader of a formula, from left to right."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self.tokens = [match for match in _TOKEN.finditer(tex) if match.lastgroup]
        self.at = 0

    def row(self, *, inside: bool = False) -> list[str]:
        """Return the elements up to the end, or up to the end of a group."""
        out: list[str] = []
        while self.at < len(self.tokens):
            text = self.tokens[self.at][0]
            if text == "}":
                self.at += 1
                if inside:
                    break
            elif text == "'":
                self.at += 1
                out.append(f"<mo {_CLOSE}>\u2032</mo>")  # raised in the font
            elif text in "_^":
                out.append(self._scripts(out.pop() if out else "<mrow></mrow>"))
            else:
                element = self._element()
                operator = bool(out) and bool(_OPERATOR.search(out[-1]))
                if operator and element in _SIGNS_OF_NUMBERS:
                    element = element.replace("<mo>", '<mo form="prefix">')
                if _FUNCTION.match(element) and out and not operator:
                    opened = re.search(r"[(\[|\u27e8]</mo>$", out[-1])
                    element = ("" if opened else _SPACE) + element
                out.append(element)
        return out

    def _scripts(self, base: str) -> str:
        """Return a base with its index and its power, in any order."""
        below = above = ""
        while self.at < len(self.tokens) and self.tokens[self.at][0] in "_^":
            power = self.tokens[self.at][0] == "^"
            self.at += 1
            script = self._element()
            below, above = (below, script) if power else (script, above)
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        return f"<msup>{base}{above}</msup>" if above else f"<msub>{base}{below}</msub>"

    def _element(self) -> str:
        if self.at == len(self.tokens):
            return ""
        token = self.tokens[self.at]
        self.at += 1
        kind, text = token.lastgroup, token[0]
        if kind == "number":
            return f"<mn>{text}</mn>"
        if kind == "letter":
            return f"<mi>{text}</mi>"
        if text == "{":
            return f"<mrow>{''.join(self.row(inside=True))}</mrow>"
        if kind == "name":
            return self._command(token["name"])
        sign = escape(text.replace("-", "\u2212"))
        if text == "|" and self.tex[token.start() - 1 : token.end() + 1] != " | ":
            return f'<mo stretchy="false" {_CLOSE}>|</mo>'  # of a size, not "given"
        stretchy = ' stretchy="false"' if text in "()[]|" else ""
        return f"<mo{stretchy}>{sign}</mo>"

    def _command(self, name: str) -> str:
        if name == "sqrt":
            return f"<msqrt>{self._element()}</msqrt>"
        if name == "frac":
            return f"<mfrac>{self._element()}{self._element()}</mfrac>"
        if name in ("mathrm", "operatorname", "text"):
            inner = re.sub(r"<[^>]+>", "", self._element())
            return f"<mi>{inner}</mi>"
        if name in _LETTERS:
            return f"<mi>{_LETTERS[name]}</mi>"
        if name in _SIGNS:
            return f"<mo>{_SIGNS[name]}</mo>" if name != "infty" else "<mi>\u221e</mi>"
        if name == ",":
            return _SPACE
        after = self.tokens[self.at][0] if self.at < len(self.tokens) else "("
        apart = name in _FUNCTIONS and after not in "()[]{}^_/,"
        return f"<mi>{name}</mi>{_SPACE if apart else ''}"


def _breakable(elements: list[str]) -> list[str]:
    """Return a long formula that may break before a sign, in brackets only if long."""
    out: list[str] = []
    opened: list[int] = []  # places of brackets that are open
    for element in elements:
        short = bool(opened) and len(_inside(elements, opened[-1])) <= _LONG
        out.append(element if short else _BREAKS.get(element, element))
        if _OPENING.search(element):
            opened.append(len(out) - 1)
        elif opened and _CLOSING.search(element):
            opened.pop()
    return out


def _inside(elements: list[str], start: int) -> list[str]:
    """Return the elements between an opening bracket and the one that closes it."""
    depth = 0
    for end in range(start, len(elements)):
        depth += bool(_OPENING.search(elements[end]))
        depth -= bool(_CLOSING.search(elements[end]))
        if depth == 0:
            return elements[start + 1 : end]
    return elements[start + 1 :]


def _formula(tex: str) -> str:
    """Return TeX as MathML; a long formula may break before a sign."""
    elements = _Reader(_MEAN.sub(r"\\langle \1\\rangle ", tex)).row()
    if len(elements) > _LONG:
        elements = _breakable(elements)
    inner = "".join(elements).replace("<mo>/</mo>", _SLASH)
    return f"<math>{inner}</math>"


def as_html(text: str) -> str:
    r"""Return text as HTML; formulas are TeX between dollar signs, or plain text.

    Examples
    --------
    >>> as_html("error $R_{0}$ & more")
    'error <math><msub><mi>R</mi><mrow><mn>0</mn></mrow></msub></math> &amp; more'
    >>> as_html("N^2")
    '<math><msup><mi>N</mi><mrow><mn>2</mn></mrow></msup></math>'
    """
    pieces = marked(text).split("$")
    if len(pieces) % 2 == 0:  # a dollar sign without a partner is one
        return escape(text)
    html = "".join(
        _formula(piece) if inside % 2 else _words(piece, first=inside == 0)
        for inside, piece in enumerate(pieces)
    )
    return _JOINED.sub(r'<span style="white-space:nowrap">\g<0></span>', html).replace(
        _JOINER, ""
    )


def _words(text: str, *, first: bool) -> str:
    """Return text beside formulas; a line does not begin with its punctuation."""
    if not first and text[:1] in tuple(".,;:)"):
        text = _JOINER + text
    if text.endswith("("):
        text += _JOINER
    return escape(_NEGATIVE.sub("\u2212", text.replace("+-", "\u00b1")))


def as_text(text: str) -> str:
    r"""Return text with formulas in letters and signs, where nothing can be typeset.

    Examples
    --------
    >>> as_text(r"$|W_0|$ grows as $n^{k+1}$")
    '|W₀| grows as n^(k+1)'
    """
    pieces = marked(text).split("$")
    if len(pieces) % 2 == 0:
        return text
    return "".join(
        _spelled(piece) if inside % 2 else piece for inside, piece in enumerate(pieces)
    )


def _spelled(tex: str) -> str:
    """Return TeX as plain text: letters and signs, without groups.

    An index that Unicode has no letters for keeps its mark: ``R_g`` is not Rg.
    """
    names = _LETTERS | _SIGNS | {"sqrt": "\u221a"}
    names |= dict.fromkeys(("mathrm", "operatorname", "text"), "")
    # and the space that ends it
    name = r"\\([A-Za-z]+)(?: (?=[\w^_),]|$))?"
    tex = re.sub(name, lambda found: names.get(found[1], found[1]), tex)
    tex = _POWER.sub(_power, tex.replace("\\,", " ").replace("-", "\u2212"))
    tex = _INDEX.sub(_index, tex)
    return re.sub(" +", " ", re.sub(r"[{}]", "", tex))


def _index(found: re.Match[str]) -> str:
    """Return an index in small letters, where there are such."""
    text = found[1] or found[2]
    small = all(sign in _LOWERED for sign in text)
    return "".join(_LOWERED[sign] for sign in text) if small else f"_{text}"


def _power(found: re.Match[str]) -> str:
    """Return a power: numbers are raised, others have parentheses."""
    text = found[1] or found[2]
    if set(text) <= set(_RAISED):
        return "".join(_RAISED[sign] for sign in text)
    return f"^({text})" if len(text) > 1 else f"^{text}"
