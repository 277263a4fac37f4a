from dataclasses import replace

import numpy as np
import pytest

from rosenblatt.papers.barkai1995.figure_1 import CLAIMS, figure_1
from rosenblatt.papers.verdicts import Verdict, settle


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_are_reproduced(claim, settled):
    outcome = settled(claim)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.reason


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_would_catch_what_they_say(claim, settled):
    outcome = settled(claim)
    wrong = outcome.expected.value + 2 * claim.catches
    off = replace(
        claim, expected=wrong, published=None, measure=lambda quick: outcome.measured
    )
    assert settle(off, quick=True).verdict is Verdict.NOT_REPRODUCED


@pytest.fixture(scope="module")
def data():
    return figure_1(quick=True)


def test_the_figure_shows_simulation_theory_and_the_published_line(data):
    simulation, theory, line = data.series
    assert data.x_log
    assert data.y_log
    assert [s.role for s in data.series] == ["simulation", "theory", "published"]
    assert simulation.x == theory.x
    assert np.all(np.less(simulation.low, simulation.y))
    assert np.all(np.less(simulation.y, simulation.high))
    # alpha times error of the limit curve at alpha = 1000, where it is 1.2715
    assert theory.x[-1] * theory.y[-1] == pytest.approx(1.2715, abs=5e-5)
    assert line.x[-1] * line.y[-1] == pytest.approx(1.27)


def test_the_band_holds_the_limit_curve_late(data):
    simulation, theory, _ = data.series
    late = np.array(theory.x) > 1
    y = np.array(theory.y)[late]
    assert np.all(np.array(simulation.low)[late] < y)
    assert np.all(y < np.array(simulation.high)[late])
