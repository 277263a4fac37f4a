import numpy as np
import pytest

from rosenblatt.training import preview


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (range(100), True),
        ([f"u{i}" for i in range(100)], True),
        ([f"u{i % 90}" for i in range(100)], False),
        (np.arange(100) + 0.5, False),
        ([5, *range(99)], False),
        (range(59), False),  # too few to tell
    ],
)
def test_ids_count_the_rows_up_or_have_a_value_for_each(values, found, tmp_path):
    path = tmp_path / "x.csv"
    lines = [f"{value},{i % 2}" for i, value in enumerate(values)]
    path.write_text("\n".join(["name,y", *lines]))
    name, _ = preview(path, "y").columns
    assert (name.warning == "looks like an id") is found
