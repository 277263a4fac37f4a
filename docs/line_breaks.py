"""Line breaks of HTML pages: numbers stay with their units, long names may break.

No line begins with the punctuation that follows a formula. In tables, units, dates and
comparisons stay on one line. Code breaks after a slash, a comma or a bracket, never
inside an option such as ``--out``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

_SHORT = 16  # letters that fit into a line of a narrow column
_LONG = 28  # letters of a name that may also break at an underscore
_UNITS = r"(?:[munµ]?s|[kKMGTP]i?B|GB/s|times)\b"
_TOGETHER = [  # a space here, or a hyphen, ends no line
    (re.compile(rf"(?<=\d) (?={_UNITS})"), "\u00a0"),
    (re.compile(r"(?<=[<>=±]) (?=[-\d])"), "\u00a0"),
    (re.compile(r"(?<=\d) (?=\d{3}\b)"), "\u00a0"),
    (re.compile(r"(?<=\w) =(?=\s)"), "\u00a0="),
    (re.compile(r"(?<=\d{4})-(\d\d)-(?=\d\d\b)"), "\u2011\\1\u2011"),
]
_ENDS = re.compile(r"(?<=[/,(=:|])(?=[\w\"'])|(?<=\w\.)(?=[A-Z])")
_PUNCTUATION = ".,;:)?!"
_PUBLIC = re.compile(r"(?<=\w\.)(?=[A-Za-z_])")  # in rosenblatt.rules.Hebb, rb.solve


def unbroken(text: str) -> str:
    r"""Return text of a table whose numbers stay with what belongs to them.

    Examples
    --------
    >>> unbroken("<= 0.4 s").replace("\\u00a0", "_")
    '<=_0.4_s'
    """
    for pattern, together in _TOGETHER:
        text = pattern.sub(together, text)
    return text


def pieces(code: str) -> list[str]:
    """Return code in pieces; a line may end between them.

    Examples
    --------
    >>> pieces("tests/rules/test_perceptron.py"), pieces("--checkpoint-every 60s")
    (['tests/', 'rules/', 'test_perceptron.py'], ['--checkpoint-every 60s'])
    """
    found = []
    for word in re.split(r"(?<=\s)", code):
        ends = {0, len(word)}
        if len(word) > _SHORT:
            ends |= {m.start() for m in _ENDS.finditer(word)}
            if word.startswith(("rosenblatt.", "rb.")):
                ends |= {m.start() for m in _PUBLIC.finditer(word)}
        edges = sorted(ends)
        parts = [word[a:b] for a, b in itertools.pairwise(edges)]
        for part in parts:
            long = len(part) > _LONG
            found += re.split(r"(?<=[a-z]_)(?=[a-z])", part) if long else [part]
    return found


def _breakable(parts: list[str]) -> Iterator[nodes.Node]:
    for index, part in enumerate(parts):
        if index and not parts[index - 1].endswith((" ", "\n")):
            yield nodes.raw("", "<wbr>", format="html")
        yield nodes.Text(part)


class LineBreaks(SphinxPostTransform):
    """Set the line breaks of a page."""

    default_priority = 700
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Change code, tables, titles that are names, and lists of parameters."""
        for code in list(self.document.findall(nodes.literal)):
            if len(code.children) == 1 and isinstance(code[0], nodes.Text):
                code[:] = list(_breakable(pieces(code.astext())))
        for title in list(self.document.findall(nodes.title)):
            if title.astext().startswith("rosenblatt.") and len(title.children) == 1:
                title[:] = list(_breakable(_PUBLIC.split(title.astext())))
        for formula in list(self.document.findall(nodes.math)):
            _join_punctuation(formula)
        for kind, change in ((nodes.entry, unbroken), (nodes.field_body, _dash)):
            for place in list(self.document.findall(kind)):
                for text in list(place.findall(nodes.Text)):
                    if not isinstance(text.parent, nodes.literal | nodes.math):
                        text.parent.replace(text, nodes.Text(change(str(text))))


def _join_punctuation(formula: nodes.math) -> None:
    """Put a formula and the punctuation after it into a span that does not break."""
    after = formula.next_node(descend=False, siblings=True)
    if not isinstance(after, nodes.Text):
        return
    text = str(after)
    rest = text.lstrip(_PUNCTUATION)
    if rest == text:
        return
    parent = formula.parent
    place = parent.index(formula)
    joined = nodes.inline("", "", classes=["unbroken"])
    joined += [formula, nodes.Text(text[: len(text) - len(rest)])]
    parent[place : place + 2] = [joined, nodes.Text(rest)] if rest else [joined]


def _dash(text: str) -> str:
    return re.sub("^ -- ", " \u2013 ", text)


def _no_links_to_words(app: Sphinx, page: nodes.document) -> None:
    """Unlink words of a type, such as the shape of an array, from attributes."""
    for link in list(page.findall(pending_xref)):
        if link.get("reftype") == "class" and link.get("reftarget") in ("shape",):
            link.replace_self(link.children)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx about both."""
    app.add_post_transform(LineBreaks)
    app.connect("doctree-read", _no_links_to_words)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
