from dataclasses import replace

import pytest

from rosenblatt.papers import winther1997
from rosenblatt.papers.claims import Verdict, settle
from rosenblatt.papers.winther1997.predictions import off, predictions

CLAIMS = {claim.id.partition("/")[2]: claim for claim in winther1997.CLAIMS}


@pytest.mark.parametrize("band", [(0.6, 0.7), (0.7, 0.8)])
def test_a_learner_that_assumes_the_wrong_noise_is_not_calibrated(band):
    claim = CLAIMS["eq7/noise0.1-from0.6"]
    careful = replace(claim, measure=lambda quick: off(0.1, 0.2, band, quick))
    outcome = settle(careful, quick=True)
    assert outcome.verdict is Verdict.NOT_REPRODUCED
    assert outcome.measured.value > 0.015  # right oftener than it says


def test_probabilities_are_those_of_the_label_predicted():
    said, right = predictions(0.1, 0.1, True)
    assert said.shape == right.shape
    assert 0.5 <= said.min() < said.max() <= 0.9  # noise limits what can be known
