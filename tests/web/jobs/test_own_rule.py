import pytest

from rosenblatt.web.jobs.own_rule import own_rule


def test_code_that_fails_is_reported_with_its_line():
    with pytest.raises(ValueError, match=r"^your code cannot .*: line 2: ZeroDiv"):
        own_rule("x = 1\ny = x / 0\n")
    with pytest.raises(ValueError, match="must define a class"):
        own_rule("from rosenblatt.core import Rule\n")
