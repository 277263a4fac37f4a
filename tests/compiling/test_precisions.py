import numpy as np

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import in_both_precisions


def _bytes(rows, more):
    return rows.itemsize * rows.size + more


def test_each_kernel_takes_its_precision_and_read_only_rows():
    single, double = in_both_precisions(_bytes, 2, types.int64)
    for kernel, kind in ((single, np.float32), (double, np.float64)):
        rows = np.zeros((2, 3), kind)
        rows.flags.writeable = False
        assert kernel(rows, 1) == rows.nbytes + 1
