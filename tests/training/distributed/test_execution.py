import numpy as np
import pytest

from rosenblatt.training.distributed.execution import Execution, Observer
from rosenblatt.training.distributed.pieces import DataPiece

PIECES = [DataPiece(k, (np.ones((k + 1, 2)), np.zeros(k + 1))) for k in range(5)]


def rows(piece, shared):
    return shared * sum(len(y) for _, y, _ in piece.batches())


class Notebook(Observer):
    """Knows the result of the second group, and writes down the others."""

    def __init__(self):
        self.seen = []

    def known(self, step, sizes):
        assert (step, sizes) == ("count", [1] * 5)
        return [(1, 2)]

    def add(self, step, group, result):
        self.seen.append((group, result))

    def end(self, step, result):
        self.seen.append((step, result))


def test_what_is_known_is_not_computed_and_all_is_joined():
    notebook = Notebook()
    found = Execution(observer=notebook).run("count", rows, PIECES, int.__add__, 1)
    assert found == 15
    assert notebook.seen == [(0, 1), (2, 3), (3, 4), (4, 5), ("count", 15)]


def test_an_observer_may_end_the_work():
    class Stopping(Observer):
        def check(self):
            raise InterruptedError

    with pytest.raises(InterruptedError):
        Execution(observer=Stopping()).run("count", rows, PIECES, int.__add__, 1)
