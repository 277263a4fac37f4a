import re

import pytest

from rosenblatt.core.formulas import as_html, as_mathtext, as_text
from rosenblatt.report.running import available


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("words & more < words", "words &amp; more &lt; words"),
        (r"$\epsilon_g$", "<i>\u03b5</i><sub><i>g</i></sub>"),
        (r"$\epsilon^{\mathrm{Bayes}}$", "<i>\u03b5</i><sup>Bayes</sup>"),
        (r"$\eta_0^2$", "<i>\u03b7</i><sub>0</sub><sup>2</sup>"),
        ("of order N^-1/2, not r^2/M^2", "of order N<sup>\u22121/2</sup>, "
         "not r<sup>2</sup>/M<sup>2</sup>"),
        ("alpha^(-1/2)", "\u03b1<sup>\u22121/2</sup>"),
        ("alpha^-eta0", "\u03b1<sup>\u2212\u03b7<sub>0</sub></sup>"),
        ("m = 1.5e4", "m = 1.5\u00d710<sup>4</sup>"),
        ("<|dw|> = 1, x < 2", "\u27e8|dw|\u27e9 = 1, x &lt; 2"),
        ("slopes of -0.3 (-1), rows 2-3", "slopes of \u22120.3 (\u22121), rows 2-3"),
        ("costs 5 $", "costs 5 $"),
        (r"$\mathrm{mistakes}^{-1}$", "mistakes<sup>\u22121</sup>"),
    ],
)  # fmt: skip
def test_powers_and_indices_of_html(text, html):
    assert as_html(text) == html


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"rate $\eta_{\mathrm{opt}}$", "rate \u03b7_opt"),
        (r"$n^{-3/4}$", "n\u207b\u00b3\u2044\u2074"),
        ("t^-0.51, n^(k+1)", "t\u207b\u2070\u00b7\u2075\u00b9, n^(k+1)"),
        ("+-1 inputs, 1.27/alpha", "\u00b11 inputs, 1.27/\u03b1"),
        ("no formula", "no formula"),
    ],
)
def test_plain_text_has_no_tex(tex, text):
    assert as_text(tex) == text


def test_matplotlib_gets_tex():
    assert as_mathtext(r"0.28 alpha^(-1/3), $N_x$") == (
        "0.28 \u03b1$^{\u22121/3}$, $N_x$"
    )


def test_no_text_of_the_papers_shows_a_formula_as_plain_text():
    words = re.compile(r"\b(alpha|eta|sqrt|epsilon|kappa)\b|\^|[{}]")
    for paper in available():
        texts = [one.statement for one in paper.statements]
        texts += [one.quote for one in paper.statements]
        assert [text for text in map(as_html, texts) if words.search(text)] == []
