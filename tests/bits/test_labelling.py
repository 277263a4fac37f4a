import numpy as np
import pytest

from rosenblatt import BinaryPerceptron, ClippedHebb
from rosenblatt.bits import Bits, labelled, unpack
from rosenblatt.streams import ProductBits, UniformBits

LAW = ProductBits((0.1, 0.9, 0.9, 0.3, 0.5))
WEIGHTS = np.array([1, -1, 1, 0, 1])


def together(batches):
    pairs = list(batches())
    bits = Bits.concatenate(bits for bits, _ in pairs)
    return bits, np.concatenate([labels for _, labels in pairs])


@pytest.mark.parametrize("threshold", [-2, 0, 0.5])
def test_labels_are_those_of_the_perceptron_written_out(threshold):
    bits, labels = together(labelled(LAW, WEIGHTS, 500, threshold=threshold, seed=3))
    assert bits == LAW.draw(500, 3)
    for x, y in zip(np.where(unpack(bits) > 0, 1, -1), labels, strict=True):
        assert y == (1 if sum(WEIGHTS * x) > threshold else -1)


@pytest.mark.parametrize("batch", [1, 7, 64, 1000])
def test_examples_do_not_depend_on_batches_and_repeat(batch):
    given = {"threshold": 1, "noise": 0.2, "seed": np.random.SeedSequence([1, 2])}
    batches = labelled(LAW, WEIGHTS, 200, batch=batch, **given)
    assert max(len(labels) for _, labels in batches()) == min(batch, 200)
    whole = together(labelled(LAW, WEIGHTS, 200, **given))
    for again in (together(batches), together(batches)):
        assert again[0] == whole[0]
        np.testing.assert_array_equal(again[1], whole[1])


def test_noise_flips_its_share_independently_of_inputs_and_label():
    rows, noise = 100_000, 0.2
    bits, clean = together(labelled(LAW, WEIGHTS, rows))
    same, noisy = together(labelled(LAW, WEIGHTS, rows, noise=noise))
    assert same == bits
    flipped = noisy != clean
    x = np.where(unpack(bits) > 0, 1, -1)
    groups = [x[:, i] == level for i in range(5) for level in (-1, 1)]
    for group in (np.full(rows, True), clean > 0, *groups):
        # 5 standard errors; the rarest group has a tenth of the rows: 0.02
        within = 5 * np.sqrt(noise * (1 - noise) / group.sum())
        assert flipped[group].mean() == pytest.approx(noise, abs=within)


def test_noise_of_one_flips_all():
    clean = together(labelled(LAW, WEIGHTS, 100))[1]
    np.testing.assert_array_equal(
        together(labelled(LAW, WEIGHTS, 100, noise=1))[1], -clean
    )


def test_classifiers_learn_from_a_stream_what_they_learn_from_a_table():
    weights = np.where(np.arange(21) % 3, 1, -1)
    batches = labelled(UniformBits(21), weights, 20_000, batch=3000, threshold=2)
    for make in (BinaryPerceptron, ClippedHebb):
        model = make().fit_batches(batches)
        table = make().fit(*together(batches))
        np.testing.assert_array_equal(model.coef_, table.coef_)
        np.testing.assert_array_equal(model.coef_, [weights])
        np.testing.assert_array_equal(model.threshold_, table.threshold_)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"stream": 3}, TypeError, "stream must be a BitStream, got 3"),
        ({"weights": [1, 1]}, ValueError, "weights must be 5 of -1, 0 and 1"),
        ({"weights": [1, 2, 1, 1, 1]}, ValueError, "weights must be 5 of -1, 0 and 1"),
        ({"rows": 0}, ValueError, "rows must be a whole number not below 1, got 0"),
        ({"batch": 0}, ValueError, "batch must be a whole number not below 1, got 0"),
        ({"noise": 1.5}, ValueError, "noise must be a number from 0 to 1, got 1.5"),
        ({"threshold": "x"}, TypeError, "threshold must be a finite number, got 'x'"),
        ({"seed": -1}, ValueError, "seed must be a whole number not below 0, got -1"),
    ],
)
def test_bad_arguments_are_named_at_once(change, error, message):
    with pytest.raises(error, match=message):
        labelled(**{"stream": LAW, "weights": WEIGHTS, "rows": 10, **change})
