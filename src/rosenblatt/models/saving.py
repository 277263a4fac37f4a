"""Model files: learning goes on from them bit for bit.

A file has the safetensors format: tensors, and one text in its metadata, a JSON object
with the version of the format, a checksum and the model as in
:mod:`rosenblatt.models.tree`.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import lazy_loader
import numpy as np
import numpy.typing as npt
from sklearn import config_context

from rosenblatt.core.schema import SchemaError
from rosenblatt.estimators.base import checked_parameters, locked
from rosenblatt.models.exporting import ESTIMATORS, estimator_name
from rosenblatt.models.tree import ModelFileError, Reader, Writer
from rosenblatt.system.atomic_files import write_whole
from rosenblatt.system.extras import missing

try:
    from safetensors import SafetensorError
    from safetensors import numpy as safetensors
except ImportError as failure:
    raise missing("safetensors", "a model file") from failure

tables: Any = lazy_loader.load("rosenblatt.tables", suppress_warning=True)

__all__ = ["VERSION", "load_model", "pack", "save_model", "unpack"]

Tensors = Mapping[str, npt.NDArray[Any]]
VERSION = 8  # of the format in docs/model_files.md; earlier ones were never released
_KEY = "rosenblatt"  # of our text in the metadata
_LENGTH = 8  # bytes of the length of the header
_REQUESTS = "_metadata_request"  # which metadata scikit-learn is to route here, by
_METHODS = ("fit", "partial_fit", "score")  # method
_KEYS = {"estimator", "parameters", "state", "requests", "extra"}
_SHOWN = 300  # letters of the reason why a file is refused
# What follows from the state, or is kept apart.
_DERIVED = {"_codes", "_open", "encoder_", _REQUESTS}


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
    rosenblatt.models.tree.ModelFileError: ... is not a model: it is empty
    """
    if Path(path).exists() and not Path(path).is_file():  # a pipe would wait
        raise ModelFileError(f"{path} is not a model: it is not a regular file")
    content = Path(path).read_bytes()
    try:
        tree, tensors = unpack(content)
        model, extra = _built(tree, Reader(tensors, parts or {}))
    except (
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        RecursionError,
        AttributeError,
        MemoryError,
    ) as failure:
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
    rosenblatt.models.tree.ModelFileError: it is damaged: its checksum is wrong
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
    if not isinstance(tree, dict) or tree.keys() - {"encoder"} != _KEYS:
        raise ModelFileError(f"its model must be an object with {sorted(_KEYS)}")
    name = tree["estimator"]
    if not isinstance(name, str) or name not in ESTIMATORS:
        raise ModelFileError(f"there is no estimator {name!r} here")
    given = reader.value(tree["parameters"])
    model: Any = ESTIMATORS[name]()
    if given.keys() != model.get_params(deep=False).keys():
        raise ModelFileError(f"{name} has no parameters {sorted(map(str, given))}")
    model.set_params(**given)
    checked_parameters(model)
    if tree["state"] is not None:
        vars(model).update(vars(reader.fields(tree["state"], model._state)))
        if hasattr(model, "_derive"):
            model._derive()
    if "encoder" in tree:
        encoder = tables.encoder.TableEncoder.from_dict(reader.value(tree["encoder"]))
        if encoder.features != getattr(model, "n_features_in_", None):
            raise ModelFileError("its encoder has other features than its model")
        model.encoder_ = encoder
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
