"""Export of models as C headers without dependencies."""

from __future__ import annotations

import copy
import json
import os
import textwrap
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bits import packed
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import BayesPerceptron, BinaryBayesPerceptron
from rosenblatt.estimators.counting import CountingClassifier
from rosenblatt.models.saving import estimator_name
from rosenblatt.system.atomic_files import write_whole

__all__ = ["export_c"]

_WORD = 64
_HEAD = """\
/* {kind}, written by rosenblatt. C99, no dependencies.
 *
 *   int {name}_predict(const double *x)     the number of the class of a row
 *   void {name}_scores(const double *x, double *scores)
 *   const char *{name}_label(int number)    its label, as text in UTF-8
{more} */
#ifndef ROSENBLATT_{upper}_H
#define ROSENBLATT_{upper}_H

#include <stdint.h>

enum {{
    {name}_columns = {columns},
    {name}_models = {models},
    {name}_classes = {classes}
}};

static inline const char *{name}_label(int number)
{{
    static const char *const labels[] = {{
{labels}
    }};
    return labels[number];
}}
"""
_TAIL = """
static inline int {name}_best(const double *scores)
{{
    int best = 0, k;
    if ({name}_models == 1)
        return scores[0] > 0.0;
    for (k = 1; k < {name}_models; k++)
        if (scores[k] > scores[best])
            best = k;
    return best;
}}

static inline int {name}_predict(const double *x)
{{
    double scores[{name}_models];
    {name}_scores(x, scores);
    return {name}_best(scores);
}}
"""
_LINEAR = """
static inline void {name}_scores(const double *x, double *scores)
{{
    static const double weights[] = {{
{weights}
    }};
    static const double offsets[] = {{
{offsets}
    }};
    int i, k;
    for (k = 0; k < {name}_models; k++) {{
        const double *w = weights + (long)k * {name}_columns;
        double sum = 0.0;
        for (i = 0; i < {name}_columns; i++)
            sum += w[i] * x[i];
        scores[k] = sum + offsets[k];
    }}
}}
"""
_BITS = """
enum {{ {name}_words = {words} }};

static inline int {name}_ones(uint64_t word)
{{
    word -= (word >> 1) & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333))
         + ((word >> 2) & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)((word * UINT64_C(0x0101010101010101)) >> 56);
}}

static inline void {name}_scores_bits(const uint64_t *row, double *scores)
{{
    static const uint64_t signs[] = {{
{signs}
    }};
    static const uint64_t mask[] = {{
{mask}
    }};
    static const double offsets[] = {{
{offsets}
    }};
    int i, k;
    for (k = 0; k < {name}_models; k++) {{
        const uint64_t *s = signs + (long)k * {name}_words;
        const uint64_t *m = mask + (long)k * {name}_words;
        long sum = 0;
        for (i = 0; i < {name}_words; i++)
            sum += {name}_ones(m[i]) - 2 * {name}_ones((row[i] ^ s[i]) & m[i]);
        scores[k] = (double)sum / {divisor} + offsets[k];
    }}
}}

static inline void {name}_scores(const double *x, double *scores)
{{
{edges}    uint64_t row[{name}_words] = {{ 0 }};
    int i;
    for (i = 0; i < {name}_columns; i++)
        if (x[i] > {edge})
            row[i / 64] |= UINT64_C(1) << (i % 64);
    {name}_scores_bits(row, scores);
}}
"""
_BITS_TAIL = """
static inline int {name}_predict_bits(const uint64_t *row)
{{
    double scores[{name}_models];
    {name}_scores_bits(row, scores);
    return {name}_best(scores);
}}
"""
_MORE = """\
 *   int {name}_predict_bits(const uint64_t *row)
 *
 * Inputs have two levels. In packed rows, bit j of word k is column 64 k + j.
"""


