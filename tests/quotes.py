"""All quotations are in the papers: ``python -m tests.quotes FOLDER`` looks for them.

The folder has one text for each paper, whose name or content tells which it is. Words
are compared without punctuation, and formulas without the commands and braces of TeX,
since the texts were read by machine.
"""

import re
import sys
from pathlib import Path

from rosenblatt.report import select

TITLES = {  # words that only the text of one paper begins with
    "barkai1995": "On-line Learning of Dichotomies",
    "bhattacharya1995": "On the rate of convergence of perceptron learning",
    "golea1993": "On Learning Perceptrons with Binary Weights",
    "seung2002": "9.641 Lecture 3",
    "winther1997": "Bayesian online learning in the perceptron",
}
_COMMANDS = re.compile(
    r"\\(?:mathbf|mathcal|mathrm|text|left|right|frac|hat|boldsymbol|big|Big|tag"
    r"|begin|end|operatorname|,|;|quad|langle|rangle)"
)
_NAMES = {"epsilon": "eps", "varepsilon": "eps", "leq": "le", "geq": "ge"}
_LETTERS = {
    "\u03b1": "alpha",
    "\u03b5": "eps",
    "\u03f5": "eps",
    "\u03b7": "eta",
    "\u03c3": "sigma",
    "\u03c1": "rho",
}


def canonical(text):
    """Return a text without what machines read differently: letters, digits, signs."""
    for letter, name in (_LETTERS | {"<=": "le", ">=": "ge"}).items():
        text = text.replace(letter, name)
    text = _COMMANDS.sub(" ", text.replace("\\\\", " "))
    for name, short in _NAMES.items():
        text = re.sub(rf"\\?{name}", short, text)
    return re.sub(r"[^a-z0-9+=<>-]", "", text.lower()).replace("-", "")


def missing(folder):
    """Return ids and quotations that the text of their paper does not have."""
    texts = {}
    for path in sorted(Path(folder).iterdir()):
        text = path.read_text(encoding="utf-8")
        for key, title in TITLES.items():
            if canonical(title) in canonical(text[:2000]):
                texts[key] = canonical(text)
    found = []
    for paper in select():
        for item in paper.statements:
            if item.quote and canonical(item.quote) not in texts[paper.key]:
                found.append((item.id, item.quote))
    return found


if __name__ == "__main__":
    lost = missing(sys.argv[1])
    for name, words in lost:
        print(f"{name}: {words}")
    print(f"{len(lost)} quotations are not in the texts")
    sys.exit(bool(lost))
