"""Checks of what a classifier is given: rows, labels, weights, classes, generators."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csr_array, csr_matrix, issparse
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_X_y,
    column_or_1d,
    validate_data,
)

from rosenblatt.bits import Bits
from rosenblatt.core.arguments import number, shown
from rosenblatt.core.sparse import check_sparse
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear.learning import portions


def check_unmasked(name: str, values: Any) -> None:
    """Raise an error if entries of a masked array are masked.

    Examples
    --------
    >>> check_unmasked("X", np.ma.masked_array([1.0, 2.0], [False, True]))
    Traceback (most recent call last):
    ValueError: X must not have masked entries, got 1; fill them, X.filled(0)
    """
    if isinstance(values, np.ma.MaskedArray) and (
        masked := int(np.ma.getmaskarray(values).sum())
    ):
        raise ValueError(
            f"{name} must not have masked entries, got {masked}; fill them, "
            f"{name}.filled(0)"
        )


def check_rows(X: Any) -> None:
    """Raise an error for dates, text, masked entries and a damaged sparse structure.

    Examples
    --------
    >>> X = sparse.csr_array(np.eye(2))
    >>> X.indices[1] = 7
    >>> check_rows(X)
    Traceback (most recent call last):
    ValueError: X must have column indices from 0 to 1, got 7
    """
    if isinstance(X, Mapping) and not sparse.issparse(X):
        raise TypeError(f"X must be rows of numbers, got {type(X).__name__}")
    if isinstance(X, Bits):
        raise TypeError(f"X must be rows of numbers, got {X!r}; take bits.unpack(X)")
    frame = hasattr(X, "columns") and hasattr(X, "dtypes")
    for name, kind in zip(X.columns, X.dtypes, strict=True) if frame else ():
        if not has_numbers(kind):
            raise TypeError(
                f"X must be numbers, got {kind} in column {name!r}; a model that is "
                "fitted to a table with text or dates encodes it"
            )
    if getattr(getattr(X, "dtype", None), "kind", "") in ("m", "M"):
        raise TypeError(
            f"X must be numbers, got dates or durations, {X.dtype}; subtract a date "
            "and divide by a unit of time"
        )
    check_unmasked("X", X)
    if sparse.issparse(X):
        check_sparse(X)


def has_numbers(kind: Any) -> bool:
    """Return whether a type of a column of pandas or polars has numbers."""
    own = getattr(kind, "is_numeric", None)  # of polars
    if own is not None:
        wide = str(kind).endswith("Int128")  # which no array holds
        return (bool(own()) and not wide) or str(kind) == "Boolean"
    return getattr(kind, "kind", "O") in "biuf"


def rows_to_predict(model: Any, X: Any, *, packed: bool = False, **how: Any) -> Any:
    """Check rows, or packed bits where a model takes them, for a fitted model.

    Packed bits skip scikit-learn's check, which takes a tenth of a millisecond.

    Parameters
    ----------
    model
        The model, which knows the number and the names of columns.
    X
        The rows.
    packed
        Whether the model takes packed bits.
    **how
        Further arguments of scikit-learn's ``validate_data``.
    """
    if packed and isinstance(X, Bits):
        if X.shape[1] != model.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(model).__name__} is "
                f"expecting {model.n_features_in_} features as input"
            )
        return X
    check_rows(X)
    with np.errstate(invalid="ignore"):  # the sum of inf and -inf, of which it tells
        return validate_data(model, X, reset=False, accept_sparse="csr", **how)


MOST_COUNTED = 2**53  # counts of examples are exact up to here


def whole_weights(weights: FloatArray) -> IntArray:
    """Return weights as whole numbers; raise ValueError if they are not.

    Examples
    --------
    >>> whole_weights(np.array([1.0, 2.0]))
    array([1, 2])
    """
    wrong = ~((weights >= 0) & (np.floor(weights) == weights))
    given = "since k stands for k presentations of an example, got"
    for row in np.flatnonzero(wrong)[:1]:
        raise ValueError(
            f"sample_weight must be whole numbers from 0, {given} {weights[row]} in "
            f"row {row}"
        )
    if weights.sum() > MOST_COUNTED:
        raise ValueError(
            f"sample_weight must have a sum of at most {MOST_COUNTED}, {given} "
            f"{weights.sum():g}"
        )
    return weights.astype(np.int64)


def check_labels(target: npt.NDArray[Any]) -> None:
    """Raise scikit-learn's error unless these are labels of classes.

    It sorts or hashes them all, and accepts any whole numbers.
    """
    if target.dtype.kind == "O":
        unique_labels("y", target)
    if target.dtype.kind not in "biu":
        check_classification_targets(target)


def classes_in(target: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the distinct labels, sorted.

    ``np.unique`` takes longer than learning short rows does, and two neighbouring whole
    numbers need only the smallest and the largest.

    Examples
    --------
    >>> classes_in(np.array([3, 1, 1])), classes_in(np.array(["b", "a"]))
    (array([1, 3]), array(['a', 'b'], dtype='<U1'))
    """
    if target.dtype.kind in "iu" and target.size:
        low, high = target.min(), target.max()
        if int(high) - int(low) == 1:
            return np.array([low, high])
    return unique_labels("y", target)


