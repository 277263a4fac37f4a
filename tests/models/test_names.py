"""Every estimator and every record has a name and a schema."""

import inspect

import rosenblatt as rb
from rosenblatt.estimators.states import STATES
from rosenblatt.models.names import ESTIMATORS, RECORDS


def test_every_estimator_and_every_record_has_a_schema():
    assert STATES.keys() == ESTIMATORS.keys() == set(rb.estimators.__all__)
    for name, (kind, schema) in RECORDS.items():
        assert schema.name == name
        # readers call the class with the fields of the schema
        assert set(schema.fields) == set(inspect.signature(kind).parameters)
