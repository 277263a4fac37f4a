import copy
import pickle

import numpy as np

from rosenblatt.tables import Bad, BadRowError
from rosenblatt.tables.batches import integer_texts


def test_an_error_survives_the_way_to_another_process():
    error = BadRowError("x.csv", "line", Bad(3, "NaN", "a", "nan"), hint="; stop")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is BadRowError
        assert str(twin) == str(error) == "x.csv, line 3, column 'a': NaN: nan; stop"
        assert (twin.file, twin.bad) == (error.file, error.bad)


def test_whole_numbers_are_text_whatever_their_type():
    for given, wanted in (
        (np.array([-128, 127, -128], np.int8), ["-128", "127", "-128"]),
        (np.array([0, 255], np.uint8), ["0", "255"]),
        (np.array([2**31, 2**31 - 5]), [str(2**31), str(2**31 - 5)]),
        (np.array([-3.0, 4.0, -0.0]), ["-3", "4", "0"]),
        (np.array([2**24, 2**24 - 1], np.float32), [str(2**24), str(2**24 - 1)]),
    ):
        found = integer_texts(given)
        assert [found.values[c] for c in found.codes] == wanted
        assert len(set(found.values)) == len(found.values)
    for given in (
        np.array([0.5, 1.0]),
        np.array([np.nan, 1.0]),
        np.array([np.inf, 1.0]),
        np.array([-(2**63), 5]),
        np.array([2**63 + 1, 5], np.uint64),
        np.array([0, 10**6]),
        np.array([True, False]),
        np.array([], np.int64),
    ):
        assert integer_texts(given) is None


def test_long_values_are_cut_in_messages():
    said = str(BadRowError("x.csv", "line", Bad(3, "not a number", "a", "9" * 10**6)))
    assert len(said) < 300
