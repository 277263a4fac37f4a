"""Labels: found and numbered as np.unique does, whatever their type."""

import numpy as np
import pytest

from rosenblatt.estimators.inputs import check_labels, classes_in, label_codes

RNG = np.random.default_rng(0)
LABELS = {
    "bits": RNG.integers(0, 2, 50),
    "signs": 2 * RNG.integers(0, 2, 50) - 1,
    "gaps": RNG.choice([-7, 2, 3, 900], 50),
    "far apart": RNG.choice([0, 10**15], 50),
    "one": np.full(3, 5),
    "bytes that overflow": np.arange(-128, 128).astype(np.int8),
    "largest": np.array([2**64 - 1, 2**64 - 3, 2**64 - 2], np.uint64),
    "smallest": np.array([-(2**63), -(2**63) + 1]),
    "truths": np.array([True, False, True]),
    "floats": RNG.choice([1.0, 4.0, -2.0], 50),
    "words": RNG.choice(["no", "yes", "perhaps"], 50),
    "things": np.array(["b", "a"], object),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_are_found_and_numbered_as_by_unique(name):
    target = LABELS[name]
    classes, codes = np.unique(target, return_inverse=True)
    found = classes_in(target)
    assert found.dtype == target.dtype
    np.testing.assert_array_equal(found, classes)
    check_labels(target)
    numbers = label_codes(target, classes)
    assert numbers.dtype == np.int64
    np.testing.assert_array_equal(numbers, codes)


@pytest.mark.parametrize("stranger", [-1, 3])
def test_a_label_that_is_no_class_is_named(stranger):
    with pytest.raises(ValueError, match=rf"among classes \[0, 1, 2\], got {stranger}"):
        label_codes(np.array([0, stranger, 2]), np.arange(3))


def test_numbers_in_between_are_no_labels():
    with pytest.raises(ValueError, match="continuous"):
        check_labels(np.array([0.1, 0.7, 0.5]))
