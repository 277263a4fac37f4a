import pytest

from rosenblatt.papers.barkai1995.shifted_rule import NOISE, PRINTED, asymptote, best


def test_eq18_is_right_with_t_learned_and_not_with_t_known():
    assert asymptote(True, 2.0) == pytest.approx(PRINTED, rel=1e-3)
    assert asymptote(False, 2.0) == pytest.approx((1 - 2 * NOISE) * PRINTED, rel=1e-3)


def test_the_best_scale_is_larger_with_t_learned():
    scale = best(True)
    assert scale > best(False) + 0.4
    # and it is better, by what the theory says for it: at 2 and 4 it is worse
    assert asymptote(True, 2.46) < min(asymptote(True, 2.0), asymptote(True, 4.0))
