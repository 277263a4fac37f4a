"""Tensors and text in one file with a checksum."""

import numpy as np
import pytest
import safetensors.numpy

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.models.safetensors_file import header, pack, unpack
from rosenblatt.models.saving import VERSION, _unpacked
from tests.models.golden import FOLDER


def test_the_header_holds_no_constants_that_json_does_not_have(tmp_path):
    golden = FOLDER / str(VERSION) / "online.safetensors"
    texts, tensors = header(golden.read_bytes()), unpack(golden.read_bytes())
    texts["model"] = texts["model"].replace('"columns":9', '"columns":NaN')
    del texts["checksum"]
    path = tmp_path / "forged.safetensors"
    path.write_bytes(pack(tensors, texts))
    with pytest.raises(ModelFileError, match="holds NaN"):
        rb.load_model(path)


def test_any_byte_that_changes_is_noticed(saved):
    """Every byte of the header, and some of the data: one bit of each is flipped."""
    content = saved.read_bytes()
    head = 8 + int.from_bytes(content[:8], "little")
    random = np.random.default_rng(1)
    places = [*range(head), *random.integers(head, len(content), 200)]
    for place in places:
        bad = bytearray(content)
        bad[place] ^= 1 << int(random.integers(8))
        with pytest.raises(ModelFileError):
            _unpacked(bytes(bad), {})


def test_files_cut_anywhere_are_noticed(saved):
    content = saved.read_bytes()
    for length in [*range(64), *range(64, len(content), 97), len(content) - 1]:
        with pytest.raises(ModelFileError):
            _unpacked(content[:length], {})
    with pytest.raises(ModelFileError):
        _unpacked(content + b"\0", {})


def test_other_programs_can_read_the_tensors(saved):
    tensors = safetensors.numpy.load_file(saved)
    model = rb.load_model(saved)
    np.testing.assert_array_equal(
        tensors["state.filters.filters.0.mean"], model._experts.filters[0].mean
    )
