import numpy as np

from rosenblatt.committees.result import labelled


def test_every_number_has_a_name():
    shapes = (2, 1, 3, 4), (2, 1, 3, 3), (2, 1, 3), (2, 1)
    found = labelled(tuple(map(np.ones, shapes)), np.array([5.0]), {"engine": "full"})
    assert found.R.dims == ("replica", "alpha", "student", "teacher")
    assert found.Q.dims == ("replica", "alpha", "student", "other")
    assert all(
        "long_name" in found[name].attrs for name in ("R", "Q", "outputs", "error")
    )
    assert found.attrs["engine"] == "full"
    assert "version" in found.attrs
