"""Binary weights as packed bits."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.models import ModelFileError
from rosenblatt.models.packed import _read
from tests.models.examples import Case, cases

BINARY = ("BinaryPerceptron", "ClippedHebb", "BinaryBayesPerceptron")


def binary_cases():
    """All models whose weights are bits."""
    found = [case for case in cases() if case.name in BINARY[:2]]
    packed = [Case(BINARY[2], 1, "packed", t) for t in ("numbers", "words", "bools")]
    return found + packed


@pytest.mark.parametrize(
    "case", binary_cases(), ids=lambda case: "-".join(map(str, case))
)
def test_predictions_are_the_same(case, tmp_path):
    model = case.fitted()
    path = tmp_path / "model.bits"
    rb.export_bits(model, path)
    loaded = rb.load_bits(path)
    X, _ = case._replace(kind="packed").rows(7, 300)
    given, _ = case.rows(7, 300)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(given))
    np.testing.assert_array_equal(
        loaded.decision_function(X), model.decision_function(given)
    )
    numbers = case._replace(kind="dense").rows(7, 300)[0]
    np.testing.assert_array_equal(loaded.predict(numbers), model.predict(given))


def test_the_layout_is_the_documented_one(tmp_path):
    """Read by hand, with nothing of ours."""
    model = Case("BinaryPerceptron", 0, "dense", "words").fitted()
    rb.export_bits(model, tmp_path / "model")
    content = (tmp_path / "model").read_bytes()
    assert content[:5] == b"RBIT\1"
    models, columns = content[6], content[8]
    assert (models, columns) == (3, 9)
    offsets = np.frombuffer(content[24:48], "<f8")
    np.testing.assert_array_equal(offsets, -model.threshold_)
    signs = np.unpackbits(
        np.frombuffer(content[48:54], np.uint8).reshape(3, 2),
        axis=1, count=9, bitorder="little",
    )  # fmt: skip
    np.testing.assert_array_equal(signs == 1, model.coef_ > 0)
    assert content[-4 - content[12] : -4].startswith(b'["no",')


def test_damage_is_noticed(tmp_path):
    path = tmp_path / "model.bits"
    rb.export_bits(Case("ClippedHebb", 0, "dense", "words").fitted(), path)
    content = path.read_bytes()
    for place in range(len(content)):
        for bit in range(8):
            bad = bytearray(content)
            bad[place] ^= 1 << bit
            with pytest.raises(ModelFileError):
                _read(bytes(bad))
        with pytest.raises(ModelFileError):
            _read(content[:place])
    for bad, message in [
        (b"", "empty"),
        (b"RBIT", "cut short"),
        (b"other" * 9, "begin with RBIT"),
        (content[:4] + b"\2" + content[5:], "version 2"),
        (content[:-1] + b"\0", "checksum"),
        (content + b"\0", "cut short or damaged"),
    ]:
        path.write_bytes(bad)
        with pytest.raises(ModelFileError, match=message):
            rb.load_bits(path)


def test_what_is_not_bits_is_told(tmp_path):
    path = tmp_path / "model.bits"
    with pytest.raises(TypeError, match="binary weights"):
        rb.export_bits(Case("OnlinePerceptron", 0, "dense", "words").fitted(), path)
    with pytest.raises(ValueError, match="hard=True"):
        rb.export_bits(Case(BINARY[2], 0, "packed", "words").fitted(), path)
    with pytest.raises(ValueError, match="packed bits"):
        rb.export_bits(Case(BINARY[2], 1, "dense", "words").fitted(), path)
    X = np.array([[5.0, 0.0], [5.0, 1.0]])
    with pytest.raises(ValueError, match="5 alone in column 0"):
        rb.export_bits(rb.ClippedHebb().fit(X, [0, 1]), path)
    assert not path.exists()
