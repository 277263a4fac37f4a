import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.cli.experiment import Shift, combined, grid, stream_of, teacher_of


def test_one_alpha_is_the_end_of_a_logarithmic_grid():
    alphas = np.array(grid("1e4", 1000))
    assert alphas[0] == 0
    assert alphas[1] == 0.1
    assert alphas[-1] == 1e4
    assert alphas.size == 52  # 0, and 5 decades of 10 with both ends
    steps = np.log10(alphas[2:] / alphas[1:-1])
    assert np.all(np.abs(steps - 0.1) < 0.005)  # rounded to examples: 1 in 100


@pytest.mark.parametrize("dim", [1, 7, 1000, 10**9])
@pytest.mark.parametrize("last", ["0.5", "3", "1e9"])
def test_a_grid_has_whole_numbers_of_examples_each_once(dim, last):
    alphas = np.array(grid(last, dim))
    assert np.all(np.diff(alphas) > 0)
    examples = alphas * dim
    assert np.allclose(examples, np.rint(examples), rtol=1e-12)


def test_several_alphas_are_taken_as_they_are():
    assert grid("1,10,2.5", 3) == [1.0, 10.0, 2.5]
    assert grid("100,", 3) == [100.0]
    assert grid("0", 3) == [0.0]


def test_short_forms_and_parts_exclude_each_other():
    assert teacher_of("sign:noise=.1", None) == teacher_of(None, 0.1)
    assert stream_of("gaussian:mean=2", None, None) == stream_of(None, 2.0, None)
    with pytest.raises(ValueError, match="--noise cannot go with --teacher"):
        teacher_of("sign", 0.1)
    with pytest.raises(ValueError, match="--overlap cannot go with --stream"):
        stream_of("gaussian", None, 0.1)


def test_combinators_go_around_the_rule_in_their_order():
    rule = combined(
        rb.rules.Hebb(),
        rb.streams.Gaussian(4, -1.95),
        shifted=Shift.known,
        decay=0.5,
        normalised=True,
    )
    shifted = rb.rules.Shifted.known(rb.rules.Hebb(), overlap=-1.95)
    assert rule == rb.rules.Normalised(rb.rules.Decay(shifted, 0.5))


@pytest.mark.parametrize(
    ("shifted", "uniform"), [(Shift.average, True), (Shift.field, False)]
)
def test_a_learned_shift_is_averaged_or_grows_with_the_field(shifted, uniform):
    rule = combined(
        rb.rules.Hebb(),
        rb.streams.Gaussian(),
        shifted=shifted,
        decay=None,
        normalised=False,
    )
    assert rule.rule == rb.rules.Hebb()
    assert rule.shift == rb.rules.AverageShift(uniform=uniform)
