import re

import pytest

from rosenblatt.charts.labels import as_html, as_text
from rosenblatt.report.running import available


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("words & <more>", "words &amp; &lt;more&gt;"),
        (r"$\epsilon_g$", "<msub><mi>\u03b5</mi><mi>g</mi></msub>"),
        (r"$\eta_0^2$", "<msubsup><mi>\u03b7</mi><mn>0</mn><mn>2</mn></msubsup>"),
        (r"$\sqrt{N}$", "<msqrt><mrow><mi>N</mi></mrow></msqrt>"),
        ("$1 - G$", "<mn>1</mn><mo>\u2212</mo><mi>G</mi>"),
        (r"$\unknown$", "<mi>unknown</mi>"),
        ("$x_{a$", "<msub><mi>x</mi><mrow><mi>a</mi></mrow></msub>"),
        ("$x^$", "<msub><mi>x</mi></msub>"),
        ("$a < b$", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        (
            "$<g> - 1$",
            "<mo>\u27e8</mo><mi>g</mi><mo>\u27e9</mo><mo>\u2212</mo><mn>1</mn>",
        ),
        ("$f'$", '<mi>f</mi><mo lspace="0" rspace="0">\u2032</mo>'),
        (
            "$n \\operatorname{erf}(x)$",
            '<mi>n</mi><mspace width="0.17em"/><mi>erf</mi><mo stretchy="false">(</mo>'
            '<mi>x</mi><mo stretchy="false">)</mo>',
        ),
        (r"$\ln N$", '<mi>ln</mi><mspace width="0.17em"/><mi>N</mi>'),
    ],
)
def test_a_little_tex_becomes_mathml(text, html):
    found = as_html(text)
    assert found == (html if "$" not in text else f"<math>{html}</math>")


def test_signs_of_numbers_are_minus_signs_close_to_them():
    assert '<mo>=</mo><mo form="prefix">\u2212</mo>' in as_html("q = -1.95")
    assert as_html("slopes of -0.3 (-1)") == "slopes of \u22120.3 (\u22121)"
    assert "\u2212" not in as_html("rows 2-3, log-loss")


def test_bars_of_a_size_stand_close_and_a_bar_of_a_condition_apart():
    assert as_html("|w| = 1").count('lspace="0" rspace="0">|</mo>') == 2
    assert '<mo stretchy="false">|</mo>' in as_html("P(g = 1 | h = 1)")
    assert as_html("<|dw|> = 1").startswith("<math><mo>\u27e8</mo><mo")


def test_a_sign_after_an_operator_belongs_to_its_number():
    assert '<mo>=</mo><mo form="prefix">+</mo><mn>1</mn>' in as_html("g = +1")
    assert as_html("with +-1 inputs") == "with \u00b11 inputs"


def test_no_line_begins_with_punctuation_after_a_formula():
    found = as_html("at N = 10: ($N$), $N$ times, $M$")
    together = re.findall(r'<span style="white-space:nowrap">(.*?)</span>', found)
    assert [re.sub("<[^>]+>", "", words) for words in together] == ["N=10:", "(N),"]
    assert re.sub("<[^>]+>", "", found) == "at N=10: (N), N times, M"


def test_a_single_dollar_sign_is_one():
    assert as_html("costs 5 $") == "costs 5 $"


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"density $F_{0}(x)$", "density F\u2080(x)"),
        (r"rate $\eta_{\mathrm{opt}}$", "rate \u03b7_opt"),
        (r"$n^{-3/4}$, a $5 sign$", "n\u207b\u00b3\u2044\u2074, a 5 sign"),
        (
            "t^-0.51, N^2/10^(-3)",
            "t\u207b\u2070\u00b7\u2075\u00b9, N\u00b2/10\u207b\u00b3",
        ),
        ("N to infinity, 1.27/alpha", "N \u2192 \u221e, 1.27/\u03b1"),
        (r"$\lambda = 3$, $\delta w$, $R_{in}$", "\u03bb = 3, \u03b4w, R\u1d62\u2099"),
        ("no formula", "no formula"),
    ],
)
def test_plain_text_has_no_tex(tex, text):
    assert as_text(tex) == text


def test_long_formulas_can_break():
    assert as_html(" + ".join("abcdefgh")).count("</math><wbr><math>") == 7


def test_short_brackets_do_not_break():
    found = as_html("$c = 2p(1 - p)/(1 - 2p)^2 + (a + b + c + d + e + f + g + h)$")
    parts = [re.sub("<[^>]*>", "", part) for part in found.split("<wbr>")]
    assert parts[:3] == ["c", "=2p(1\u2212p)", "/(1\u22122p)2"]
    assert parts[-1] == "+h)"


def test_no_text_of_the_papers_shows_a_formula_as_plain_text():
    words = re.compile(r"\b(alpha|eta|sqrt|epsilon|kappa)\b|\^\(")
    for paper in available():
        texts = [one.statement for one in paper.statements]
        plain = [re.sub(r"<math>.*?</math>", "", as_html(text)) for text in texts]
        assert [text for text in plain if words.search(text)] == []
