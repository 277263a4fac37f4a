import pickle

import numpy as np
import pytest

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.numerics.evidence import evidence
from tests.scripts import run_script

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")
_vector = types.float64[::1]


@inlined
def _half(x):
    return 0.5 * x


def test_pieces_that_return_arrays_count_references_where_arrays_are_made():
    @inlined
    def grown(a):
        a[0] += 1.0
        return a

    @kernel(types.float64, _vector)
    def given(a):
        return grown(a)[0]

    @kernel(types.float64, types.int64, allocates=True)
    def made(n):
        total = 0.0
        for _ in range(n):
            total += grown(np.full(n, 2.0))[0]
        return total

    assert given(np.zeros(2)) == 1.0
    assert made(100) == 300.0
    assert len(grown.overloads) == len(grown.uncounted.overloads) == 1


def test_python_may_call_a_piece_too():
    assert _half(3) == 1.5


def test_array_expressions_and_closures_compile():
    @kernel(types.float64, _vector, allocates=True)
    def total(x):
        def twice(value):
            return 2.0 * value

        return (x * x + 1.0).sum() + twice(x[0])

    assert total(np.array([1.0, 2.0])) == 9.0


def test_another_process_reads_a_piece_from_a_pickle(tmp_path):
    """As Dask sends a user's function that calls one."""
    (tmp_path / "piece").write_bytes(pickle.dumps(evidence))
    script = (
        "import pickle; print(pickle.load(open('piece', 'rb'))(0.3, 1.0, 1.0, 0.1))"
    )
    done = run_script(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(evidence(0.3, 1.0, 1.0, 0.1))


# An update of one learner by a rule, whose pieces are too long to be put into it.
_MOVED = """
import numpy as np
from rosenblatt.compiling.jit import compiled
from rosenblatt.core import Observation
from rosenblatt.rules import BinaryBayes

for implicit in {chosen}:
    rows = [np.full(8, value) for value in (0.5, 0.4, 0.8)]
    o = Observation(0.5, 1.0, 0.2, 1.0, 1.0, 8.0, 0.8, 0.8)
    compiled(BinaryBayes(floor=0.0, implicit=implicit))(*rows, np.full(8, 0.3), o)
    print(implicit, rows[0][0])
"""


def test_stored_code_calls_its_own_pieces_whatever_another_process_has_stored(tmp_path):
    """Two processes give pieces of two rules the same name: numba numbers them."""

    def printed(*chosen):
        script = _MOVED.format(chosen=chosen)
        done = run_script(script, tmp_path, XDG_CACHE_HOME=str(tmp_path))
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    each = [*printed(False), *printed(True)]
    assert each[0].split()[1] != each[1].split()[1]
    assert printed(False, True) == each
