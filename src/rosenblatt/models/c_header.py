"""Export of models as C headers without dependencies."""

from __future__ import annotations

import json
import os
import re
import textwrap
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.bayes.standardisation import SMALLEST
from rosenblatt.bits import packed
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import BayesPerceptron, BinaryBayesPerceptron
from rosenblatt.estimators.counting import CountingClassifier
from rosenblatt.models.exporting import (
    DAY,
    MONDAY,
    WAVES,
    WEEK,
    class_weights,
    exportable,
    filters,
    table_columns,
)
from rosenblatt.system.atomic_files import write_whole
from rosenblatt.tables.encoding import MISSING

__all__ = ["export_c"]

_WORD = 64
_FARTHEST = 300.0  # log-odds, as in engines.mixing_rows
_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for
    goto if inline int long register restrict return short signed sizeof static struct
    switch typedef union unsigned void volatile while isnan
"""
_HEAD = """\
/* {kind}, written by rosenblatt. C99, with the mathematics of the standard library.
 *
 *   int {name}_predict(const double *x)     the number of the class of a row
{more} *   const char *{name}_label(int number)    its label, as text in UTF-8
 */
#ifndef ROSENBLATT_{upper}_H
#define ROSENBLATT_{upper}_H

#include <math.h>
#include <stdint.h>
#include <string.h>

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
_SCORES = " *   void {name}_scores(const double *x, double *scores)\n"
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
_PREDICT_BITS = """\
 *   int {name}_predict_bits(const uint64_t *row)
 *       Inputs have two levels: bit j of word k is column 64 k + j.
"""
_PROBABILITIES = " *   void {name}_probabilities(const double *x, double *p)\n"
# The log-odds of each class by one filter. They are computed for the side on which the
# field is; the other has the other sign.
_BELIEF = """
static inline void {name}_softmax(double *p)
{{
    double most = p[0], sum = 0.0;
    int k;
    for (k = 1; k < {name}_classes; k++)
        most = p[k] > most ? p[k] : most;
    for (k = 0; k < {name}_classes; k++)
        sum += p[k] = exp(p[k] - most);
    for (k = 0; k < {name}_classes; k++)
        p[k] /= sum;
}}

static inline double {name}_between(double value, double low, double high)
{{
    return value < low ? low : value > high ? high : value;
}}

static inline void {name}_odds(const double *x, const double *center,
    const double *factor, double clip, const double *mean, const double *spread,
    int full, double label_variance, double noise, double *odds)
{{
    enum {{ weights = {name}_columns + 1 }};
    double z[weights];
    int i, j, k;
    for (i = 0; i < {name}_columns; i++)
        z[i] = {name}_between((x[i] - center[i]) * factor[i], -clip, clip);
    z[{name}_columns] = 1.0;
    for (k = 0; k < {name}_models; k++) {{
        double field = 0.0, variance = 0.0;
        for (i = 0; i < weights; i++)
            field += mean[(long)k * weights + i] * z[i];
        for (j = 0; full && j < weights; j++) {{
            const double *root = spread + (long)k * weights * weights + j;
            double sum = 0.0;
            for (i = j; i < weights; i++)
                sum += root[(long)i * weights] * z[i];
            variance += sum * sum;
        }}
        for (i = 0; !full && i < weights; i++)
            variance += spread[(long)k * weights + i] * z[i] * z[i];
        if ({name}_models == 1) {{
            double u = field / sqrt(variance + label_variance);
            double small = 0.5 * erfc(fabs(u) * {root_half});
            double clear = 1.0 - 2.0 * noise;
            double size = log((1.0 - small) * clear + noise)
                        - log(small * clear + noise);
            odds[0] = 0.0;
            odds[{name}_classes - 1] = {name}_between(u < 0.0 ? -size : size,
                -{farthest}, {farthest});
        }} else
            odds[k] = field / sqrt(variance * {pi_8} + label_variance);
    }}
    if ({name}_models > 1) {{
        double other = noise / ({name}_models - 1.0);
        {name}_softmax(odds);
        for (k = 0; k < {name}_models; k++) {{
            double p = odds[k] * (1.0 - noise - other) + other;
            odds[k] = {name}_between(log(p > {smallest} ? p : {smallest}),
                -{farthest}, {farthest});
        }}
    }}
}}

static inline void {name}_probabilities(const double *x, double *p)
{{
{arrays}
    double odds[{name}_classes], part[{name}_classes];
    int k, e, layer;
    for (k = 0; k < {name}_classes; k++)
        p[k] = 0.0;
    for (e = 0; e < {filters}; e++) {{
        {name}_odds(x, center[e], factor[e], clip[e], mean[e], spread[e], full[e],
            label_variance[e], noise[e], odds);
        for (layer = 0; layer < {layers}; layer++) {{
            const double *slope = layers
                + (e * {layers} + layer) * ({name}_classes + 2);
            for (k = 0; k < {name}_classes; k++)
                part[k] = slope[1] * odds[k] + slope[2 + k];
            {name}_softmax(part);
            for (k = 0; k < {name}_classes; k++)
                p[k] += slope[0] * part[k];
        }}
    }}
{factors}}}

static inline int {name}_predict(const double *x)
{{
    double p[{name}_classes];
    int best = 0, k;
    {name}_probabilities(x, p);
    for (k = 1; k < {name}_classes; k++)
        if (p[k] > p[best])
            best = k;
    return best;
}}
"""
_FACTORS = """\
    {{
        static const double factors[] = {{
{factors}
        }};
        double sum = 0.0;
        for (k = 0; k < {name}_classes; k++)
            sum += p[k] *= factors[k];
        for (k = 0; k < {name}_classes; k++)
            p[k] /= sum;
    }}
"""
_ROW_MORE = """\
 *   void {name}_features(const {name}_row *row, double *x)
 *       The features of a row of the table. Missing numbers and dates are NAN, missing
 *       text is NULL. Dates are seconds since 1970.
"""
_ROW = """
typedef struct {{
{fields}
}} {name}_row;

static inline int {name}_place(const char *text, const char *const *levels, int count,
    int gone, int other)
{{
    int i;
    for (i = 0; text && i < count; i++)
        if (!strcmp(text, levels[i]))
            return i;
    return text ? other : gone;
}}

static inline void {name}_features(const {name}_row *row, double *x)
{{
    const double size = {size};
    double value = 0.0, days = 0.0;
    int i, place = 0;
    (void)value, (void)days, (void)place;
    for (i = 0; i < {name}_columns; i++)
        x[i] = 0.0;
{body}
    for (i = 0; i < {name}_columns; i++)
        x[i] *= size;
}}
"""
_NUMBER = """\
    value = isnan(row->{field}) ? {mean} : row->{field};
    x[{at}] = {standardised};
"""
_CATEGORY = """\
    {{
        static const char *const levels[] = {{
{levels}
        }};
        place = {name}_place(row->{field}, levels, {count}, {gone}, {other});
        x[{at} + place] = 1.0;
    }}
"""


