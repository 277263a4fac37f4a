r"""Learning of real rows by a rule, for the streaming estimators.

With :math:`N` weights (an intercept is one more weight, on a constant input of 1) an
example does

.. math:: w \leftarrow (1 - \mathrm{decay} / N)\, w + \mathrm{gain}\, (x - T),  \tag{1}

where :math:`T` is made of sums over all examples before it for rules with an
:class:`~rosenblatt.core.AverageShift`, and :math:`T = 0` for the others. The rule sees
:math:`h = w \cdot x`, :math:`w \cdot w / N`, :math:`|x - T|^2` and :math:`w \cdot T`.
The clock counts the current example, and as a mistake what has :math:`y h \le 0`.

An example of weight k is presented k times in succession. If k is not a whole number,
its fractional part f is one more presentation with a smaller step: gain and
decay are f times those of the rule, and it counts as f examples and f mistakes. So a
weight of 0 is the same as no example, clock included, and everything is continuous in
between.

Inputs are taken as they are. Dense rows are learned in their own precision, with
scalars and the intercept in double precision. Sparse rows, and all rows of a rule with
a shift, are learned in double precision.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.core import Percept, Rule
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear import dense as dense_rows
from rosenblatt.linear import shifted as shifted_rows
from rosenblatt.linear import sparse as sparse_rows
from rosenblatt.linear.errors import explained
from rosenblatt.linear.learner import Learner, Plan, plan_of
from rosenblatt.linear.single import one_row
from rosenblatt.specification.parts import ScheduleLike
from rosenblatt.system.threads import MANY_ROWS, interruptible

MOST_PRESENTATIONS = 2**40  # of one call: days, and counts that are exact
_BLOCK = 2**20  # entries of sparse rows that are made dense at once
_FAULT = len(Percept._fields) + 2
_IN_ORDER, _ONCE = np.zeros(0, np.int64), np.zeros(0)
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class Order(NamedTuple):
    """Rows to present one after the other, and how often each; None: as they are."""

    rows: IntArray | None
    each: FloatArray | None = None


AS_GIVEN = Order(None)


def portions(sample_weight: FloatArray) -> FloatArray:
    """Return the weights if examples can be presented so often."""
    w = np.ascontiguousarray(sample_weight, dtype=np.float64)
    for row in np.flatnonzero(~((w >= 0) & (w < np.inf))):
        raise ValueError(
            "sample_weight must be numbers not below 0, since k stands for k "
            f"presentations of an example, got {w[row]} in row {row}"
        )
    if w.sum() > MOST_PRESENTATIONS:
        raise ValueError(
            f"sample_weight must have a sum of at most {MOST_PRESENTATIONS}, since k "
            f"stands for k presentations of an example, got {w.sum():g}"
        )
    return w


def learn(
    rule: Rule,
    schedule: ScheduleLike,
    X: Any,
    labels: FloatArray,
    learner: Learner,
    *,
    sample_weight: FloatArray | None = None,
    order: IntArray | None = None,
) -> Learner:
    """Return a new learner of one model that has learned these examples.

    Parameters
    ----------
    rule, schedule
        The parts; a schedule may be any function of the clock.
    X
        One example a row, an array or a CSR matrix. The learner has a weight for each
        column, and may have one more for the intercept.
    labels
        -1 or +1 for each row.
    learner
        Learner to start from; it does not change.
    sample_weight
        How many times in succession a row is presented; 0 skips it, the clock included.
    order
        The rows to present, one after the other; by default all, as they are.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> from rosenblatt.schedules import Constant
    >>> X, labels = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -1.0])
    >>> learn(Perceptron(), Constant(), X, labels, Learner.zero(2)).weights
    array([-2., -2.])
    """
    codes = (np.asarray(labels) > 0).astype(np.int64)
    several = Learner(*(array[None] for array in learner))
    plan = plan_of(rule, schedule, learner.weights.size)
    weights = None if sample_weight is None else portions(sample_weight)
    turns = Order(order)
    found = learn_classes(plan, X, codes, several, weights=weights, order=turns)
    return Learner(*(array[0] for array in found))


def learn_classes(
    plan: Plan,
    X: Any,
    codes: IntArray,
    learner: Learner,
    *,
    weights: FloatArray | None = None,
    order: Order = AS_GIVEN,
) -> Learner:
    """Return a new learner of several models that have learned these examples.

    Parameters
    ----------
    plan
        Plan from :func:`plan_of`, for the number of the learner's weights.
    X
        One example a row, as in :func:`learn`.
    codes
        The number of each row's class, which only its model has to say +1 to. With one
        model 1 is the label +1, 0 is -1.
    learner
        Learner to start from, with arrays of two dimensions; it does not change.
    weights
        How many times in succession a row is presented, unless the order says so.
    order
        The rows to present; by default all, as they are.
    """
    X = _table(X)
    codes = np.ascontiguousarray(codes, dtype=np.int64)
    rows = X.shape[0]
    if X.ndim != 2 or learner.weights.shape[1] - X.shape[1] not in (0, 1):
        raise ValueError(
            f"X must have {learner.weights.shape[1]} columns, or one less for a "
            f"learner with an intercept, got shape {X.shape}"
        )
    for given in (codes, codes if weights is None else weights):
        if given.shape != (rows,):
            raise ValueError(
                f"labels and sample_weight must have {rows} entries as X has rows, "
                f"got shapes {codes.shape} and {given.shape}"
            )
    turns, each = _IN_ORDER, weights if order.each is None else order.each
    found = learner.copy()
    if order.rows is not None:
        turns = np.ascontiguousarray(order.rows, dtype=np.int64)
        if turns.size == 0:
            return found
        if not 0 <= turns.min() <= turns.max() < rows:
            raise ValueError(f"order must be rows from 0 to {rows - 1}, got {turns}")
        if order.each is None and weights is not None:
            each = weights[turns]
    each = _ONCE if each is None else each
    presented = each.sum() if each.size else turns.size or rows

    def work() -> None:
        with np.errstate(all="ignore"):  # only plain Python would warn
            _learn_in_place(plan, X, codes, turns, each, found)

    interruptible(work, long=plan.own or presented > MANY_ROWS)
    return found


def learn_row(plan: Plan, learner: Learner, row: FloatArray, code: IntArray) -> None:
    """Learn one dense row in place; if anything is wrong with it, nothing changes.

    There are no checks: this is for streams of single rows, where they would take
    longer than learning.

    Parameters
    ----------
    plan
        Plan from :func:`plan_of`, for the number of the learner's weights.
    learner
        With arrays of two dimensions.
    row
        Contiguous, of shape (1, columns), in single or double precision.
    code
        The number of its class, an array of one int64.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> from rosenblatt.schedules import Constant
    >>> learner = Learner.zero(2, models=1)
    >>> plan = plan_of(Perceptron(), Constant(), 2)
    >>> learn_row(plan, learner, np.array([[1.0, 2.0]]), np.array([0]))
    >>> learner.weights
    array([[-1., -2.]])
    """
    weights, _, counts = learner
    if one_row(row.itemsize)(row, code, *plan.arrays, weights, counts):
        # for a rule with a shift, or to say what is wrong
        changed = learn_classes(plan, row, code, learner)
        for old, new in zip(learner, changed, strict=True):
            old[:] = new


def _is_sparse(X: Any) -> bool:
    return bool(sparse.issparse(X))


def _table(X: Any) -> Any:
    """Return rows as the kernels take them, without a copy where that is possible."""
    if _is_sparse(X):
        X = X.tocsr()
        return X if X.dtype in _FLOATS else X.astype(np.float64)
    single = getattr(X, "dtype", None) == np.float32
    return np.require(X, np.float32 if single else np.float64, ["C", "A"])


def _learn_in_place(
    plan: Plan,
    X: Any,
    codes: IntArray,
    order: IntArray,
    each: FloatArray,
    learner: Learner,
) -> None:
    """Let a kernel learn rows in place; after an error the learner is of no use."""
    fault = np.zeros(_FAULT)
    if not (_is_sparse(X) and plan.shifted):
        row = _run(plan, X, (codes, order, each), learner, fault)
        if row >= 0:
            raise _explained(plan.rule, X, row, fault)
        return
    # A shift makes rows dense: some at a time.
    if not order.size:
        order = np.arange(X.shape[0])
    step = max(_BLOCK // max(X.shape[1], 1), 1)
    for first in range(0, order.size, step):
        rows = order[first : first + step]
        presented = codes[rows], _IN_ORDER, each[first : first + step]
        row = _run(plan, X[rows].toarray(), presented, learner, fault)
        if row >= 0:
            raise _explained(plan.rule, X, int(rows[row]), fault)


def _run(
    plan: Plan,
    X: Any,
    presented: tuple[IntArray, IntArray, FloatArray],
    learner: Learner,
    fault: FloatArray,
) -> int:
    """Return the row at which a kernel found a fault, or -1.

    ``presented`` are the codes of all rows, their order, and how often each comes.
    """
    single = X.dtype == np.float32
    module: Any = shifted_rows if plan.shifted else dense_rows
    table: tuple[Any, ...] = (X,)
    if _is_sparse(X):
        module = sparse_rows
        columns = X.indices.astype(np.int32, copy=False)
        ends = X.indptr.astype(np.int64, copy=False)
        table = (X.data, columns, ends, X.shape[1])
    kernel = module.learn_single if single else module.learn_double
    room: tuple[Any, ...] = ()
    if module is dense_rows:
        room = (dense_rows.room_for(X.shape[1], len(learner.weights)),)
    return int(kernel(*table, *presented, plan.settings, learner, fault, *room))


def _explained(rule: Rule, X: Any, row: int, fault: FloatArray) -> Exception:
    """Return the error that says why a row could not be learnt."""
    entries = X[[row]].toarray() if _is_sparse(X) else X[row]
    if not np.isfinite(entries).all():
        return explained(X, row)
    *percept, gain, decay = (float(f) for f in fault)
    return ArithmeticError(
        f"numbers are no longer finite in row {row} of X, where rule {rule!r} returned "
        f"gain {gain}, decay {decay}, given {Percept(*percept)}"
        + (" (in single precision)" if X.dtype == np.float32 else "")
    )
