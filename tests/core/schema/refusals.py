"""The check that a field of a schema refuses a value, in one line."""

import pytest

from rosenblatt.core.schema import SchemaError


def refused(field, value, message, sizes=None):
    with pytest.raises(SchemaError, match=message) as error:
        field.check("x", value, {} if sizes is None else sizes, True)
    assert str(error.value).startswith("x must be ")
    assert "\n" not in str(error.value)