def unique_labels(name: str, given: Any) -> npt.NDArray[Any]:
    """Return the distinct labels, sorted; raise TypeError if they cannot be.

    Examples
    --------
    >>> unique_labels("y", np.array([1, "a"], dtype=object))
    Traceback (most recent call last):
    TypeError: y must have labels that can be compared with each other, got 1 and 'a'
    """
    check_unmasked(name, given)
    labels = np.asarray(given)
    try:
        return np.unique(labels)
    except TypeError:
        few = [*dict.fromkeys(map(repr, labels.ravel().tolist()))][:2]
        raise TypeError(
            f"{name} must have labels that can be compared with each other, "
            f"got {' and '.join(few)}"
        ) from None


def codes_by_label(classes: npt.NDArray[Any]) -> dict[Any, IntArray]:
    """Return the code of each label, as an array of one entry for kernels.

    Examples
    --------
    >>> codes_by_label(np.array(["no", "yes"]))
    {'no': array([0]), 'yes': array([1])}
    """
    return {label: np.array([i]) for i, label in enumerate(classes.tolist())}


def label_codes(
    target: npt.NDArray[Any],
    classes: npt.NDArray[Any],
    times: Any = None,
) -> IntArray:
    """Return the index of each label among the classes.

    Labels of rows that come no times may be anything; their number is 0.

    Examples
    --------
    >>> label_codes(np.array(["b", "a"]), np.array(["a", "b"]))
    array([1, 0])
    >>> label_codes(np.array(["b", "c"]), np.array(["a", "b"]), np.array([1, 0]))
    array([1, 0])
    """
    if times is not None and not times.all():
        used = np.flatnonzero(times)
        codes = np.zeros(len(target), np.int64)
        codes[used] = label_codes(target[used], classes)
        return codes
    if len(classes) == 2 and classes.dtype == target.dtype:
        codes = target == classes[1]
        if (codes | (target == classes[0])).all():
            return np.asarray(codes, dtype=np.int64)
    try:
        codes = np.searchsorted(classes, target)
    except TypeError:
        raise TypeError(
            f"y must have labels like those of classes {classes.tolist()}, "
            f"got {target[:1].tolist()[0]!r}"
        ) from None
    codes = np.minimum(codes, len(classes) - 1)
    for label in target[classes[codes] != target][:1].tolist():
        raise ValueError(f"y must be among classes {classes.tolist()}, got {label!r}")
    return codes.astype(np.int64, copy=False)


def class_counts(codes: IntArray, classes: int, times: Any) -> FloatArray:
    """Return the number of examples of each class, with repetitions.

    Examples
    --------
    >>> class_counts(np.array([1, 0, 1]), 3, None)
    array([1., 2., 0.])
    >>> class_counts(np.array([1, 0]), 2, [5, 0.5])
    array([0.5, 5. ])
    """
    return np.bincount(codes, times, classes).astype(np.float64)


