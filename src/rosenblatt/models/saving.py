"""Model files: learning goes on from them bit for bit."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import lazy_loader
from sklearn import config_context

from rosenblatt.core.schema import SchemaError
from rosenblatt.estimators.base import checked_parameters, locked
from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.names import ESTIMATORS, estimator_name
from rosenblatt.models.reading import Reader
from rosenblatt.models.safetensors_file import header, pack, unpack
from rosenblatt.models.tree import Writer
from rosenblatt.system.atomic_files import write_whole

tables: Any = lazy_loader.load("rosenblatt.tables", suppress_warning=True)

__all__ = ["VERSION", "load_model", "save_model"]

_SCHEMA = "rosenblatt.model"
# Version of the format in docs/model_files.md. A test pins a digest of the schemas: who
# changes them changes the version, and writes new golden files.
VERSION = 6
_OLDEST = 6  # earlier ones were never released
_REQUESTS = "_metadata_request"  # which metadata scikit-learn is to route here, by
_METHODS = ("fit", "partial_fit", "score")  # method
_KEYS = {"estimator", "parameters", "state", "requests", "extra"}
_SHOWN = 300  # letters of the reason why a file is refused
_DERIVED = {
    "_codes",
    "_open",
    "encoder_",
    _REQUESTS,
}  # what follows from the state, or is kept apart


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
        Any estimator of rosenblatt, fitted or not.
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
    rosenblatt.models.errors.ModelFileError: ... is not a model: it is empty
    """
    if Path(path).exists() and not Path(path).is_file():  # a pipe would wait
        raise ModelFileError(f"{path} is not a model: it is not a regular file")
    content = Path(path).read_bytes()
    try:
        model, extra = _unpacked(content, {} if parts is None else parts)
    except ModelFileError as failure:
        reason = " ".join(str(failure).split())  # values of a file may have many lines
        reason = reason if len(reason) <= _SHOWN else f"{reason[:_SHOWN]}..."
        raise ModelFileError(f"{path} is not a model: {reason}") from failure
    return (model, extra) if with_extra else model


def _packed(model: Any, extra: dict[str, Any]) -> bytes:
    name = estimator_name(model)
    given = model.get_params(deep=False)
    writer = Writer()
    tree = {
        "estimator": name,
        "parameters": writer.plain(given, "parameters"),
        "state": _state(model, given, writer),
        "requests": _requests(vars(model).get(_REQUESTS)),
        "extra": writer.plain(extra, "extra"),
    }
    if "encoder_" in vars(model):
        tree["encoder"] = writer.plain(model.encoder_.as_dict(), "encoder")
    texts = {
        "schema": _SCHEMA,
        "schema_version": str(VERSION),
        "written_by": f"rosenblatt {version('rosenblatt')}",
        "model": json.dumps(tree, allow_nan=False, separators=(",", ":")),
    }
    return pack(writer.tensors, texts)


def _state(model: Any, given: Mapping[str, Any], writer: Writer) -> Any:
    """Return the state of a model as plain data; None if it is not fitted."""
    schema = model._state
    own = vars(model).keys() - given.keys() - _DERIVED
    for key in sorted(own - schema.fields.keys()):
        raise TypeError(
            f"model has an attribute {key!r} of your own, which a model file does not "
            "keep; pass it as extra"
        )
    if not own:
        return None
    try:
        schema.check(model, place="model")
    except SchemaError as failure:
        raise ValueError(f"model cannot be saved: {failure}") from failure
    return writer.fields(model, schema, "state")


def _requests(asked: Any) -> dict[str, dict[str, Any]]:
    """Return the metadata requests of a model, by method."""
    if asked is None:
        return {}
    found = {method: getattr(asked, method, None) for method in _METHODS}
    return {method: dict(one.requests) for method, one in found.items() if one}


def _unpacked(content: bytes, own: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    texts = header(content)
    if texts.get("schema") != _SCHEMA:
        raise ModelFileError(
            "it is a safetensors file, but of something else than rosenblatt"
        )
    stated = str(texts.get("schema_version"))
    if not (stated.isdecimal() and len(stated) < 10) or int(stated) < 1:
        raise ModelFileError(f"it is damaged: its schema version is {stated[:20]!r}")
    if int(stated) < _OLDEST:
        raise ModelFileError(
            f"it has schema version {stated}, from before the first release; "
            "learn the model again"
        )
    if int(stated) > VERSION:
        raise ModelFileError(
            f"it has schema version {stated}, and this version of rosenblatt reads up "
            f"to {VERSION}: it was written by {texts.get('written_by')}"
        )
    tensors = unpack(content)
    try:
        tree = json.loads(texts["model"], parse_constant=_constant)
        return _built(tree, Reader(tensors, own))
    except (ModelFileError, SchemaError) as failure:
        raise ModelFileError(str(failure)) from failure
    except (
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        RecursionError,
        AttributeError,
    ) as failure:
        raise ModelFileError(
            f"its content is not a valid model ({type(failure).__name__}: {failure})"
        ) from failure


def _constant(name: str) -> Any:
    raise ModelFileError(f"it is damaged: its header holds {name}")


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
        state = reader.fields(tree["state"], model._state)
        model._state.check(state)
        vars(model).update(vars(state))
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
        for method in _METHODS:
            if tree["requests"].get(method):
                getattr(model, f"set_{method}_request")(**tree["requests"][method])
    extra = reader.value(tree["extra"])
    if not isinstance(extra, dict):
        raise ModelFileError(f"extra must be a dictionary, got {extra!r}"[:120])
    if reader.unused:
        raise ModelFileError(f"no entry uses its tensors {reader.unused[:4]}")
    return model, extra
