import pytest

from rosenblatt.report.page.labels import as_html, as_text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a < b & c", "a &lt; b &amp; c"),
        (r"error $\epsilon_g$", "error <i>\u03b5</i><sub><i>g</i></sub>"),
        (r"$\epsilon^{ab}$", "<i>\u03b5</i><sup><i>a</i><i>b</i></sup>"),
        (r"$R^2/M^2$", "<i>R</i><sup>2</sup>/<i>M</i><sup>2</sup>"),
        (r"$\alpha\,x$", "<i>\u03b1</i>\u2009<i>x</i>"),
        ("$1 - G$", "1 \u2212 <i>G</i>"),
        (r"$\unknown$", "<i>unknown</i>"),
        ("costs 5 $", "costs 5 $"),
        ("$x_{a$", "<i>x</i><sub><i>a</i></sub>"),
        ("$a < b$", "<i>a</i> &lt; <i>b</i>"),
    ],
)
def test_a_little_tex_is_understood(text, html):
    assert as_html(text) == html


def test_plain_text_has_no_markup():
    assert as_text(r"density $F_{0}(x)$") == "density F0(x)"
