import itertools

import numpy as np
import pytest

from rosenblatt.bits import Bits, count, pack
from rosenblatt.compiling.jit import PLAIN
from tests import references
from tests.bits.examples import examples

# Around multiples of 64 columns, and 128 words, after which another tile begins.
COLUMNS = [0, 1, 63, 64, 65, 127, 129, 200, 512, 577]
# Around 16 rows, which are added together, and 1024, which are sorted together.
ROWS = [0, 1, 15, 16, 17, 31, 33, 100] if PLAIN else [0, 1, 15, 16, 17, 33, 1023, 3000]


def assert_counts(found, X, y, weight=None):
    positive, negative = references.counts(X, y, weight)
    np.testing.assert_array_equal(found.high_positive, positive)
    np.testing.assert_array_equal(found.high_negative, negative)
    weight = np.ones(len(y), int) if weight is None else np.asarray(weight)
    assert found.positive == weight[y > 0].sum()
    assert found.negative == weight[y < 0].sum()
    assert found.high_positive.dtype == np.int64


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("rows", ROWS)
def test_counts_are_exact(rows, columns):
    X, y = examples(rows, columns)
    assert_counts(count(pack(X), y), X, y)


@pytest.mark.parametrize("columns", [8191, 8192, 8193 + 64 * 9])
def test_wide_rows_are_counted_in_tiles(columns):
    X, y = examples(40, columns)
    assert_counts(count(pack(X), y), X, y)


@pytest.mark.parametrize("rows", ROWS)
def test_one_label_alone_is_counted(rows):
    X, _ = examples(rows, 70)
    for label in (-1, 1):
        y = np.full(rows, label)
        assert_counts(count(pack(X), y), X, y)


def test_all_digits_of_the_counts_are_used():
    """Everything high: every adder carries."""
    rows = 300 if PLAIN else 70_000
    bits = Bits(np.full((rows, 3), 2**64 - 1, np.uint64), 192)
    found = count(bits, np.arange(rows) % 3 == 0)
    assert set(found.high_positive) == {found.positive} == {-(-rows // 3)}
    assert set(found.high_negative) == {found.negative}


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.float32, float])
def test_labels_may_have_any_type(dtype):
    X, y = examples(50, 70)
    given = y > 0 if dtype is bool else y.astype(dtype)
    assert count(pack(X), given) == count(pack(X), y)
    assert count(pack(X), given.tolist()) == count(pack(X), y)


def test_pieces_add_up_in_any_order():
    X, y = examples(200, 130)
    bits, whole = pack(X), count(pack(X), y)
    cuts = [0, 1, 17, 17, 90, 200]
    pieces = [count(bits[a:b], y[a:b]) for a, b in itertools.pairwise(cuts)]
    merged = pieces[3]
    for piece in (pieces[0], pieces[4], pieces[1], pieces[2]):
        merged = merged + piece
    assert merged == whole
    order = np.random.default_rng(1).permutation(200)
    assert count(bits[order], y[order]) == whole


def test_words_in_a_file_are_counted(tmp_path):
    X, y = examples(100, 70)
    np.save(tmp_path / "words.npy", pack(X).words)
    mapped = Bits(np.load(tmp_path / "words.npy", mmap_mode="r"), 70)
    assert_counts(count(mapped, y), X, y)


@pytest.mark.parametrize("most", [1, 2, 9])
def test_weights_are_repetitions(most):
    X, y = examples(60, 70)
    weight = np.random.default_rng(1).integers(0, most + 1, 60)
    for given in (weight, weight.astype(float), weight.tolist()):
        assert_counts(count(pack(X), y, given), X, y, weight)


def test_large_weights_stay_exact():
    found = count(pack([[1], [1], [0]]), [1, 1, -1], [2**53 + 1, 2**40, 3])
    assert found.high_positive.tolist() == [2**53 + 1 + 2**40]
    assert (found.positive, found.negative) == (2**53 + 1 + 2**40, 3)
    assert found.influence == pytest.approx([2.0])
    none = count(pack([[1]]), [1], [0])
    assert (none.total, none.high.tolist()) == (0, [0])


@pytest.mark.parametrize(
    ("labels", "failure", "message"),
    [
        ([1, 1], ValueError, r"labels must be 3, one for each row, got shape \(2,\)"),
        ([[1], [1], [1]], ValueError, r"got shape \(3, 1\)"),
        ([1, 0, 1], ValueError, r"got labels\[1\] = 0"),
        ([1.0, -1.0, np.nan], ValueError, r"got labels\[2\] = nan"),
        (["a", "b", "c"], TypeError, "labels must be -1 and"),
    ],
)
def test_wrong_labels_are_refused(labels, failure, message):
    with pytest.raises(failure, match=message):
        count(pack([[1], [1], [0]]), labels)


@pytest.mark.parametrize(
    ("weight", "failure", "message"),
    [
        ([1], ValueError, r"sample_weight must be 2 numbers.*got shape \(1,\)"),
        ([1, -1], ValueError, r"got sample_weight\[1\] = -1"),
        ([0.5, 1], ValueError, r"got sample_weight\[0\] = 0.5"),
        ([np.nan, 1], ValueError, r"got sample_weight\[0\] = nan"),
        ([1, np.inf], ValueError, r"got sample_weight\[1\] = inf"),
        ([1, 2**62], ValueError, r"got sample_weight\[1\] = 4611686018427387904"),
        (["a", "b"], TypeError, "sample_weight must be numbers"),
    ],
)
def test_wrong_weights_are_refused(weight, failure, message):
    with pytest.raises(failure, match=message):
        count(pack([[1], [0]]), [1, -1], weight)


def test_only_bits_are_counted():
    with pytest.raises(TypeError, match="bits must be Bits"):
        count([[1]], [1])
