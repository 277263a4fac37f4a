import numpy as np
import pytest

from rosenblatt.estimators.inputs.new_classes import joined_classes, places, stages


def test_stages_begin_where_a_label_comes_first():
    y = np.array([5, 5, 7, 5, 2, 7])
    found = stages(None, y)
    assert [(s.first, s.stop, s.classes.tolist()) for s in found] == [
        (0, 2, [5]),
        (2, 4, [5, 7]),
        (4, 6, [2, 5, 7]),
    ]
    codes = [stage.classes[stage.codes].tolist() for stage in found]
    assert codes == [[5, 5], [7, 5], [2, 7]]
    (only,) = stages(None, y, split=False)
    assert only.classes.tolist() == [2, 5, 7]


def test_known_labels_are_one_stage():
    known = np.array(["a", "b"])
    (stage,) = stages(known, np.array(["b", "a"]))
    assert stage.classes is known
    assert stage.codes.tolist() == [1, 0]


def test_rows_of_weight_zero_wait_for_the_first_label():
    (stage,) = stages(None, np.array(["a", "b"]), np.array([0, 1]))
    assert (stage.first, stage.stop, stage.classes.tolist()) == (0, 2, ["b"])
    with pytest.raises(ValueError, match="sample_weight must not be 0 for all"):
        stages(None, np.array(["a"]), np.array([0]))


def test_joined_classes_keep_their_type():
    assert joined_classes(np.array([0, 1], np.int8), np.array([3.0])).dtype == np.int8
    assert joined_classes(np.array([0, 1], np.int8), np.array([300]))[-1] == 300
    objects = joined_classes(np.array(["b"], object), np.array(["a"]))
    assert objects.dtype == object
    assert objects.tolist() == ["a", "b"]
    with pytest.raises(TypeError, match=r"\[False, True\], truth values, got 2"):
        joined_classes(np.array([False, True]), np.array([2]))


def test_classes_are_inserted_in_rising_order():
    assert places(np.array([3]), np.array([1, 2, 3, 9])) == [0, 1, 3]
