import math

import pytest

from rosenblatt.papers import barkai1995
from rosenblatt.papers.claims import Measurement
from rosenblatt.report.results import brief, command, with_error


@pytest.mark.parametrize(
    ("value", "stderr", "long", "short"),
    [
        (1.2729090787, 0.00045301, "1.27291 +- 0.00045", "1.27291(45)"),
        (0.0012701, 1.7e-6, "0.0012701 +- 0.0000017", "0.0012701(17)"),
        (28.4567, 0.3421, "28.46 +- 0.34", "28.46(34)"),
        (28.4567, 3.421, "28.5 +- 3.4", "28.5(3.4)"),
        (1234.5, 34.2, "1234 +- 34", "1234(34)"),
        (1.0, 0.0, "1", "1"),
        (math.nan, 0.1, "nan +- 0.1", "nan +- 0.1"),
    ],
)
def test_numbers_show_two_digits_of_their_error(value, stderr, long, short):
    assert with_error(Measurement(value, stderr)) == long
    assert brief(Measurement(value, stderr)) == short


def test_commands_rerun_the_item():
    figure = barkai1995.PAPER.figures[0]
    assert command(figure, quick=True) == (
        "rosenblatt reproduce barkai1995/fig1 --out barkai1995-fig1 --quick"
    )
    erratum = barkai1995.PAPER.errata[0]
    assert command(erratum, quick=False) == f"rosenblatt claims {erratum.id}"
