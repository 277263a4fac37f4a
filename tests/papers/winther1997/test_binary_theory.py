import pytest

from rosenblatt.papers.winther1997 import binary_theory


@pytest.mark.parametrize(
    ("noise", "quick", "size"),
    [(0.0, True, 1000), (0.1, True, 1000), (0.0, False, 10_000), (0.1, False, 3000)],
)
def test_sizes_of_runs_depend_on_noise_and_haste(monkeypatch, noise, quick, size):
    monkeypatch.setattr(binary_theory, "learned", lambda *given: given)
    rule, dim, alpha, replicas = binary_theory.large_runs(noise, quick)
    assert (rule.noise, dim, alpha) == (noise, size, binary_theory.TIMES)
    assert replicas * dim >= 20_000
