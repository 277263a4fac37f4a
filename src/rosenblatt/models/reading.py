"""Reader of the plain data that :mod:`rosenblatt.models.tree` writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.schema import Schema
from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.generators import generator
from rosenblatt.models.names import RECORDS
from rosenblatt.models.tree import field_names
from rosenblatt.specification.codec import make_part

__all__ = ["Reader"]

Array = npt.NDArray[Any]
_FLOATS = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
_WORDS = re.compile(r"[<|][USMm]\d+(\[\d*[A-Za-z]+\])?")


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
    >>> reader.value({"tuple": [1, {"array": "x"}, {"float": "inf"}]})
    (1, array([1., 1.]), inf)
    """

    def __init__(self, tensors: Mapping[str, Array], own: Mapping[str, Any]) -> None:
        self._tensors = dict(tensors)
        self._own = own
        self._kinds: dict[str, Callable[[dict[str, Any]], Any]] = {
            "float": lambda plain: _FLOATS[_of(plain, "float")[0]],
            "tuple": lambda plain: tuple(map(self.value, _of(plain, "tuple")[0])),
            "array": self._array,
            "objects": self._objects,
            "scalar": lambda plain: self.value(_of(plain, "scalar")[0])[()],
            "dict": self._dict,
            "record": self._record,
            "part": self._part,
            "own": self._users,
            "random": self._random,
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
        """Return the fields of a record by attribute; they are not checked yet."""
        names = schema.file_names()
        given = plain.keys() - {
            names[name] for name in schema.missing if names[name] in plain
        }
        wanted = {names[name] for name in names if name not in schema.missing}
        if given != wanted:
            raise ModelFileError(
                f"{schema.name} must have the fields {sorted(wanted)}, "
                f"got {sorted(plain)}"
            )
        return SimpleNamespace(
            **{
                name: self.value(plain[written])
                for name, written in names.items()
                if written in plain
            }
        )

    def _dict(self, plain: dict[str, Any]) -> dict[Any, Any]:
        (pairs,) = _of(plain, "dict")
        return {self.value(key): self.value(entry) for key, entry in pairs}

    def _record(self, plain: dict[str, Any]) -> Any:
        name, fields = _of(plain, "record", "fields")
        if name not in RECORDS:
            raise ModelFileError(f"there is no record {name!r} in this version")
        kind, schema = RECORDS[name]
        found = self.fields(fields, schema)
        schema.check(found)
        return kind(**vars(found))

    def _part(self, plain: dict[str, Any]) -> Any:
        name, fields = _of(plain, "part", "fields")
        given = {key: self.value(entry) for key, entry in fields.items()}
        return make_part(name, given)

    def _users(self, plain: dict[str, Any]) -> Any:
        name = plain["own"]
        if name not in self._own:
            raise ModelFileError(
                f"the model has a part {name!r} that is not in rosenblatt, and files "
                f"hold no code: pass it as parts={{{name!r}: {name}}}"
            )
        found = self._own[name]
        if "fields" not in plain:
            return found
        return self._built(found, name, plain["fields"])

    def _built(self, kind: Any, name: str, fields: dict[str, Any]) -> Any:
        """Return a part with these fields, which must be those of its class."""
        given = {key: self.value(entry) for key, entry in fields.items()}
        wanted = field_names(kind)
        if wanted is None:  # a user's own part without fields
            found = kind.__new__(kind)
            found.__dict__.update(given)
            return found
        if sorted(wanted) != sorted(given):
            raise ModelFileError(
                f"{name} must have the fields {wanted}, got {sorted(given)}"
            )
        return kind(**given)

    def _array(self, plain: dict[str, Any]) -> Array:
        name = plain["array"]
        if name not in self._tensors:
            raise ModelFileError(f"there is no tensor {name!r}, or it is used twice")
        found = self._tensors.pop(name)
        if "dtype" in plain:
            if not _WORDS.fullmatch(plain["dtype"]):
                raise ModelFileError(f"dtype {plain['dtype']!r} is not known")
            shape = found.shape[:-1]
            found = found.reshape(-1).view(plain["dtype"]).reshape(shape)
        return found.copy().T if "order" in plain else found.copy()

    def _objects(self, plain: dict[str, Any]) -> Array:
        entries, shape = plain["objects"], plain["shape"]
        kind: Any = np.dtypes.StringDType() if "text" in plain else object
        found = np.empty(len(entries), kind)
        for i, entry in enumerate(entries):
            found[i] = self.value(entry)
        return found.reshape(shape)

    def _random(self, plain: dict[str, Any]) -> Any:
        name, state = _of(plain, "random", "state")
        return generator(name, self.value(state))
