import threading
import warnings

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training.naming import named, named_warnings
from tests.tables.examples import table, write


def test_numbers_of_unknown_columns_stay():
    assert named("column 0, column 7", ["a"]) == "column 'a', column 7"


def test_warnings_are_given_again_with_their_category():
    wanted = pytest.warns(FutureWarning, match="in column 'b'")
    with wanted, named_warnings("ab", set()):
        warnings.warn("in column 1", FutureWarning, stacklevel=1)


def fail(known):
    with named_warnings("ab", known):
        warnings.warn("in column 1", stacklevel=1)
        raise ValueError("stop")


def test_warnings_are_given_once_and_also_before_an_error():
    known = set()
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        for _ in range(2):
            with pytest.raises(ValueError, match="stop"):
                fail(known)
    assert [str(one.message) for one in given] == ["in column 'b'"]


def test_contexts_of_two_threads_leave_later_warnings_alone():
    before, inside = warnings.showwarning, threading.Event()

    def other():
        with named_warnings("ab", set()):
            inside.set()

    thread = threading.Thread(target=other)
    with named_warnings("ab", set()):
        thread.start()
        assert not inside.wait(0.1)
    thread.join()
    assert warnings.showwarning is before


def test_models_of_two_levels_name_the_column(tmp_path):
    path = write(table(300), tmp_path / "x.csv")
    with pytest.warns(UserWarning, match="the first is column 'a': each is cut"):
        rb.train(path, "won", model="clipped-hebb")
    two = {"z": np.zeros(300), "u": [0, 1] * 100 + [2] * 100, "won": [0, 0, 1] * 100}
    wanted = "a batch up to line .*got 2 in column 'u' beside 0 and 1"
    with pytest.raises(ValueError, match=wanted):
        rb.train(
            write(two, tmp_path / "y.csv"), "won", model="clipped-hebb", batch_rows=50
        )
