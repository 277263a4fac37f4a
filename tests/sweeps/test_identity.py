from dataclasses import dataclass
from types import FunctionType

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.sweeps.identity import digest, own_modules


def multiplied(factor):
    return lambda x: factor * x


def same(first, second):
    return digest("value", first) == digest("value", second)


@dataclass(frozen=True)
class Own:
    size: int = 1


def test_equal_values_have_equal_digests():
    for value in (None, 1, 0.1, "text", b"bytes", (1, [2.0, {"a": rb.rules.Hebb()}])):
        assert same(value, value)
    assert same([1, 2], (1, 2))
    assert same(np.arange(3), np.arange(3))
    assert same(
        rb.rules.Decay(rb.rules.Hebb(), 0.5), rb.rules.Decay(rb.rules.Hebb(), 0.5)
    )
    assert same(Own(2), Own(2))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (1, 1.0),
        (1, True),
        ("1", 1),
        (None, "None"),
        (["ab", "c"], ["a", "bc"]),
        ([[1], 2], [[1, 2]]),
        (np.zeros(2), np.zeros((1, 2))),
        (np.zeros(2), np.zeros(2, np.float32)),
        (rb.rules.Perceptron(), rb.rules.Perceptron(1.0)),
        (rb.rules.Hebb(), rb.rules.AdaTron()),
        (Own(1), Own(2)),
        (multiplied(2), multiplied(3)),  # the same code that encloses another number
        (lambda x: x + 1, lambda x: x + 2),
        (lambda x, y=1: x, lambda x, y=2: x),
    ],
)
def test_different_values_have_different_digests(first, second):
    assert not same(first, second)


def test_globals_that_a_function_uses_count():
    spaces = [{"factor": factor} for factor in (2, 3, 2)]
    for space in spaces:
        exec("def scaled(x):\n    return factor * x\n", space)
    first, second, third = (space["scaled"] for space in spaces)
    assert same(first, third)
    assert not same(first, second)


def in_a_notebook(cell):
    """Return what code without a file defines."""
    space = {"__name__": "__notebook__"}
    exec(cell, space)
    return space


CLASS = """
from dataclasses import dataclass, field

@dataclass(frozen=True)
class Own:
    size: int = 1
    names: tuple[str, ...] = field(default=("a",))

    def scaled(self):
        return factor * self.size

    {method}

factor = {factor}
"""
METHOD = "def more(self): return {}"


@pytest.mark.parametrize(
    ("method", "factor", "equal"),
    [
        (METHOD.format(1), 2, True),
        (METHOD.format(2), 2, False),
        (METHOD.format(1), 3, False),
        ("@property\n    " + METHOD.format(1), 2, False),
        ("@staticmethod\n    def more(): return 1", 2, False),
    ],
)
def test_methods_of_classes_without_a_file_count(method, factor, equal):
    """Cells of notebooks are changed and run again, and no file says so."""
    first = in_a_notebook(CLASS.format(method=METHOD.format(1), factor=2))["Own"]
    second = in_a_notebook(CLASS.format(method=method, factor=factor))["Own"]
    assert same(first, second) == equal
    assert same(first(), second()) == equal


def test_globals_of_notebooks_count_whatever_they_are():
    cell = "import pandas\nt = pandas.DataFrame([{}])\ndef f():\n    return t.sum()\n"
    first, second, third = (in_a_notebook(cell.format(n))["f"] for n in (1, 2, 1))
    assert same(first, third)
    assert not same(first, second)


def test_sets_are_the_same_in_whatever_order_they_are():
    """That of text depends on random hashes, another in each process."""
    first, second = frozenset([0, 8]), frozenset([8, 0])
    assert first == second
    assert repr(first) != repr(second)

    def member(x):
        return x in {0, 8}

    def other(x):
        return x in {0, 9}

    def with_set(values):
        consts = [values if isinstance(c, frozenset) else c for c in codes.co_consts]
        code = codes.replace(co_consts=(*consts, ("in a tuple", values)))
        return FunctionType(code, {}, "member")

    codes = member.__code__
    assert same(with_set(first), with_set(second))
    assert not same(with_set(first), with_set(frozenset([0, 9])))
    assert not same(member, other)
    assert same({0, 8}, {8, 0})
    assert not same({0, 8}, {0, 9})


def test_what_cannot_be_taken_apart_is_refused():
    for value in (object(), [object()], np.array([object()]), open):
        if value is open:
            continue
        with pytest.raises(TypeError, match="rule must be made of numbers"):
            digest("rule", value)


def test_own_modules_are_those_of_users():
    assert own_modules([rb.rules.Hebb(), np.sqrt(2.0), 1]) == []
    assert [module.__name__ for module in own_modules(Own())] == [__name__]