def export_c(model: Any, path: str | os.PathLike[str], *, name: str = "model") -> None:
    """Write a fitted model as a C header that predicts.

    It needs a compiler for C99 and nothing else, and allocates nothing. Binary weights
    are bits there, and give the same labels. Other linear
    models have the same weights, so that a row within rounding of the boundary may
    fall on the other side.

    Parameters
    ----------
    model
        Any fitted estimator of rosenblatt but ``BayesPerceptron``, whose predictions
        are more than a sum: :func:`export_onnx` has them.
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
    estimator_name(model)
    if not (isinstance(name, str) and name.isascii() and name.isidentifier()):
        raise ValueError(f"name must be one for a function in C, got {name!r}")
    check_is_fitted(model)
    model = copy.copy(model)  # another thread may be learning
    if isinstance(model, BayesPerceptron):
        raise TypeError(
            "model must be linear for a C header; rb.export_onnx takes a "
            f"{type(model).__name__}"
        )
    weight = getattr(model, "class_weight", None)
    if weight is not None and hasattr(model, "predict_proba"):
        raise ValueError(
            "model must not weigh the probabilities of classes, got "
            f"class_weight={weight!r}; set_params(class_weight=None) removes it"
        )
    hard = isinstance(model, BinaryBayesPerceptron) and model.hard and model._packed
    if hard or isinstance(model, CountingClassifier):
        body, more = _bits(model, name), _MORE.format(name=name)
        tail = _TAIL + _BITS_TAIL
    else:
        body, more, tail = _linear(model, name), "", _TAIL
    head = _HEAD.format(
        kind=type(model).__name__,
        name=name,
        upper=name.upper(),
        more=more,
        columns=model.n_features_in_,
        models=len(model.coef_),
        classes=len(model.classes_),
        labels=_listed(map(_text, model.classes_.tolist())),
    )
    content = head + body + tail.format(name=name) + "\n#endif\n"
    write_whole(path, content.encode("ascii"))


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


def _linear(model: Any, name: str) -> str:
    return _LINEAR.format(
        name=name, weights=_doubles(model.coef_), offsets=_doubles(model.intercept_)
    )


def _words(high: npt.NDArray[np.bool_]) -> str:
    return _listed(f"UINT64_C(0x{word:016x})" for word in packed(high).ravel().tolist())


def _bits(model: Any, name: str) -> str:
    """Return the scores of a model with weights -1, 0 and +1 on inputs of two levels.

    Entries above an edge are high: one edge for each column, or one for all.
    """
    if isinstance(model, CountingClassifier):
        weights, offsets, divisor = model.coef_, model.intercept_, 1.0
        edges = _edges(model._counted.levels)
    else:
        weights, offsets = model.signs_, model._intercepts()
        divisor, edges = float(np.sqrt(model.n_features_in_)), np.zeros(1)
    table, edge = "", edges[0].hex()
    if edges.size > 1:
        table = f"    static const double edges[] = {{\n{_doubles(edges)}\n    }};\n"
        edge = "edges[i]"
    return _BITS.format(
        name=name,
        words=-(-weights.shape[1] // _WORD),
        signs=_words(weights > 0),
        mask=_words(weights != 0),
        offsets=_doubles(np.asarray(offsets, np.float64)),
        divisor=divisor.hex(),
        edges=table,
        edge=edge,
    )


def _edges(levels: Any) -> FloatArray:
    """Return the value above which entries are high; 0 for packed bits."""
    if levels is None:
        return np.zeros(1)
    unknown = levels.single & ~np.isin(levels.low, (-1.0, 0.0, 1.0))
    for column in np.flatnonzero(unknown)[:1].tolist():
        raise ValueError(
            "model must know both levels of each column, unless they are -1 or 0, and "
            f"1, got {levels.low[column]:g} alone in column {column}"
        )
    cut = ~np.isnan(levels.cut)
    edges = np.where(cut, levels.cut, np.where(levels.single, 0.0, levels.low))
    usual = ~cut & np.isin(levels.low, (-1.0, 0.0)) & (levels.high == 1.0)
    edges = np.where(usual, 0.0, edges)
    return edges[:1] if (edges == edges[0]).all() else edges
