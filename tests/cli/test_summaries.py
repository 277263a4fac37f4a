import inspect

import pytest

from rosenblatt.cli import reproduce
from rosenblatt.cli.summaries import summary


@pytest.mark.parametrize("name", ["reproduce", "claims"])
def test_what_is_read_is_what_the_function_says(name):
    assert summary("reproduce", name) == inspect.getdoc(getattr(reproduce, name))


def test_a_function_that_is_not_there_is_an_error():
    with pytest.raises(LookupError, match="no function nothing in reproduce"):
        summary("reproduce", "nothing")
