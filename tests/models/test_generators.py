"""Random generators go on from checked states."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.models.generators import generator
from rosenblatt.models.saving import VERSION
from tests.models.forging import forged
from tests.models.golden import FOLDER


def test_a_position_beyond_the_state_of_a_generator_is_refused(tmp_path):
    """NumPy reads wherever it points to."""

    def change(plain, tensors):
        (state,) = (v for k, v in plain["parameters"]["dict"] if k == "random_state")
        entries = dict(state["state"]["dict"])
        inner = dict(entries["state"]["dict"])
        assert "pos" in inner
        inner["pos"] = 10**9
        entries["state"] = {"dict": list(map(list, inner.items()))}
        state["state"] = {"dict": list(map(list, entries.items()))}

    path = tmp_path / "forged.safetensors"
    path.write_bytes(forged(FOLDER / str(VERSION) / "gradient.safetensors", change))
    with pytest.raises(ModelFileError, match="pos of a generator"):
        rb.load_model(path)


@pytest.mark.parametrize("kind", ["MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"])
def test_every_generator_goes_on_from_its_state(kind):
    random = np.random.Generator(getattr(np.random, kind)(3))
    again = generator("Generator", random.bit_generator.state)
    np.testing.assert_array_equal(
        again.integers(99, size=9), random.integers(99, size=9)
    )


def test_unknown_generators_are_refused():
    state = np.random.default_rng(0).bit_generator.state
    with pytest.raises(ModelFileError, match="there is no generator 'Random' with"):
        generator("Random", state)
    with pytest.raises(ModelFileError, match="must have"):
        generator("Generator", state | {"more": 1})


def test_a_matrix_in_place_of_a_number_is_refused_in_one_line(tmp_path):
    path = tmp_path / "model.safetensors"
    rb.save_model(
        rb.OnlinePerceptron(random_state=np.random.RandomState(3)),
        path,
        extra={"matrix": np.eye(9)},
    )

    def change(tree, tensors):
        state = dict(tree["parameters"]["dict"])["random_state"]["state"]
        [matrix] = [value for key, value in tree["extra"]["dict"] if key == "matrix"]
        tree["extra"] = {"dict": []}
        for pair in state["dict"]:
            pair[1] = matrix if pair[0] == "gauss" else pair[1]

    path.write_bytes(forged(path, change))
    with pytest.raises(ModelFileError, match="gauss of a generator") as found:
        rb.load_model(path)
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 400 + len(str(path))
