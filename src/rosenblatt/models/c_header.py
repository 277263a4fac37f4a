"""Export of models as C headers without dependencies."""

from __future__ import annotations

import json
import os
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.bayes.cosines import CLIP
from rosenblatt.bayes.curved import BLENDS, LEAST, TINY, Curved
from rosenblatt.bayes.mixture import FARTHEST, LAYERS, Mixture
from rosenblatt.bayes.standardisation import SMALLEST
from rosenblatt.bits import packed
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import (
    BayesPerceptron,
    BayesRegressor,
    BinaryBayesPerceptron,
)
from rosenblatt.estimators.counting import CountingClassifier
from rosenblatt.models.exporting import (
    WAVES,
    FunctionNumbers,
    LawNumbers,
    class_weights,
    exportable,
    filters,
    functions,
    law,
    table_columns,
)
from rosenblatt.system.atomic_files import write_whole
from rosenblatt.tables.encoding import DAY, MISSING, MONDAY, WEEK

_WORD = 64
_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for
    goto if inline int long register restrict return short signed sizeof static struct
    switch typedef union unsigned void volatile while isnan
"""
# The parts of headers, in C.
_PARTS = dict(
    part.split("\n", 1)
    for part in Path(__file__).with_name("header.h").read_text("utf-8").split("@@ ")[1:]
)


def export_c(model: Any, path: str | os.PathLike[str], *, name: str = "model") -> None:
    """Write a fitted model as a C header that predicts.

    It needs a compiler for C99 and its mathematics library, and allocates nothing.
    Binary weights are bits there, and give the same labels. Other models have the same
    numbers, so that a row within rounding of the boundary may fall on the other side. A
    ``BayesPerceptron`` predicts for its ``horizon``, and has
    ``model_probabilities(x, p)``. Of a ``BayesRegressor`` ``model_predict(x)`` is the
    mean of the target, and ``model_std(x)`` its standard deviation.

    A model that has learned a table with text, dates or gaps has a structure
    ``model_row`` with a field for each column, and ``model_features(row, x)``.
    Categories may be hashed; columns of text, which are split into words, are refused.

    Parameters
    ----------
    model
        Any fitted estimator of rosenblatt.
    path
        The header, written whole or not at all.
    name
        Prefix of the functions' names: ``model_predict``.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rosenblatt as rb
    >>> model = rb.OnlinePerceptron().fit([[1.0, 2.0], [2.0, 1.0]], ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "model.h"
    ...     rb.export_c(model, path)
    ...     "int model_predict(const double *x)" in path.read_text()
    True
    """
    if not (isinstance(name, str) and name.isascii() and name.isidentifier()):
        raise ValueError(f"name must be a valid function name in C, got {name!r}")
    model = exportable(model)
    encoding = table_columns(model, "C")
    head = "head"
    hard = isinstance(model, BinaryBayesPerceptron) and model.hard and model._packed
    if isinstance(model, BayesRegressor):
        head, parts = "regression_head", ("", "functions regression")
        values: dict[str, Any] = _law(law(model))
    elif isinstance(model, BayesPerceptron):
        values = _belief(model)
        body = "belief probabilities_tail"
        if model._experts.curved is not None:
            body = "belief functions curved probabilities_tail"
        parts = "probabilities", body
    elif class_weights(model) is not None and hasattr(model, "predict_proba"):
        raise ValueError(
            f"model must not weigh classes, got class_weight={model.class_weight!r}; "
            "set_params(class_weight=None) removes it"
        )
    elif hard or isinstance(model, CountingClassifier):
        parts, values = ("scores predict_bits", "bits tail bits_tail"), _bits(model)
    else:
        parts, values = (
            ("scores", "linear tail"),
            {
                "weights": _doubles(model.coef_),
                "offsets": _doubles(model.intercept_),
            },
        )
    said, body = parts
    if encoding is not None:
        said, body = f"{said} row_more", f"row {body}"
        values |= _row(encoding, name)
        if encoding.hashed_columns:
            body = f"hash {body}"
    classes = getattr(model, "classes_", np.zeros(0))
    values |= {
        "name": name,
        "kind": type(model).__name__,
        "upper": name.upper(),
        "columns": model.n_features_in_,
        "models": 1 if len(classes) == 2 else len(classes),
        "classes": len(classes),
        "labels": _listed(map(_text, classes.tolist())),
    }
    values["more"] = _filled(said, values)
    text = _filled(f"{head} {body}", values) + "\n#endif\n"
    write_whole(path, text.encode("ascii"))


def _filled(parts: str, values: dict[str, Any]) -> str:
    """Return parts of a header with values in their places."""
    return "".join(Template(_PARTS[part]).substitute(values) for part in parts.split())


def _belief(model: Any) -> dict[str, Any]:
    """Return the values of the probabilities of a mixture of Gaussian beliefs."""
    experts, classes = model._ahead(), len(model.classes_)
    found, mixture = filters(experts.filters), experts.mixture
    arrays = _tables(found, "center", "factor", "mean", "spread")
    for key in ("clip", "label_variance", "noise"):
        numbers = np.array([getattr(one, key) for one in found])
        arrays.append(_array(f"double {key}[]", _doubles(numbers)))
    full = [str(int(one.full)) for one in found]
    arrays.append(_array("int full[]", _listed(full)))
    arrays.append(_array("double layers[]", _layers(mixture, classes)))
    factors = class_weights(model)
    factors = np.ones(classes) if factors is None else factors
    values = {} if experts.curved is None else _curved(experts.curved)
    return values | {
        "arrays": "\n".join(arrays),
        "filters": len(found),
        "layers": 1 if mixture is None else LAYERS,
        "last": "linear" if experts.curved is None else "curved",
        "root_half": float(np.sqrt(0.5)).hex(),
        "pi_8": (np.pi / 8).hex(),
        "farthest": FARTHEST,
        "smallest": float(SMALLEST).hex(),
        "factors": _doubles(factors),
    }


def _curved(curved: Curved) -> dict[str, Any]:
    """Return the values of the functions of a curved boundary."""
    found = functions(curved)
    (center, factor), names = found[0].units, ("center", "factor", "floors")
    arrays = _functions(found, "mean")
    units = center, factor, np.array([one.floor for one in found])
    for key, numbers in zip(names, units, strict=True):
        arrays.append(_array(f"double {key}[]", _doubles(numbers)))
    arrays.append(_array("double layers[]", _layers(curved.mixture, curved.classes)))
    arrays.append(_array("double shares[]", _doubles(BLENDS)))
    return {
        "functions": "\n".join(arrays),
        "sines": len(found[0].phases),
        "parts": 1 + len(found),
        "blends": len(BLENDS),
        "function_clip": CLIP,
        "least": LEAST,
        "tiny": TINY,
        "density": float(1.0 / np.sqrt(2.0 * np.pi)).hex(),
    }


def _functions(found: list[FunctionNumbers], means: str) -> list[str]:
    """Return the arrays of functions; the lower half of covariances is enough."""
    lower = [one.covariance[np.tril_indices(len(one.covariance))] for one in found]
    pairs = zip(found, lower, strict=True)
    halves = [one._replace(covariance=half) for one, half in pairs]
    arrays = _tables(halves, "frequencies", "phases", "amplitudes", "covariance")
    return arrays + _tables(found, "mean", name=means)


def _law(known: LawNumbers) -> dict[str, Any]:
    """Return the values of the law of a number."""
    found = known.parts
    arrays = _functions(found, "means")
    for key, place in (("center", 0), ("factor", 1)):
        arrays += _table(key, [one.units[place] for one in found])
    numbers = {
        "weights": known.weights,
        "wider": known.wider,
        "clips": np.array([one.clip for one in found]),
        "floors": np.array([one.floor for one in found]),
    }
    for key, own in numbers.items():
        arrays.append(_array(f"double {key}[]", _doubles(own)))
    sines = [len(one.phases) for one in found]
    arrays.append(_array("int sines[]", _listed(map(str, sines))))
    return {
        "functions": "\n".join(arrays),
        "parts": len(found),
        "counts": int(known.counts),
        "features": max(len(one.mean) for one in found),
    }


def _tables(found: list[Any], *keys: str, name: str = "") -> list[str]:
    """Return an array of each part for some attributes, and one of all their parts."""
    each = [_table(name or key, [getattr(one, key) for one in found]) for key in keys]
    return [array for arrays in each for array in arrays]


def _table(name: str, found: list[FloatArray]) -> list[str]:
    """Return an array of each part, and one of all of them."""
    arrays = [
        _array(f"double {name}_{e}[]", _doubles(own)) for e, own in enumerate(found)
    ]
    names = [f"{name}_{e}" for e in range(len(found))]
    return [*arrays, _array(f"double *const {name}[]", _listed(names))]


def _layers(mixture: Mixture | None, classes: int) -> str:
    """Return weight, slope and offsets of each layer of a mixture, or of one alone."""
    if mixture is None:
        return _doubles(np.array([1.0, 1.0, *np.zeros(classes)]))
    layers = []
    for e, layer in np.ndindex(*mixture.weights.shape):
        offsets = mixture.offsets[e] if layer else np.zeros(classes)
        known = mixture.weights[e, layer], mixture.slopes[e, layer]
        layers.append(np.array([*known, *offsets]))
    return _doubles(np.stack(layers))


def _array(declared: str, listed: str) -> str:
    return f"    static const {declared} = {{\n{listed}\n    }};"


def _row(encoding: Any, name: str) -> dict[str, Any]:
    """Return the fields of a row of a table, and the statements for its features."""
    numbers, coded = encoding.numbers, encoding.coded
    names = _identifiers([*numbers, *encoding.texts])
    scales = encoding.scales or (1.0,) * len(numbers)
    fields, body, at = [], [], len(numbers)
    for j, column in enumerate(numbers):
        fields.append(f"    double {names[column]}; /* {_comment(column)} */")
        mean = encoding.means[j] if encoding.scales else 0.0
        given: dict[str, Any] = {
            "field": names[column],
            "gap": float(encoding.means[j]).hex(),
        }
        given |= {"mean": float(mean).hex(), "scale": float(scales[j]).hex()}
        body.append(_filled("number", given | {"at": j}))
    for j in encoding.indicators:
        body.append(f"    x[{at}] = isnan(row->{names[numbers[j]]}) ? 1.0 : 0.0;\n")
        at += 1
    for column, coding in coded:
        field = names[column]
        kind = "double " if coding.kind == "date" else "const char *"
        fields.append(f"    {kind}{field}; /* {_comment(column)} */")
        given = {"name": name, "field": field, "at": at}
        if coding.kind == "date":
            body.append(_date(field, coding, at))
        elif coding.hashed:
            given["prefix"] = _text(f"{column}=")
            given |= {"at": encoding.unhashed, "mask": 2**encoding.hash_bits - 1}
            body.append(_filled("hashed", given | {"gap": _text(MISSING)}))
        else:
            number = {level: i for i, level in enumerate(coding.levels)}
            last = len(coding.levels) - 1
            given["levels"] = _listed(map(_text, coding.levels))
            given |= {"count": last + 1, "gone": number.get(MISSING, last)}
            body.append(_filled("category", given | {"other": last}))
        at += len(coding.names)
    size = 1.0
    if encoding.scales is not None:
        size = float(1.0 / np.sqrt(len(numbers) + len(coded)))
    return {"fields": "\n".join(fields), "size": size.hex(), "body": "".join(body)}


def _date(field: str, coding: Any, at: int) -> str:
    """Return the statements for the parts of a date."""
    lines = [f"days = row->{field} / {DAY};"]
    for j, part in enumerate(coding.levels):
        if part == MISSING:
            value = "isnan(days) ? 1.0 : 0.0"
        elif part == "elapsed":
            mean, scale = float(coding.mean).hex(), float(coding.scale).hex()
            value = f"isnan(days) ? 0.0 : (days - {mean}) / {scale}"
        elif part in WEEK:
            day = WEEK.index(part) - MONDAY
            value = f"fmod(fmod(floor(days) - {day}, 7.0) + 7.0, 7.0) == 0.0"
        else:
            turns, quarter = WAVES[part]
            angle = f"days * {turns.hex()} + {quarter.hex()}"
            value = f"isnan(days) ? 0.0 : sin({angle})"
        lines.append(f"x[{at + j}] = {value};")
    return "".join(f"    {line}\n" for line in lines)


def _identifiers(columns: list[str]) -> dict[str, str]:
    """Return a name in C for each column.

    Examples
    --------
    >>> _identifiers(["age", "new price", "new_price", "int", "2nd"])
    {'age': 'age', 'new price': 'new_price', 'new_price': 'new_price_', \
'int': 'int_', '2nd': '_2nd'}
    """
    found: dict[str, str] = {}
    for column in columns:
        plain = re.sub(r"\W", "_", column, flags=re.ASCII) or "_"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        while plain in found.values() or plain in _KEYWORDS.split():
            plain += "_"
        found[column] = plain
    return found


def _comment(column: str) -> str:
    """Return the name of a column as it may stand in a comment."""
    return json.dumps(column).replace("*/", "* /").replace("/*", "/ *")


def _listed(entries: Iterable[str]) -> str:
    """Return the entries of a C array, wrapped into lines."""
    lines = textwrap.wrap(
        ", ".join(entries), 80, break_long_words=False, break_on_hyphens=False
    )
    return textwrap.indent("\n".join(lines), " " * 8)


def _doubles(values: npt.NDArray[Any]) -> str:
    """Return numbers as exact hexadecimal C literals."""
    for value in values.ravel()[~np.isfinite(values.ravel())][:1].tolist():
        raise ValueError(f"model must have finite weights for a C header, got {value}")
    return _listed(float(value).hex() for value in values.ravel())


def _text(label: Any) -> str:
    """Return a label as a C string literal, with octal escapes."""
    written = label if isinstance(label, str) else json.dumps(label, default=str)
    plain = "".join(
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\{byte:03o}"
        for byte in written.encode()
    )
    return f'"{plain}"'


def _words(high: npt.NDArray[np.bool_]) -> str:
    return _listed(f"UINT64_C(0x{word:016x})" for word in packed(high).ravel().tolist())


def _bits(model: Any) -> dict[str, Any]:
    """Return the values of a model with weights -1, 0 and +1 on inputs of two levels.

    Entries above an edge, one for each column, are high.
    """
    columns = model.n_features_in_
    if isinstance(model, CountingClassifier):
        weights, offsets, divisor = model.coef_, model.intercept_, 1.0
        edges = _edges(model._counted.levels, columns)
    else:
        weights, offsets = model.signs_, model._intercepts()
        divisor, edges = float(np.sqrt(columns)), np.zeros(columns)
    return {
        "words": -(-columns // _WORD),
        "signs": _words(weights > 0),
        "mask": _words(weights != 0),
        "offsets": _doubles(np.asarray(offsets, np.float64)),
        "divisor": divisor.hex(),
        "edges": _doubles(edges),
    }


def _edges(levels: Any, columns: int) -> FloatArray:
    """Return the value above which entries are high; 0 for packed bits."""
    if levels is None:
        return np.zeros(columns)
    unknown = levels.single & ~np.isin(levels.low, (-1.0, 0.0, 1.0))
    for column in np.flatnonzero(unknown)[:1].tolist():
        raise ValueError(
            "model must know both levels of each column, unless they are -1 or 0, and "
            f"1, got {levels.low[column]:g} alone in column {column}"
        )
    cut = ~np.isnan(levels.cut)
    edges = np.where(cut, levels.cut, np.where(levels.single, 0.0, levels.low))
    usual = ~cut & np.isin(levels.low, (-1.0, 0.0)) & (levels.high == 1.0)
    return np.where(usual, 0.0, edges)
