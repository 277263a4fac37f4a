"""Values as JSON, with their arrays of numbers apart as tensors.

============================  ==================================================
None, True, 3, 0.1, "text"    themselves
list                          a list
tuple                         ``{"tuple": [...]}``
dict                          ``{"dict": [[key, value], ...]}``
array of numbers              ``{"array": name}``; ``"order": "F"``: transposed
array of text or objects      ``{"items": [...], "dtype": "<U5", "shape": [...]}``
record                        ``{"record": name, "fields": {...}}``
part                          ``{"part": name, "fields": {...}}``
a user's own part             ``{"own": name, "fields": {...}}``
a user's own function         ``{"own": name}``
============================  ==================================================

Each array is a tensor of its own. Records are what the learners keep. A file says
"filter", and gets the class that is listed here, or "rules.Perceptron", and gets a part
that :mod:`rosenblatt.specification.codec` lists. No module is imported by a name in a
file. Fields are checked by the schema of their record before anything uses them.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.bayes.experts import EXPERTS, Experts
from rosenblatt.bayes.filter import FILTER, Filter
from rosenblatt.bayes.horizon import HORIZON, Horizon
from rosenblatt.bayes.mixture import MIXTURE, Mixture
from rosenblatt.bayes.standardisation import STANDARDISATION, Standardisation
from rosenblatt.bits import BITS, Bits
from rosenblatt.core import Part
from rosenblatt.core.schema import Schema
from rosenblatt.estimators.binary_perceptron import BINARY_MODELS, BinaryModels
from rosenblatt.estimators.counting import (
    COUNTED_EXAMPLES,
    LEVELS,
    CountedExamples,
    Levels,
)
from rosenblatt.linear.binary import BINARY_LEARNER, BinaryLearner
from rosenblatt.linear.counting import (
    CLASS_COUNTS,
    PACKED_WEIGHTS,
    THRESHOLD,
    ChosenThreshold,
    PackedWeights,
    Tally,
)
from rosenblatt.linear.influences import INFLUENCE_WEIGHTS, Weights
from rosenblatt.linear.learner import LEARNER, Learner
from rosenblatt.specification.codec import make_part, name_of

__all__ = ["ModelFileError", "Reader", "Writer"]

Array = npt.NDArray[Any]
# The schema of each class of records, whose name in files is the schema's.
_SCHEMAS: dict[Any, Schema] = {
    BinaryLearner: BINARY_LEARNER,
    BinaryModels: BINARY_MODELS,
    Bits: BITS,
    CountedExamples: COUNTED_EXAMPLES,
    Experts: EXPERTS,
    Filter: FILTER,
    Horizon: HORIZON,
    Learner: LEARNER,
    Levels: LEVELS,
    Mixture: MIXTURE,
    PackedWeights: PACKED_WEIGHTS,
    Standardisation: STANDARDISATION,
    Tally: CLASS_COUNTS,
    ChosenThreshold: THRESHOLD,
    Weights: INFLUENCE_WEIGHTS,
}
_RECORDS = {schema.name: (kind, schema) for kind, schema in _SCHEMAS.items()}
_TEXT = re.compile(r"<U\d{1,9}")
_LETTERS = 2**24  # of an array of text, with those that fill up short ones


class ModelFileError(ValueError):
    """A file is not a model, is damaged, or is from another version.

    Examples
    --------
    >>> issubclass(ModelFileError, ValueError)
    True
    """


def _field_names(kind: Any) -> list[str] | None:
    """Return the fields of a dataclass or named tuple, or None if it is neither."""
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind)]
    names = getattr(kind, "_fields", None)
    return None if names is None else list(names)


class Writer:
    """Turns values into plain data, and gathers their arrays in ``tensors``.

    Examples
    --------
    >>> writer = Writer()
    >>> writer.plain({"a": (1, np.ones(2))}, "x")
    {'dict': [['a', {'tuple': [1, {'array': 'x.a.1'}]}]]}
    >>> writer.tensors
    {'x.a.1': array([1., 1.])}
    """

    def __init__(self) -> None:
        self.tensors: dict[str, Array] = {}
        self._open: set[int] = set()

    def plain(self, value: Any, place: str) -> Any:
        """Return a value as plain data; arrays get names that begin with the place."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, np.ndarray):
            return self._array(value, place)
        if id(value) in self._open:
            raise TypeError(f"{place} contains itself, which a file cannot hold")
        self._open.add(id(value))
        try:
            return self._compound(value, type(value), place)
        finally:
            self._open.discard(id(value))

    def fields(self, value: Any, schema: Schema, place: str) -> dict[str, Any]:
        """Return the fields that a schema names, as plain data, by name in files."""
        return {
            written: self.plain(getattr(value, name), f"{place}.{written}")
            for name, written in schema.file_names().items()
            if name not in schema.missing or hasattr(value, name)
        }

    def _compound(self, value: Any, kind: Any, place: str) -> Any:
        if kind is list:
            return self._each(value, place)
        if kind is tuple:
            return {"tuple": self._each(value, place)}
        if kind is dict:
            pairs = [
                [self.plain(key, f"{place}.key"), self.plain(entry, f"{place}.{key}")]
                for key, entry in value.items()
            ]
            return {"dict": pairs}
        schema = _SCHEMAS.get(kind)
        if schema is not None:
            return {"record": schema.name, "fields": self.fields(value, schema, place)}
        if name_of(kind) is not None:
            return {"part": name_of(kind), "fields": self._attributes(value, place)}
        if isinstance(value, Part) and kind.__name__.isidentifier():
            return {"own": kind.__name__, "fields": self._attributes(value, place)}
        if inspect.isfunction(value) and value.__name__.isidentifier():
            return {"own": value.__name__}
        raise TypeError(
            f"{place} is {value!r} of type {kind.__qualname__}, which a model file "
            "cannot keep"
        )

    def _each(self, values: Any, place: str) -> list[Any]:
        return [self.plain(entry, f"{place}.{i}") for i, entry in enumerate(values)]

    def _attributes(self, value: Any, place: str) -> dict[str, Any]:
        names = _field_names(type(value))
        if names is None:
            names = list(vars(value))
        return {n: self.plain(getattr(value, n), f"{place}.{n}") for n in names}

    def _array(self, array: Array, place: str) -> dict[str, Any]:
        kind = array.dtype.kind
        if kind in "OTU":
            return {
                "items": self._each(array.ravel().tolist(), place),
                "dtype": f"<{array.dtype.str[1:]}" if kind == "U" else kind,
                "shape": list(array.shape),
            }
        native = array.dtype.newbyteorder("<")
        if kind not in "biuf" or native.itemsize > np.dtype(float).itemsize:
            raise TypeError(
                f"{place} is an array of type {array.dtype}, which a model file cannot "
                "keep"
            )
        while place in self.tensors:
            place += "'"
        # products of matrices may round differently in another order
        columns = array.flags.f_contiguous and not array.flags.c_contiguous
        rows = np.array(array.T if columns else array, native, order="C", copy=None)
        self.tensors[place] = rows
        return {"array": place} | ({"order": "F"} if columns else {})


