import pytest

from rosenblatt.papers.winther1997 import binary_theory


@pytest.mark.parametrize(("quick", "size"), [(True, 1000), (False, 3000)])
def test_sizes_of_runs_depend_on_haste(monkeypatch, quick, size):
    monkeypatch.setattr(binary_theory, "learned", lambda *given: given)
    rule, dim, alpha, replicas = binary_theory.large_runs(0.1, quick)
    assert (rule.noise, dim, alpha) == (0.1, size, binary_theory.TIMES)
    assert replicas * dim >= 20_000
