from typing import NamedTuple

from rosenblatt.compiling import kernel, types


class Pair(NamedTuple):
    count: int
    scale: float


@kernel(types.float64, types.structure(Pair, types.int64, types.float64))
def product(pair):
    return pair.count * pair.scale


def test_kernels_take_structures_by_name():
    assert product(Pair(3, 0.5)) == 1.5


def test_entries_of_one_type_are_a_structure_too():
    same = types.structure(Pair, types.float64, types.float64)
    assert isinstance(same, types.NamedUniTuple)
