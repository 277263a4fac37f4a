import numpy as np
import pytest

from rosenblatt.river.classifiers import Labels


def after(*labels, classes=None):
    known = Labels.expected(classes)
    for label in labels:
        known = known.joined(label)
    return known


def test_labels_are_false_and_true_until_one_says_otherwise():
    assert after().classes == (False, True)
    assert after(True).classes == (False, True)
    assert after(np.bool_(False)).classes == (False, True)
    assert after(1).classes == (0, 1)
    assert type(after(1).classes[1]) is int
    assert after("spam").classes == ("spam",)
    assert after("spam", "ham", "spam").classes == ("spam", "ham")


def test_other_labels_are_accepted_unless_classes_were_given():
    assert after("a", "b", "c").classes == ("a", "b", "c")
    with pytest.raises(ValueError, match=r"among classes \[1, 2, 3\], got 4"):
        after(4, classes=[1, 2, 3])


def test_labels_of_another_type_are_refused():
    with pytest.raises(TypeError, match=r"classes \['a'\], text, got 3"):
        after("a", 3)


@pytest.mark.parametrize("classes", [[], [1], [1, 1]])
def test_classes_are_two_or_more_different_ones(classes):
    with pytest.raises(ValueError, match="classes must be None or two or more"):
        Labels.expected(classes)


def test_numbers_of_models():
    assert after(classes=["a", "b"]).models == 1
    assert after(classes=["a", "b", "c"]).models == 3
