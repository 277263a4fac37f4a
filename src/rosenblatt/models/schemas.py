"""Descriptions of the schemas of model files, for the documentation and a test.

The test pins a digest of this text beside the version of the format.
"""

from __future__ import annotations

from rosenblatt.core.schema import Schema
from rosenblatt.models.names import ESTIMATORS, RECORDS
from rosenblatt.models.tree import field_names
from rosenblatt.specification.codec import parts

__all__ = ["part_fields", "record_tables", "state_tables"]


def _table(schema: Schema) -> str:
    rows = [f"| {name} | {condition} |" for name, condition in schema.describe()]
    return "\n".join([f"### {schema.name}", "", "| field | |", "|---|---|", *rows])


def record_tables() -> str:
    """Return a table of each record: its fields and their relations, in Markdown.

    Examples
    --------
    >>> "| mean | finite float64 (models, weights), at least" in record_tables()
    True
    """
    return "\n\n".join(_table(RECORDS[name][1]) for name in sorted(RECORDS))


def state_tables() -> str:
    """Return a table of the state of each estimator, in Markdown."""
    tables = []
    for name in sorted(ESTIMATORS):
        given = ", ".join(ESTIMATORS[name]().get_params(deep=False))
        tables.append(f"{_table(ESTIMATORS[name]._state)}\n\nParameters: {given}.")
    return "\n\n".join(tables)


def part_fields() -> dict[str, list[str]]:
    """Return the fields of each part that a model file may name.

    Examples
    --------
    >>> part_fields()["rules.Perceptron"]
    ['margin']
    """
    return {name: field_names(kind) or [] for name, kind in sorted(parts().items())}
