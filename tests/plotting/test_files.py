import io

import numpy as np
import pytest
from PIL import Image

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.plotting import draw, render, renderings


def data(last=1000.0, **changes):
    line = Series("line", [1, last], [0.5, 0.1], "theory", low=[0.4, 0.05], high=[1, 1])
    fields = {"x_log": True, "y_log": True} | changes
    return FigureData("title", "caption", "x", "y", (line,), **fields)


def pixels(file):
    return np.asarray(Image.open(io.BytesIO(file)).convert("RGB"), dtype=int)


@pytest.mark.parametrize(("form", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_files_are_of_their_kind_and_always_the_same(form, magic):
    first = render(data(), form)
    assert first.startswith(magic)
    assert first == render(data(), form)


def test_both_files_are_those_that_are_made_one_by_one():
    assert renderings(data()) == (render(data(), "png"), render(data(), "pdf"))


@pytest.mark.parametrize("last", [4.0, 1000.0])
def test_the_picture_is_the_one_that_matplotlib_makes(last):
    """Ticks that are drawn at once are where they would be, and colours are kept."""
    given, slow = data(last), io.BytesIO()
    draw(given).savefig(slow, format="png")
    wanted, found = pixels(slow.getvalue()), pixels(render(given, "png"))
    assert found.shape == wanted.shape
    assert (found[0, 0] == 255).all()  # white stays white
    apart = np.abs(found - wanted).max(axis=2)
    # 256 colours are a few of 255 steps away; where a tick is missing it is 170
    assert apart.max() < 50
