import pytest

from rosenblatt.specification.codec import number, split, value, whole


def test_whole_numbers_may_have_an_exponent():
    assert whole("dim", "1e6") == 10**6
    assert whole("dim", "12345678901234567891") == 12345678901234567891


@pytest.mark.parametrize("text", ["2.5", "many", "inf", "nan", ""])
def test_what_is_not_whole_is_named(text):
    with pytest.raises(ValueError, match=r"dim must be a .*number, got"):
        whole("dim", text)


def test_numbers_are_read_as_python_reads_them():
    assert number("rate", "-1.5e-3") == -1.5e-3


def test_commas_in_parentheses_do_not_split():
    assert split("a=b(c=1,d=e(f=2,g=3)),h=4") == ["a=b(c=1,d=e(f=2,g=3))", "h=4"]
    assert split(" ") == []


def test_values_follow_the_types_allowed():
    assert value("x", (bool,), "True") is True
    assert value("x", (float, type(None)), "None") is None
    assert value("x", (int,), "1e3") == 1000
    assert value("x", (str,), "none") == "none"
    assert value("x", (), "2") == 2.0
    assert value("x", (), "two") == "two"
    with pytest.raises(ValueError, match="x must be true or false, got 'maybe'"):
        value("x", (bool,), "maybe")
