"""Values from plain data, as :mod:`rosenblatt.models.tree` has written them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.names import classes
from rosenblatt.models.tree import changeable

__all__ = ["Reader"]

Array = npt.NDArray[Any]
_FLOATS = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
_WORDS = re.compile(r"[<|][USMm]\d+(\[\d*[A-Za-z]+\])?")
_BIT_GENERATORS = {
    kind.__name__: kind
    for kind in (
        np.random.MT19937,
        np.random.PCG64,
        np.random.PCG64DXSM,
        np.random.Philox,
        np.random.SFC64,
    )
}


def _one(plain: dict[str, Any], *keys: str) -> list[Any]:
    """Return the entries with these keys."""
    for key in keys:
        if key not in plain:
            raise ModelFileError(f"an entry has no {key!r}: {str(plain)[:80]}")
    return [plain[key] for key in keys]


class Reader:
    """Builds values from plain data and tensors; it makes only what is listed.

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
        self._tensors = tensors
        self._own = own
        self._arrays: dict[str, Array] = {}
        self._known: list[Any] = []
        self._kinds: dict[str, Callable[[dict[str, Any]], Any]] = {
            "float": lambda plain: _FLOATS[plain["float"]],
            "tuple": lambda plain: tuple(map(self.value, plain["tuple"])),
            "array": self._array,
            "objects": self._objects,
            "scalar": lambda plain: self.value(plain["scalar"])[()],
            "csr": self._csr,
            "dict": self._dict,
            "class": self._record,
            "own": self._users,
            "random": self._random,
            "same": self._same,
        }

    def value(self, plain: Any) -> Any:
        """Return the value that plain data stand for."""
        if plain is None or isinstance(plain, bool | int | float | str):
            return plain
        if isinstance(plain, list):
            found: list[Any] = []
            self._known.append(found)
            found.extend(map(self.value, plain))
            return found
        for key, build in self._kinds.items():
            if key in plain:
                return build(plain)
        raise ModelFileError(f"nothing is known of an entry {str(plain)[:80]}")

    def _same(self, plain: dict[str, Any]) -> Any:
        found = self._known[plain["same"]]
        if found is None:
            raise ModelFileError(f"object {plain['same']} holds itself")
        return found

    def _dict(self, plain: dict[str, Any]) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        self._known.append(found)
        for key, entry in plain["dict"]:
            found[self.value(key)] = self.value(entry)
        return found

    def _record(self, plain: dict[str, Any]) -> Any:
        name, fields = _one(plain, "class", "fields")
        kind = classes().get(name)
        if kind is None:
            raise ModelFileError(f"there is no class {name!r} in this version")
        return self._built(kind, name, fields)

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
        """Return an object with these fields, which must be those of its class."""
        place = len(self._known)
        if changeable(kind):
            self._known.append(None)
        given = {key: self.value(entry) for key, entry in fields.items()}
        if dataclasses.is_dataclass(kind):
            wanted = [field.name for field in dataclasses.fields(kind)]
        else:
            wanted = list(getattr(kind, "_fields", given))
        if sorted(wanted) != sorted(given):
            raise ModelFileError(
                f"{name} must have the fields {wanted}, got {sorted(given)}"
            )
        if dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
            found = kind(**given)
        else:  # a user's own part without fields
            found = kind.__new__(kind)
            found.__dict__.update(given)
        if changeable(kind):
            self._known[place] = found
        return found

    def _array(self, plain: dict[str, Any]) -> Array:
        name = plain["array"]
        if name not in self._arrays:
            if name not in self._tensors:
                raise ModelFileError(f"there is no tensor {name!r}")
            found = self._tensors[name]
            if "dtype" in plain:
                if not _WORDS.fullmatch(plain["dtype"]):
                    raise ModelFileError(f"dtype {plain['dtype']!r} is not known")
                shape = found.shape[:-1]
                found = found.reshape(-1).view(plain["dtype"]).reshape(shape)
            self._arrays[name] = found.T if "order" in plain else found
            self._fix(self._arrays[name], plain)
        return self._arrays[name]

    def _objects(self, plain: dict[str, Any]) -> Array:
        entries, shape = _one(plain, "objects", "shape")
        kind: Any = np.dtypes.StringDType() if "text" in plain else object
        found = np.empty(len(entries), kind)
        for i, entry in enumerate(entries):
            found[i] = self.value(entry)
        found = found.reshape(shape)
        self._fix(found, plain)
        return found

    @staticmethod
    def _fix(array: Array, plain: dict[str, Any]) -> None:
        if "fixed" in plain:
            array.flags.writeable = False

    def _csr(self, plain: dict[str, Any]) -> Any:
        parts, shape, matrix = _one(plain, "csr", "shape", "matrix")
        data, indices, starts = map(self.value, parts)
        kind: Any = sparse.csr_matrix if matrix else sparse.csr_array
        found = kind((data, indices, starts), shape=tuple(shape))
        found.check_format(full_check=True)
        return found

    def _random(self, plain: dict[str, Any]) -> Any:
        name, state = _one(plain, "random", "state")
        state = self.value(state)
        bits = _BIT_GENERATORS[state["bit_generator"]](0)
        if name == "RandomState":
            found = np.random.RandomState(bits)
            found.set_state(state)
            return found
        bits.state = state
        return np.random.Generator(bits)
