from rosenblatt.papers.barkai1995.equations_3 import printed_residual
from rosenblatt.papers.barkai1995.section_3_shifted import NOISE, RATE, REST, residual


def test_the_residual_error_is_that_of_the_fixed_point_and_not_the_printed_one():
    found = residual(True)
    assert abs(found.value - REST) < 5 * found.stderr
    printed = printed_residual(RATE, NOISE, 1.0)
    assert abs(found.value - printed) > 5 * found.stderr
