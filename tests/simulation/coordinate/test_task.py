import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.rules import BinaryBayes

CONSTANT = rb.schedules.Constant()


def simulate(rule, **given):
    return rb.simulate(rule, CONSTANT, **given)


def test_a_given_teacher_and_its_signs():
    """Turning signs of teacher turns the students of symmetric inputs, in law."""
    target = np.where(np.arange(40) % 3 == 0, -1.0, 1.0)
    run = rb.engines.coordinate(
        BinaryBayes(), CONSTANT, dim=40, alpha=12, replicas=50, target=target
    )
    assert run.solved.mean() > 0.95
    assert rb.rerun(run).identical(run)
    rows = rb.engines.coordinate(
        BinaryBayes(), CONSTANT, dim=40, alpha=12, replicas=2, target=[target, -target]
    )
    assert rows.attrs["engine"] == "coordinate"


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"stream": rb.streams.Gaussian(1.0, 0.5)}, "stream must have no mean"),
        ({"stream": rb.streams.Normal(5)}, "stream must have dim = 10"),
        ({"stream": rb.streams.ProductBits((0.5,) * 10)}, "stream must be"),
        ({"start": rb.starts.Random()}, "start must be None"),
        ({"engine": "full"}, "'full' cannot run this"),
        ({"engine": "none"}, "engine must be one of"),
        ({"teacher": 3}, "teacher must be"),
        ({"dim": 0}, "dim must be"),
        ({"replicas": 0}, "replicas must be"),
    ],
)
def test_wrong_arguments_are_named(given, match):
    with pytest.raises((ValueError, TypeError), match=match):
        simulate(BinaryBayes(), **{"dim": 10, "alpha": 1, **given})


def test_wrong_targets_and_rules_are_named():
    for target in ([1.0, 2.0], np.zeros(10), np.full(10, np.nan), "ones"):
        with pytest.raises((ValueError, TypeError), match="target must be 10 finite"):
            rb.engines.coordinate(
                BinaryBayes(), CONSTANT, dim=10, alpha=1, target=target
            )
    with pytest.raises(ValueError, match="keeps no belief"):
        rb.simulate(
            rb.rules.Perceptron(), CONSTANT, dim=10, alpha=1, engine="coordinate"
        )