def _of(plain: dict[str, Any], *keys: str) -> list[Any]:
    """Return the entries of these keys; raise an error if there are others."""
    if plain.keys() != set(keys):
        raise ModelFileError(f"an entry must have {keys}, got {sorted(plain)}"[:120])
    return [plain[key] for key in keys]


class Reader:
    """Builds values from plain data and tensors; only listed classes are allowed.

    Each tensor is used once, and what is built of it shares no memory with the file.

    Parameters
    ----------
    tensors
        Arrays by name.
    own
        A user's own classes and functions by name.

    Examples
    --------
    >>> reader = Reader({"x": np.ones(2)}, {})
    >>> reader.value({"tuple": [1, {"array": "x"}]})
    (1, array([1., 1.]))
    """

    def __init__(self, tensors: Mapping[str, Array], own: Mapping[str, Any]) -> None:
        self._tensors = dict(tensors)
        self._own = own
        self._kinds: dict[str, Callable[[dict[str, Any]], Any]] = {
            "tuple": lambda plain: tuple(map(self.value, _of(plain, "tuple")[0])),
            "array": self._array,
            "items": self._items,
            "dict": self._dict,
            "record": self._record,
            "part": self._part,
            "own": self._users,
        }

    @property
    def unused(self) -> list[str]:
        """The names of tensors that no entry uses."""
        return sorted(self._tensors)

    def value(self, plain: Any) -> Any:
        """Build a value from plain data."""
        if plain is None or isinstance(plain, bool | int | float | str):
            return plain
        if isinstance(plain, list):
            return list(map(self.value, plain))
        for key, build in self._kinds.items():
            if key in plain:
                return build(plain)
        raise ModelFileError(f"there is no entry of this kind: {str(plain)[:80]}")

    def fields(self, plain: Any, schema: Schema) -> SimpleNamespace:
        """Return the fields of a record by attribute, checked by its schema."""
        names = schema.file_names()
        optional = {names[name] for name in schema.missing}
        if plain.keys() - optional != set(names.values()) - optional:
            raise ModelFileError(
                f"{schema.name} must have the fields {sorted(names.values())}, "
                f"got {sorted(plain)}"
            )
        found = SimpleNamespace(
            **{
                name: self.value(plain[written])
                for name, written in names.items()
                if written in plain
            }
        )
        schema.check(found)
        return found

    def _dict(self, plain: dict[str, Any]) -> dict[Any, Any]:
        (pairs,) = _of(plain, "dict")
        return {self.value(key): self.value(entry) for key, entry in pairs}

    def _record(self, plain: dict[str, Any]) -> Any:
        name, fields = _of(plain, "record", "fields")
        if name not in _RECORDS:
            raise ModelFileError(f"there is no record {name!r} in this version")
        kind, schema = _RECORDS[name]
        return kind(**vars(self.fields(fields, schema)))

    def _part(self, plain: dict[str, Any]) -> Any:
        name, fields = _of(plain, "part", "fields")
        return make_part(name, {key: self.value(one) for key, one in fields.items()})

    def _users(self, plain: dict[str, Any]) -> Any:
        name = plain["own"]
        if name not in self._own:
            raise ModelFileError(
                f"the model has a part {name!r} that is not in rosenblatt, and files "
                f"hold no code: pass it as parts={{{name!r}: {name}}}"
            )
        kind = self._own[name]
        if "fields" not in plain:
            return kind
        given = {key: self.value(one) for key, one in plain["fields"].items()}
        wanted = _field_names(kind)
        if wanted is None:  # a part without fields
            found = kind.__new__(kind)
            found.__dict__.update(given)
            return found
        if sorted(wanted) != sorted(given):
            raise ModelFileError(
                f"{name} must have the fields {wanted}, got {sorted(given)}"
            )
        return kind(**given)

    def _array(self, plain: dict[str, Any]) -> Array:
        found = self._tensors.pop(plain["array"], None)
        if found is None:
            name = plain["array"]
            raise ModelFileError(f"there is no tensor {name!r}, or it is used twice")
        return found.copy().T if "order" in plain else found.copy()

    def _items(self, plain: dict[str, Any]) -> Array:
        items, dtype, shape = _of(plain, "items", "dtype", "shape")
        kind: Any = {"O": object, "T": np.dtypes.StringDType()}.get(dtype)
        if kind is None:
            if not _TEXT.fullmatch(dtype) or len(items) * int(dtype[2:]) > _LETTERS:
                raise ModelFileError(f"dtype {dtype[:20]!r} is not known")
            kind = dtype
        if dtype != "O" and not all(type(item) is str for item in items):
            raise ModelFileError("an array of text has other items")
        found = np.empty(math.prod(shape) if not items else len(items), kind)
        for i, item in enumerate(items):
            found[i] = self.value(item)
        return found.reshape(shape)