def counts_among(
    counts: FloatArray | None,
    known: npt.NDArray[Any] | None,
    classes: npt.NDArray[Any],
) -> FloatArray:
    """Return the examples of each class so far, 0 for classes that were not known.

    Examples
    --------
    >>> counts_among(np.array([5, 7]), np.array(["a", "c"]), np.array(["a", "b", "c"]))
    array([5., 0., 7.])
    """
    found = np.zeros(len(classes))
    if known is not None and counts is not None:
        found[label_codes(known, classes)] = counts
    return found


def running_class_counts(codes: IntArray, classes: int, times: Any) -> FloatArray:
    """Return the number of examples of each class before each row.

    Examples
    --------
    >>> running_class_counts(np.array([1, 0, 1]), 2, None).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    found = np.zeros((len(codes) + 1, classes))
    found[np.arange(1, len(codes) + 1), codes] = 1 if times is None else times
    return found.cumsum(axis=0)[:-1]


def known_classes(
    known: npt.NDArray[Any] | None, given: npt.ArrayLike | None
) -> npt.NDArray[Any]:
    """Return the classes of a call of partial_fit; later calls may leave them out."""
    if given is not None:
        classes = unique_labels("classes", given)
    elif known is not None:
        classes = known
    else:
        raise ValueError("classes must be passed on the first call to partial_fit")
    if known is not None and not np.array_equal(classes, known):
        raise ValueError(
            f"classes must be those of the first call, {known.tolist()}, "
            f"got {classes.tolist()}"
        )
    return two_or_more("classes", classes)


def classes_used(target: npt.NDArray[Any], times: Any) -> npt.NDArray[Any]:
    """Return the two or more classes of rows, without those that come no times."""
    used = target if times is None else target[times > 0]
    return two_or_more("y", classes_in(used))


def two_or_more(name: str, classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the classes; raise ValueError if there are fewer than two."""
    if len(classes) < 2:
        raise ValueError(
            f"{name} must have more than one class, got {classes.tolist()}"
        )
    return classes


_KINDS = {bool: "truth values", int: "numbers", float: "numbers", str: "text"}


class Stage(NamedTuple):
    """Consecutive rows that are learned with the same classes."""

    classes: npt.NDArray[Any]
    codes: IntArray  # of these rows, among these classes
    first: int
    stop: int


def _kind(label: Any) -> str:
    return _KINDS.get(type(label), type(label).__name__)


def check_like(known: list[Any], label: Any) -> None:
    """Raise TypeError unless a label has the type of the known labels.

    Examples
    --------
    >>> check_like([0, 1], "a")
    Traceback (most recent call last):
    TypeError: y must have labels like those of classes [0, 1], numbers, got 'a'
    """
    if known and _kind(label) != _kind(known[0]):
        raise TypeError(
            f"y must have labels like those of classes {known}, {_kind(known[0])}, "
            f"got {label!r}"
        )


