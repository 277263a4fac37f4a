from typing import get_args

import pytest

from rosenblatt.cli.tables import options


def read(kind, given):
    """Return the value that a command gets for the text of an option."""
    (option,) = get_args(kind)[1:]
    return option.callback(given)


@pytest.mark.parametrize("kind", [options.Classes, options.Missing, options.Costs])
def test_lists_may_be_repeated_or_have_commas(kind):
    assert read(kind, ["a,b", "c"]) == ["a", "b", "c"]
    assert read(kind, None) is None


def test_a_column_may_have_no_name_and_a_label_must_have_one():
    assert read(options.Ignored, ["age", ""]) == ["age", ""]
    assert read(options.Classes, [""]) == []


def test_counts_may_be_written_with_an_exponent():
    assert read(options.BatchRows, "1e3") == 1000
    with pytest.raises(ValueError, match="features must be a number, got 'many'"):
        read(options.Features, "many")


def test_a_delimiter_may_be_named():
    assert read(options.Delimiter, "tab") == "\t"
