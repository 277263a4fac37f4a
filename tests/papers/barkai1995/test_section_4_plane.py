import numpy as np
import xarray as xr

from rosenblatt.papers.barkai1995 import section_4_plane


def students(*weights):
    """Return one student, with weights at some numbers of examples."""
    return xr.Dataset({"weights": (("replica", "n", "parameter"), [list(weights)])})


def test_distances_of_discs_belong_to_n_of_the_schedule(monkeypatch):
    asked = []

    def discs(exponent, scale, examples, replicas, noise):
        asked.append((exponent, scale, noise))
        return students(*[(3.0 * k, 4.0 * k) for k in range(len(examples))])

    monkeypatch.setattr(section_4_plane, "discs", discs)
    n, lengths = section_4_plane.falling(True, 0.5, 3.0, 0.2)
    assert asked == [(0.5, 3.0, 0.2)]
    assert n.tolist() == [200, 400, 1100, 3100, 10_100, 30_100]
    np.testing.assert_allclose(lengths, [[0, 5, 10, 15, 20, 25]])


def test_each_rate_has_a_column(monkeypatch):
    def steady(machine, target, return_rate, rates, replicas, noise):
        return [students((rate, 0.0)) for rate in rates]

    monkeypatch.setattr(section_4_plane, "steady", steady)
    found = section_4_plane.disc_lengths(True)
    np.testing.assert_allclose(found, [section_4_plane.RATES])