def joined_classes(
    known: npt.NDArray[Any] | None, labels: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Return the classes and those of other labels, sorted, in the type of the first.

    Examples
    --------
    >>> joined_classes(np.array(["b", "d"]), np.array(["d", "comma"]))
    array(['b', 'comma', 'd'], dtype='<U5')
    >>> joined_classes(np.array([1, 3]), np.array([2.0]))
    array([1, 2, 3])
    """
    found = classes_in(labels)
    if known is None or not len(known):
        return found
    old = known.tolist()
    for label in found.tolist():
        check_like(old, label)
    values = sorted({*old, *found.tolist()})
    if known.dtype.kind == "O":
        both = np.empty(len(values), object)
        both[:] = values
        return both
    both = np.array(values)
    same = both.astype(known.dtype) if known.dtype.kind not in "US" else both
    return same if np.array_equal(same, both) else both


def places(known: npt.NDArray[Any], joined: npt.NDArray[Any]) -> list[int]:
    """Return the positions at which new classes are inserted among the known ones.

    Examples
    --------
    >>> places(np.array(["b"]), np.array(["a", "b", "c"]))
    [0, 2]
    """
    old = set(known.tolist())
    return [i for i, label in enumerate(joined.tolist()) if label not in old]


def stages(
    known: npt.NDArray[Any] | None,
    target: npt.NDArray[Any],
    times: Any = None,
    *,
    split: bool = True,
) -> list[Stage]:
    """Return the rows in stages; each begins with the first row of a new class.

    Parameters
    ----------
    known
        The classes known so far, None if there are none.
    target
        The label of each row.
    times
        The weight of each row. Rows of weight 0 bring no classes.
    split
        False: learn all rows in one stage, with all classes.

    Examples
    --------
    >>> for stage in stages(np.array(["b"]), np.array(["b", "b", "a", "b"])):
    ...     print(stage.classes, stage.codes, stage.first, stage.stop)
    ['b'] [0 0] 0 2
    ['a' 'b'] [0 1] 2 4
    """
    count = len(target)
    if known is not None:
        try:
            return [Stage(known, label_codes(target, known, times), 0, count)]
        except (TypeError, ValueError):
            pass  # a new label, or one of another type
    used = np.arange(count) if times is None else np.flatnonzero(times)
    if not used.size:
        raise ValueError("sample_weight must not be 0 for all rows of a new model")
    joined = joined_classes(known, target[used])
    codes = np.zeros(count, np.int64)
    codes[used] = label_codes(target[used], joined)
    if not split:
        return [Stage(joined, codes, 0, count)]
    # the row from which each class is known; rows of weight 0 wait for the first
    start = np.zeros(len(joined), np.int64)
    present, rows = np.unique(codes[used], return_index=True)
    start[present] = used[rows]
    start[start.argmin() if known is None else label_codes(known, joined)] = 0
    found = []
    for begin, end in itertools.pairwise([*np.unique([0, *start]).tolist(), count]):
        there = start <= begin
        own = (np.cumsum(there) - 1)[codes[begin:end]]
        found.append(Stage(joined[there], np.maximum(own, 0), begin, end))
    return found


# The numbers that kernels take as they are.
FLOATS = [np.dtype(np.float64), np.dtype(np.float32)]
_NAMELESS = (np.ndarray, csr_array, csr_matrix)  # tables whose columns have no names
_LABELS = (np.ndarray, list)  # of a single row


class Examples(NamedTuple):
    """Checked examples: rows, labels or class codes, and weights or None."""

    table: Any  # packed bits, an array, or a sparse matrix
    target: npt.NDArray[Any]
    weights: Any = None


def single_row_code(
    model: Any, X: Any, y: Any, classes: Any, sample_weight: Any
) -> IntArray | None:
    """Return the class code of a single row that needs no further checks, else None.

    Streams of single rows are learned with no more Python than needed. Other rows
    take the usual path, which raises the error if anything is wrong. The
    model keeps the codes of its labels in ``_codes``.
    """
    own = vars(model)
    codes = own.get("_codes")
    if (
        not codes
        or classes is not None
        or sample_weight is not None
        or type(X) is not np.ndarray
        or X.shape != (1, own["n_features_in_"])
        or X.dtype not in FLOATS
        or not ((flags := X.flags).c_contiguous and flags.aligned)
        or type(y) not in _LABELS
        or len(y) != 1
        or model.class_weight is not None
        or "feature_names_in_" in own
    ):
        return None
    try:
        code: IntArray | None = codes.get(y[0])
    except TypeError:  # a label that cannot be hashed
        return None
    return code


def examples(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    packed: bool = False,
    counted: bool = False,
) -> Examples:
    """Return checked examples: floats of any precision in an array or a CSR matrix.

    Nothing is copied that is floats already, nor looked at: the engines find what is
    not finite.

    Parameters
    ----------
    model
        The model, for error messages.
    X, y, sample_weight
        The rows, their labels, and a weight for each, one for all, or None.
    packed
        Whether the model takes packed bits.
    counted
        Whether examples are counted: entries that are not finite are refused, numbers
        keep their types, and weights are whole.
    """
    check_unmasked("y", y)
    if not counted and is_ready(X, y):
        table, target = X, y
    elif packed and isinstance(X, Bits):
        table, target = X, _labels_of(X, y)
    else:
        check_rows(X)
        how = {"dtype": FLOATS, "order": "C", "ensure_all_finite": False}
        with np.errstate(invalid="ignore"):  # the sum of inf and -inf
            table, target = check_X_y(
                X, y, accept_sparse="csr", estimator=model, **({} if counted else how)
            )
    check_labels(target)
    if sample_weight is None:
        return Examples(table, target)
    check_unmasked("sample_weight", sample_weight)
    weights = _check_sample_weight(sample_weight, table, dtype=np.float64)
    return Examples(table, target, (whole_weights if counted else portions)(weights))


def is_ready(X: Any, y: Any, kinds: str = "biu") -> bool:
    """Return whether nothing can be wrong with rows and labels but their values.

    ``kinds`` are the types that labels may have. The checks of scikit-learn take as
    long as to learn some hundred short rows.
    """
    return bool(
        type(X) is type(y) is np.ndarray
        and X.ndim == 2
        and X.size
        and X.dtype in FLOATS
        and X.flags.c_contiguous
        and X.flags.aligned
        and y.dtype.kind in kinds
        and y.flags.c_contiguous
        and y.shape == X.shape[:1]
    )


def in_format(data: Any, *, sparse: bool) -> Any:
    """Return rows as an array, or as a CSR matrix if ``sparse``."""
    if sparse == issparse(data):
        return data
    return csr_matrix(data) if sparse else data.toarray()


def check_columns(model: Any, X: Any) -> None:
    """Raise scikit-learn's error unless rows have the columns that a model knows."""
    plain = type(X) in _NAMELESS and "feature_names_in_" not in vars(model)
    if not (plain and X.shape[1:] == (model.n_features_in_,)):
        validate_data(model, X, reset=False, skip_check_array=True)


def set_columns(model: Any, X: Any) -> None:
    """Set the number of columns of a model, and their names if there are any."""
    if type(X) in _NAMELESS:
        model.n_features_in_ = X.shape[1]
        vars(model).pop("feature_names_in_", None)
    else:
        validate_data(model, X, skip_check_array=True)


def set_open(model: Any, later: bool) -> None:
    """Let a new model accept classes that appear later, or not.

    The attribute is there only if it does: files of other models lack it.
    """
    vars(model).pop("_open", None)
    if later:
        model._open = True


def learning_stages(
    model: Any,
    classes: Any,
    target: npt.NDArray[Any],
    times: Any,
    *,
    split: bool = True,
) -> tuple[list[Stage], bool]:
    """Return the rows of a call of partial_fit in stages; whether classes may appear.

    ``classes`` are those that were given to the call, if any. If none may appear, all
    rows are one stage.
    """
    known = getattr(model, "classes_", None)
    if classes is None and (known is None or "_open" in vars(model)):
        return stages(known, target, times, split=split), True
    given = known_classes(known, classes)
    own = given if known is None else known
    return [Stage(own, label_codes(target, own, times), 0, len(target))], False


def _labels_of(bits: Bits, y: Any) -> Any:
    """Return the labels of packed bits; raise an error unless there is one a row."""
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    target = column_or_1d(y, warn=True)
    check_consistent_length(bits, target)
    if not all(bits.shape):
        raise ValueError(f"X must have a row and a column or more, got {bits!r}")
    return target


ClassWeight = Mapping[Any, float] | str | None


def checked_class_weight(name: str, value: Any) -> ClassWeight:
    """Return weights of classes, whatever the classes are.

    Examples
    --------
    >>> checked_class_weight("class_weight", {"a": -1})
    Traceback (most recent call last):
    ValueError: class_weight['a'] must be a number not below 0, got -1
    """
    if value is None or (isinstance(value, str) and value == "balanced"):
        return value
    if not isinstance(value, Mapping):
        raise ValueError(
            f"{name} must be a dictionary, 'balanced' or None, got {shown(value)}"
        )
    for label, weight in value.items():
        number(f"{name}[{label!r}]", weight, low=0.0)
    return value


def check_class_weight(
    class_weight: Any, classes: npt.NDArray[Any], *, later: bool = False
) -> None:
    """Raise ValueError unless this is a class_weight for these classes.

    As in scikit-learn, classes that are not named have weight 1. Names of other labels
    are allowed only if all classes are named too, or if classes may appear ``later``.
    """
    checked_class_weight("class_weight", class_weight)
    if not isinstance(class_weight, Mapping):
        return
    known = classes.tolist()
    unknown = [label for label in class_weight if label not in known]
    if unknown and not later and any(label not in class_weight for label in known):
        raise ValueError(
            f"class_weight must have labels among classes {known}, got {unknown[0]!r}"
        )
    if not later and not any(class_weight.get(label, 1.0) for label in known):
        raise ValueError("class_weight must not be 0 for all classes")


def class_factors(
    class_weight: ClassWeight,
    classes: npt.NDArray[Any],
    counts: IntArray | FloatArray,
) -> FloatArray:
    """Return the weight of each class.

    Parameters
    ----------
    class_weight
        A weight for each label, 1 for those left out; ``"balanced"``: all classes that
        there are weigh the same; None: all examples do.
    classes
        The labels.
    counts
        The number of examples of each, in the last dimension.

    Examples
    --------
    >>> class_factors("balanced", np.array(["a", "b"]), np.array([6, 2]))
    array([0.66666667, 2.        ])
    >>> class_factors({"b": 5}, np.array(["a", "b"]), np.array([6, 2]))
    array([1., 5.])
    """
    if class_weight is None:
        return np.ones(len(classes))
    if not isinstance(class_weight, str):
        return np.array([float(class_weight.get(c, 1.0)) for c in classes.tolist()])
    there = counts > 0
    total = counts.sum(axis=-1, keepdims=True)
    each = np.count_nonzero(there, axis=-1, keepdims=True) * counts
    return np.asarray(np.divide(total, each, out=np.ones(counts.shape), where=there))


def integer_factors(
    class_weight: ClassWeight, classes: npt.NDArray[Any], counts: IntArray
) -> list[int]:
    """Return the weights of classes as exact integers, up to a common factor.

    A weight is the decimal number that it is written as.

    Examples
    --------
    >>> integer_factors("balanced", np.array(["a", "b"]), np.array([6, 2]))
    [1, 3]
    >>> integer_factors({"b": 0.1}, np.array(["a", "b"]), np.array([6, 2]))
    [10, 1]
    """
    if class_weight is None:
        return [1] * len(classes)
    if isinstance(class_weight, str):
        exact = [Fraction(1, max(n, 1)) for n in counts.tolist()]
    else:
        weights = class_factors(class_weight, classes, counts).tolist()
        exact = [Fraction(repr(weight)) for weight in weights]
    common = math.lcm(*(f.denominator for f in exact))
    found = [int(f * common) for f in exact]
    divisor = math.gcd(*found)
    return [one // divisor for one in found]


def reweighted(probabilities: FloatArray, factors: FloatArray) -> FloatArray:
    """Multiply probabilities of classes by factors, and normalise them.

    Examples
    --------
    >>> reweighted(np.array([[0.8, 0.2]]), np.array([1.0, 4.0]))
    array([[0.5, 0.5]])
    """
    products = probabilities * factors
    total = products.sum(axis=-1, keepdims=True)
    # rows of zeros, of which nothing is predicted, stay
    return np.asarray(np.divide(products, total, out=products, where=total != 0))


def row_weights(
    class_weight: Any,
    own: FloatArray | None,
    codes: IntArray,
    classes: npt.NDArray[Any],
    *,
    later: bool | None = None,
) -> FloatArray | None:
    """Return the weight of each row, class weight times own weight; None if all 1.

    Parameters
    ----------
    class_weight
        None, a dictionary from labels to weights (1 for those that are not in it), or
        ``"balanced"``. Balanced weights are inversely proportional to the total row
        weight of a class, and 1 on average.
    own
        A weight for each row, or None.
    codes
        The number of each row's class.
    classes
        The labels of all classes.
    later
        Whether classes may appear later; None if these are all rows. A dictionary may
        name classes that have not appeared. ``"balanced"`` is refused unless None.

    Examples
    --------
    >>> codes, classes = np.array([0, 1, 1, 1]), np.arange(2)
    >>> row_weights({0: 3}, None, codes, classes)
    array([3., 1., 1., 1.])
    >>> row_weights("balanced", np.array([1.0, 1.0, 0.0, 0.0]), codes, classes)
    array([1., 1., 0., 0.])
    """
    check_class_weight(class_weight, classes, later=bool(later))
    if class_weight is None:
        return own
    if class_weight == "balanced" and later is not None:
        raise ValueError(
            "class_weight='balanced' needs all rows at once and is not for "
            "partial_fit; pass a dictionary from classes to weights"
        )
    there = np.bincount(codes, weights=own, minlength=len(classes))
    weights = class_factors(class_weight, classes, there)[codes]
    return portions(weights if own is None else weights * own)


_FEW = 100  # rows of which the order is left to chance
_SHARE = 0.05  # of the changes in random order, below which a warning is given


class LabelRuns:
    """Runs of equal labels in a stream.

    Examples
    --------
    >>> runs = LabelRuns().add(np.array([0, 0, 1])).add(np.array([1, 0]))
    >>> runs.changes, runs.expected
    (2, 2.4)
    """

    def __init__(self) -> None:
        self.changes = 0
        self._counts = np.zeros(0, np.int64)
        self._last: int | None = None

    def add(self, codes: IntArray) -> Self:
        """Count the next class codes."""
        if not codes.size:
            return self
        counts = np.bincount(codes, minlength=self._counts.size)
        counts[: self._counts.size] += self._counts
        self._counts = counts
        self.changes += int(np.count_nonzero(codes[1:] != codes[:-1]))
        self.changes += self._last not in (None, int(codes[0]))
        self._last = int(codes[-1])
        return self

    @property
    def expected(self) -> float:
        """Mean number of changes of the same labels in random order."""
        total = int(self._counts.sum())
        pairs = np.sum(self._counts * (self._counts - 1.0)) / max(total, 1)
        return float(total - 1 - pairs)

    def warn(self, stacklevel: int) -> None:
        """Warn if the label changes far less often than in random order."""
        total = int(self._counts.sum())
        if total >= _FEW and self.changes < _SHARE * self.expected:
            warnings.warn(
                f"labels come in long runs; changes in {total:,} rows: "
                f"{self.changes:,}, in random order {self.expected:,.0f}; shuffle rows "
                "that are sorted, because they are learned in the given order",
                stacklevel=stacklevel + 1,
            )


RandomState = int | np.random.RandomState | None


def checked_random_state(name: str, value: Any) -> Any:
    """Return a seed, a generator or None.

    Examples
    --------
    >>> checked_random_state("random_state", -1)
    Traceback (most recent call last):
    ValueError: random_state must be None, a whole number from 0 to 2**32 - 1 or a \
RandomState, got -1
    """
    if value is None or value is np.random or isinstance(value, np.random.RandomState):
        return value
    try:
        check_random_state(name if isinstance(value, bool) else value)
    except ValueError:
        raise ValueError(
            f"{name} must be None, a whole number from 0 to 2**32 - 1 or a "
            f"RandomState, got {shown(value)}"
        ) from None
    return int(value)


@contextmanager
def drawing(
    given: int | np.random.RandomState | None,
) -> Iterator[np.random.RandomState]:
    """Yield the generator; restore the state of a given one after an error.

    Examples
    --------
    >>> random = np.random.RandomState(0)
    >>> with drawing(random) as same:
    ...     same is random
    True
    """
    random: np.random.RandomState = check_random_state(given)
    before = random.get_state() if random is given else None
    try:
        yield random
    except BaseException:
        if before is not None:
            random.set_state(before)
        raise
