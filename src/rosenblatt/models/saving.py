"""Model files: learning goes on from them bit for bit.

A file has the safetensors format: tensors, and one text in its metadata, a JSON object
with the version of the format, a checksum and the model:

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

Each array is a tensor of its own. Records are the states of the learners. A name in a
file, such as "filter", stands for a class that is listed here, and "rules.Perceptron"
for a part that :mod:`rosenblatt.specification.codec` lists. No module is imported by a
name in a file. Fields are checked by the schema of their record before anything uses
them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import math
import os
import re
import struct
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lazy_loader
import numpy as np
import numpy.typing as npt
from sklearn import config_context

from rosenblatt.core import Part
from rosenblatt.core.schema import RECORDS, Schema, SchemaError
from rosenblatt.estimators.base import checked_parameters, locked
from rosenblatt.models.exporting import ESTIMATORS, estimator_name
from rosenblatt.specification.codec import make_part, name_of
from rosenblatt.system.atomic_files import write_whole
from rosenblatt.system.extras import missing

try:
    from safetensors import SafetensorError
    from safetensors import numpy as safetensors
except ImportError as failure:
    raise missing("safetensors", "a model file") from failure

tables: Any = lazy_loader.load("rosenblatt.tables", suppress_warning=True)

Array = npt.NDArray[Any]
Tensors = Mapping[str, Array]
VERSION = 8  # of the format in docs/model_files.md; earlier ones were never released
_KEY = "rosenblatt"  # of our text in the metadata
_LENGTH = 8  # bytes of the length of the header
_REQUESTS = "_metadata_request"  # which metadata scikit-learn is to route here, by
_METHODS = ("fit", "partial_fit", "score")  # method
_KEYS = {"estimator", "parameters", "state", "requests", "extra"}
_SHOWN = 300  # letters of the reason why a file is refused
_RECORD = "training_record_"  # of rosenblatt.training, plain values
# What follows from the state, or is kept apart.
_DERIVED = {"_codes", "_open", "encoder_", _RECORD, _REQUESTS}

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
        """Return the fields that a schema names, as plain data."""
        return {
            name: self.plain(getattr(value, name), f"{place}.{name}")
            for name in schema.fields
            if name not in schema.missing or getattr(value, name, None) is not None
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
        schema = RECORDS.get(kind)
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
        if plain.keys() - schema.missing != schema.fields.keys() - schema.missing:
            raise ModelFileError(
                f"{schema.name} must have the fields {sorted(schema.fields)}, "
                f"got {sorted(plain)}"
            )
        given = {name: self.value(one) for name, one in plain.items()}
        found = SimpleNamespace(**given)
        schema.check(found)
        return found

    def _dict(self, plain: dict[str, Any]) -> dict[Any, Any]:
        (pairs,) = _of(plain, "dict")
        return {self.value(key): self.value(entry) for key, entry in pairs}

    def _record(self, plain: dict[str, Any]) -> Any:
        name, fields = _of(plain, "record", "fields")
        for kind, schema in RECORDS.items():
            if schema.name == name:
                return kind(**vars(self.fields(fields, schema)))
        raise ModelFileError(f"there is no record {name!r} in this version")

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


def save_model(
    model: Any, path: str | os.PathLike[str], *, extra: Mapping[str, Any] | None = None
) -> None:
    """Save the state of a model to a file in the safetensors format.

    The file is written whole or not at all: if anything goes wrong, one that was there
    before is as it was. It holds numbers and text, no code. A rule or schedule of your
    own is kept by name, and has to be given when the model is loaded.

    Parameters
    ----------
    model
        Any estimator of rosenblatt, fitted or not. A ``random_state`` must be a number
        or None.
    path
        The file.
    extra
        Anything of your own to keep with the model, by name: numbers, text, arrays,
        lists, tuples and dicts of these.

    Examples
    --------
    >>> import tempfile
    >>> import rosenblatt as rb
    >>> model = rb.OnlinePerceptron().fit([[1.0, 2.0], [2.0, 1.0]], ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "model.safetensors"
    ...     rb.save_model(model, path, extra={"rows": 2})
    ...     model, extra = rb.load_model(path, with_extra=True)
    >>> model.predict([[0.0, 3.0]]), extra
    (array(['no'], dtype='<U3'), {'rows': 2})
    """
    estimator_name(model)
    checked_parameters(model)
    with locked(model):  # another thread may be learning
        content = _packed(model, {} if extra is None else dict(extra))
    write_whole(path, content)


def load_model(
    path: str | os.PathLike[str],
    *,
    parts: Mapping[str, Any] | None = None,
    with_extra: bool = False,
) -> Any:
    """Load a model that :func:`save_model` has saved.

    Nothing in the file is ever run. A file that is damaged, of another kind or from a
    newer version is a :class:`rosenblatt.models.ModelFileError`, which says so.

    Parameters
    ----------
    path
        The file.
    parts
        Your own rules, schedules and functions, if the model was made with any, by
        their names: ``{"Cautious": Cautious}``.
    with_extra
        Whether to return a pair, the model and what was saved with it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     load_model(file.name)
    Traceback (most recent call last):
    rosenblatt.models.saving.ModelFileError: ... is not a model: it is empty
    """
    if Path(path).exists() and not Path(path).is_file():  # a pipe would wait
        raise ModelFileError(f"{path} is not a model: it is not a regular file")
    content = Path(path).read_bytes()
    try:
        tree, tensors = unpack(content)
        model, extra = _built(tree, Reader(tensors, parts or {}))
    except Exception as failure:  # whatever somebody has written into it
        reason = " ".join(str(failure).split())  # values of a file may have many lines
        if not isinstance(failure, ModelFileError | SchemaError):
            kind = type(failure).__name__
            reason = f"its content is not a valid model ({kind}: {reason})"
        reason = reason if len(reason) <= _SHOWN else f"{reason[:_SHOWN]}..."
        raise ModelFileError(f"{path} is not a model: {reason}") from failure
    return (model, extra) if with_extra else model


def pack(tree: Any, tensors: Tensors) -> bytes:
    """Return the bytes of a file; the same values give the same bytes."""
    text = {
        "format": VERSION,
        "written_by": f"rosenblatt {version('rosenblatt')}",
        "model": tree,
    }
    text["checksum"] = _checksum(text, tensors)
    plain = json.dumps(text, separators=(",", ":"))
    content: bytes = safetensors.save(dict(tensors), {_KEY: plain})
    return content


def unpack(content: bytes) -> tuple[Any, Tensors]:
    """Return the model as plain data, and its tensors; check version and checksum.

    Examples
    --------
    >>> content = bytearray(pack({}, {"x": np.arange(3.0)}))
    >>> content[-1] ^= 1
    >>> unpack(bytes(content))
    Traceback (most recent call last):
    rosenblatt.models.saving.ModelFileError: it is damaged: its checksum is wrong
    """
    if not content:
        raise ModelFileError("it is empty")
    try:
        tensors = safetensors.load(content)
        (length,) = struct.unpack_from("<Q", content)
        metadata = json.loads(content[_LENGTH : _LENGTH + length]).get("__metadata__")
    except (SafetensorError, ValueError, KeyError, RecursionError) as failure:
        raise ModelFileError(
            f"it is not a safetensors file, cut short or damaged: {failure}"
        ) from failure
    if not isinstance(metadata, dict) or _KEY not in metadata:
        raise ModelFileError(
            "it is a safetensors file, but of something else than rosenblatt"
        )
    text = json.loads(metadata[_KEY])
    if not isinstance(text, dict) or type(text.get("format")) is not int:
        raise ModelFileError("it is damaged: it has no version")
    if text["format"] < VERSION:
        raise ModelFileError(
            f"it has version {text['format']} of the format, from before the first "
            "release; learn the model again"
        )
    if text["format"] > VERSION:
        raise ModelFileError(
            f"it has version {text['format']} of the format, and this rosenblatt reads "
            f"version {VERSION}: it was written by {text.get('written_by')}"
        )
    if text.pop("checksum", None) != _checksum(text, tensors):
        raise ModelFileError("it is damaged: its checksum is wrong")
    return text["model"], tensors


def _checksum(text: Any, tensors: Tensors) -> str:
    """Return the SHA-256 of the text and of names, types, shapes and bytes."""
    digest = hashlib.sha256(json.dumps(text, sort_keys=True).encode())
    for name in sorted(tensors):
        array = tensors[name]
        digest.update(repr((name, array.dtype.str, array.shape)).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _packed(model: Any, extra: dict[str, Any]) -> bytes:
    given = model.get_params(deep=False)
    writer = Writer()
    tree = {
        "estimator": estimator_name(model),
        "parameters": writer.plain(given, "parameters"),
        "state": _state(model, given, writer),
        "requests": _requests(vars(model).get(_REQUESTS)),
        "extra": writer.plain(extra, "extra"),
    }
    if "encoder_" in vars(model):
        tree["encoder"] = writer.plain(model.encoder_.as_dict(), "encoder")
    if _RECORD in vars(model):
        tree["record"] = writer.plain(model.training_record_, "record")
    return pack(tree, writer.tensors)


def _state(model: Any, given: Mapping[str, Any], writer: Writer) -> Any:
    """Return the state of a model as plain data; None if it is not fitted."""
    own = vars(model).keys() - given.keys() - _DERIVED
    for key in sorted(own - model._state.fields.keys()):
        raise TypeError(
            f"model has an attribute {key!r} of your own, which a model file does not "
            "keep; pass it as extra"
        )
    if not own:
        return None
    try:
        model._state.check(model, place="model")
    except SchemaError as failure:
        raise ValueError(f"model cannot be saved: {failure}") from failure
    return writer.fields(model, model._state, "state")


def _requests(asked: Any) -> dict[str, dict[str, Any]]:
    """Return the metadata requests of a model, by method."""
    found = {method: getattr(asked, method, None) for method in _METHODS}
    return {method: dict(one.requests) for method, one in found.items() if one}


def _built(tree: dict[str, Any], reader: Reader) -> tuple[Any, dict[str, Any]]:
    if not isinstance(tree, dict) or tree.keys() - {"encoder", "record"} != _KEYS:
        raise ModelFileError(f"its model must be an object with {sorted(_KEYS)}")
    name = tree["estimator"]
    if not isinstance(name, str) or name not in ESTIMATORS:
        raise ModelFileError(f"there is no estimator {name!r} here")
    given = reader.value(tree["parameters"])
    model: Any = ESTIMATORS[name]()
    wanted = model.get_params(deep=False).keys()
    if given.keys() != wanted:
        missing, unknown = sorted(wanted - given.keys()), sorted(given.keys() - wanted)
        raise ModelFileError(
            f"its {name} has other parameters than this version's: "
            f"missing {missing}, unknown {unknown}"
        )
    model.set_params(**given)
    checked_parameters(model)
    if tree["state"] is not None:
        vars(model).update(vars(reader.fields(tree["state"], model._state)))
        if hasattr(model, "_derive"):
            model._derive()
    if "encoder" in tree:
        encoder = tables.encoder.TableEncoder.from_dict(reader.value(tree["encoder"]))
        if encoder.encoding_.features != getattr(model, "n_features_in_", None):
            raise ModelFileError("its encoder has other features than its model")
        model.encoder_ = encoder
    if "record" in tree:
        model.training_record_ = reader.value(tree["record"])
    if not tree["requests"].keys() <= set(_METHODS):
        raise ModelFileError(f"its requests must be of {', '.join(_METHODS)}")
    with config_context(enable_metadata_routing=True):
        for method, asked in tree["requests"].items():
            getattr(model, f"set_{method}_request")(**asked)
    extra = reader.value(tree["extra"])
    if not isinstance(extra, dict):
        raise ModelFileError(f"extra must be a dictionary, got {extra!r}"[:120])
    if reader.unused:
        raise ModelFileError(f"no entry uses its tensors {reader.unused[:4]}")
    return model, extra