def export_c(model: Any, path: str | os.PathLike[str], *, name: str = "model") -> None:
    """Write a fitted model as a C header that predicts.

    It needs a compiler for C99 and its mathematics library, and allocates nothing.
    Binary weights are bits there, and give the same labels. Other models have the same
    numbers, so that a row within rounding of the boundary may fall on the other side. A
    ``BayesPerceptron`` predicts for its ``horizon``, and has
    ``model_probabilities(x, p)``.

    A model that has learned a table with text, dates or gaps has a structure
    ``model_row`` with a field for each column, and ``model_features(row, x)``. Hashed
    columns are refused.

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
        raise ValueError(f"name must be one for a function in C, got {name!r}")
    model = exportable(model)
    encoding = table_columns(model, "C")
    hard = isinstance(model, BinaryBayesPerceptron) and model.hard and model._packed
    if isinstance(model, BayesPerceptron):
        body, more = _belief(model, name), _PROBABILITIES
    elif class_weights(model) is not None and hasattr(model, "predict_proba"):
        raise ValueError(
            f"model must not weigh classes, got class_weight={model.class_weight!r}; "
            "set_params(class_weight=None) removes it"
        )
    elif hard or isinstance(model, CountingClassifier):
        body = _bits(model, name) + (_TAIL + _BITS_TAIL).format(name=name)
        more = _SCORES + _PREDICT_BITS
    else:
        body, more = _linear(model, name) + _TAIL.format(name=name), _SCORES
    if encoding is not None:
        body, more = _row(encoding, name) + body, more + _ROW_MORE
    classes = len(model.classes_)
    head = _HEAD.format(
        kind=type(model).__name__,
        name=name,
        upper=name.upper(),
        more=more.format(name=name),
        columns=model.n_features_in_,
        models=1 if classes == 2 else classes,
        classes=classes,
        labels=_listed(map(_text, model.classes_.tolist())),
    )
    write_whole(path, f"{head}{body}\n#endif\n".encode("ascii"))


def _belief(model: Any, name: str) -> str:
    """Return the probabilities of a mixture of Gaussian beliefs."""
    experts, classes = model._ahead(), len(model.classes_)
    found, mixture = filters(experts.filters), experts.mixture
    names: dict[str, list[str]] = {"center": [], "factor": [], "mean": [], "spread": []}
    arrays = []
    for e, one in enumerate(found):
        for key, values in (
            ("center", one.center),
            ("factor", one.factor),
            ("mean", one.mean),
            ("spread", one.spread),
        ):
            names[key].append(f"{key}_{e}")
            arrays.append(_array(f"double {key}_{e}[]", _doubles(values)))
    for key, listed in names.items():
        arrays.append(_array(f"double *const {key}[]", _listed(listed)))
    numbers = {
        "clip": [one.clip for one in found],
        "label_variance": [one.label_variance for one in found],
        "noise": [one.noise for one in found],
    }
    for key, given in numbers.items():
        arrays.append(_array(f"double {key}[]", _doubles(np.array(given))))
    full = [str(int(one.full)) for one in found]
    arrays.append(_array("int full[]", _listed(full)))
    weights = np.ones((1, 1)) if mixture is None else np.asarray(mixture.weights)
    layers = []
    for e, layer in np.ndindex(*weights.shape):
        slope, offsets = 1.0, np.zeros(classes)
        if mixture is not None:
            slope = float(mixture.slopes[e, layer])
            offsets = np.zeros(classes) + (mixture.offsets[e] if layer else 0.0)
        layers.append([float(weights[e, layer]), slope, *offsets.tolist()])
    arrays.append(_array("double layers[]", _doubles(np.array(layers))))
    factors = class_weights(model)
    return _BELIEF.format(
        name=name,
        arrays="\n".join(arrays),
        filters=len(found),
        layers=weights.shape[1],
        root_half=float(np.sqrt(0.5)).hex(),
        pi_8=(np.pi / 8).hex(),
        farthest=_FARTHEST,
        smallest=float(SMALLEST).hex(),
        factors=""
        if factors is None
        else _FACTORS.format(name=name, factors=_doubles(factors)),
    )


def _array(declared: str, listed: str) -> str:
    return f"    static const {declared} = {{\n{listed}\n    }};"


def _row(encoding: Any, name: str) -> str:
    """Return the structure of a row of a table, and the function for its features."""
    numbers, coded = encoding.numbers, encoding.coded
    names = _identifiers([*numbers, *encoding.columns.texts])
    fields, body = [], []
    for j, column in enumerate(numbers):
        fields.append(f"    double {names[column]}; /* {_comment(column)} */")
        mean, standardised = float(encoding.means[j]).hex(), "value"
        if encoding.scales is not None:
            scale = float(encoding.scales[j]).hex()
            standardised = f"(value - {mean}) / {scale}"
        given = {"field": names[column], "mean": mean, "standardised": standardised}
        body.append(_NUMBER.format(at=j, **given))
    at = len(numbers)
    for j in encoding.indicators:
        body.append(f"    x[{at}] = isnan(row->{names[numbers[j]]}) ? 1.0 : 0.0;\n")
        at += 1
    for column, coding in coded:
        field = names[column]
        kind = "double " if coding.kind == "date" else "const char *"
        fields.append(f"    {kind}{field}; /* {_comment(column)} */")
        if coding.kind == "date":
            body.append(_date(field, coding, at))
        else:
            number = {level: i for i, level in enumerate(coding.levels)}
            last = len(coding.levels) - 1
            body.append(
                _CATEGORY.format(
                    name=name,
                    field=field,
                    at=at,
                    levels=_listed(map(_text, coding.levels)),
                    count=len(coding.levels),
                    gone=number.get(MISSING, last),
                    other=last,
                )
            )
        at += len(coding.levels)
    size = 1.0
    if encoding.scales is not None:
        size = float(1.0 / np.sqrt(len(numbers) + len(coded)))
    return _ROW.format(
        name=name, fields="\n".join(fields), size=size.hex(), body="".join(body)
    )


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
