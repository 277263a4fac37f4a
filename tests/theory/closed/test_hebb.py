import pytest

import rosenblatt as rb
from rosenblatt.theory.closed.hebb import overlap


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_closed_form_is_the_solution_from_zero(noise):
    found = rb.solve(
        rb.rules.Hebb(),
        rb.schedules.Constant(),
        rb.teachers.Sign(noise),
        alpha=[0.5, 3.0],
        start=rb.starts.Zero(),
    )
    wanted = [overlap(alpha, noise) for alpha in (0.5, 3.0)]
    assert found.overlap.values[0] == pytest.approx(wanted, rel=1e-7)
