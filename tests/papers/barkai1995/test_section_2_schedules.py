import pytest

from rosenblatt.papers.barkai1995.section_2_schedules import CLAIMS


@pytest.mark.parametrize("kind", ["exponent/2-from", "eq6/factor-from"])
def test_what_depends_on_the_start_does_so_clearly(kind, settled):
    far, near = (
        settled(claim).measured
        for claim in CLAIMS
        if claim.id.startswith(f"barkai1995/{kind}")
    )
    assert far.value - near.value > 5 * (far.stderr + near.stderr)
    assert near.value > 0.1
