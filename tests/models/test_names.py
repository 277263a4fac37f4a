"""Every estimator and every record has a name and a schema."""

import inspect

import pytest
from sklearn.pipeline import Pipeline

import rosenblatt as rb
from rosenblatt.models.names import ESTIMATORS, RECORDS, estimator_name


def test_every_estimator_and_every_record_has_a_schema():
    assert ESTIMATORS.keys() == set(rb.estimators.__all__)
    for name, (kind, schema) in RECORDS.items():
        assert schema.name == name
        # readers call the class with the fields of the schema
        assert set(schema.fields) == set(inspect.signature(kind).parameters)


def test_a_model_that_files_cannot_hold_is_named_in_one_line():
    steps = [(f"step {i}", rb.ClippedHebb()) for i in range(9)]
    with pytest.raises(TypeError, match=r"^model must be one of .*, got Pipeline in"):
        estimator_name(Pipeline(steps))
