"""Distributed fit of a model to pieces of the examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import lazy_loader
import numpy as np

from rosenblatt.estimators.inputs import two_or_more
from rosenblatt.training.distributed.execution import Execution
from rosenblatt.training.distributed.learning import check_model, classes_in, learned
from rosenblatt.training.distributed.pieces import DataPiece, Piece

__all__ = ["fit_parts"]

Model = TypeVar("Model")
collections: Any = lazy_loader.load(
    "rosenblatt.training.distributed.collections", suppress_warning=True
)


def fit_parts(
    model: Model,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    classes: Any = None,
    client: Any = None,
) -> Model:
    """Learn from pieces of the examples in parallel, each on the worker that has it.

    Only models, counts and labels that occur travel. Rows never do, but those that Dask
    moves because they were made elsewhere (``persist``) and that worker is busy. The
    results of pieces are joined in the order of the pieces, whichever is ready first.
    The bits are the same for any number of workers, also if some die.

    * ``ClippedHebb``, ``BinaryPerceptron``: counts are added. The model is, to the bit,
      that of ``fit`` with all examples. The second one reads the pieces twice.
    * ``BayesPerceptron``, ``BinaryBayesPerceptron``: beliefs are multiplied, the prior
      counted once (``merge``). Each piece is learned by a model that does not know the
      others: what this loses is in the guide "many machines".
    * ``OnlinePerceptron``: in each of ``max_iter`` rounds every piece goes on from the
      mean of the weights of all, each counted by its rows. The schedule's clock begins
      a round with the examples of all pieces in all rounds before, and goes on with
      those of the piece. With one piece this is ``fit``.

    If anything is wrong, an error names the piece and, if it is found, the row in it,
    and the model stays as it was.

    Parameters
    ----------
    model
        A classifier. It forgets what it knew before.
    X
        An array of Dask, in chunks of rows, or a dataframe of Dask. Or a collection of
        pieces, each a pair of rows and labels, or a triple with weights. A piece may
        also be a function without arguments that returns a piece, or an iterator over
        several. It is called where the piece is learned. Each piece may be delayed, or
        a future. Packed bits are rows, too. Pieces without rows are ignored.
    y
        The labels, in Dask as X is; or the name of a column of a dataframe. None for a
        collection of pieces.
    sample_weight
        The weights of the examples, in Dask as X is.
    classes
        All labels that there are. By default the labels are read once before.
    client
        A client of Dask. By default the scheduler that is in force if anything is of
        Dask, else this process alone, one piece after the other.

    Returns
    -------
    object
        The model.

    Examples
    --------
    >>> import numpy as np
    >>> import rosenblatt as rb
    >>> rng = np.random.default_rng(0)
    >>> X = rng.choice([-1, 1], (1000, 11))
    >>> y = X.sum(axis=1) > 0
    >>> pieces = [(X[i : i + 300], y[i : i + 300]) for i in range(0, 1000, 300)]
    >>> model = rb.fit_parts(rb.ClippedHebb(), pieces)
    >>> model.t_, model.coef_.tolist()
    (1000, [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]])
    """
    check_model(model)
    pieces, dask = _pieces_of(X, y, sample_weight)
    execution = Execution(dask or client is not None, client)
    if classes is None:
        known = classes_in(pieces, execution)
    else:
        known = two_or_more("classes", np.unique(np.asarray(classes)))
    found = learned(model, pieces, known, execution).model
    parameters = set(found.get_params(deep=False))
    for name in set(vars(model)) - set(vars(found)):
        delattr(model, name)
    for name, value in vars(found).items():
        if name not in parameters:
            setattr(model, name, value)
    return model


def _pieces_of(X: Any, y: Any, sample_weight: Any) -> tuple[list[Piece], bool]:
    """Return the pieces, and whether they are of Dask."""
    if hasattr(X, "__dask_graph__") and not hasattr(X, "key"):
        return collections.collection_pieces(X, y, sample_weight), True
    if y is not None or sample_weight is not None:
        raise TypeError(
            "X must be an array or a dataframe of Dask if y is given, got "
            f"{type(X).__name__}. Take model.fit for examples in memory, or give a "
            "collection of pieces without y"
        )
    try:
        given = list(X)
    except TypeError:
        raise TypeError(
            "X must be of Dask, or a collection of pairs of rows and labels, "
            f"got {type(X).__name__}"
        ) from None
    if not given:
        raise ValueError("X must have one piece or more, got none")
    pieces = [_piece(i, item) for i, item in enumerate(given)]
    return pieces, any(_is_lazy(part) for item in given for part in _parts(item))


def _piece(number: int, item: Any) -> Piece:
    if any(_is_lazy(part) for part in _parts(item)):
        found: Piece = collections.delayed_piece(number, item)
        return found
    if not isinstance(item, tuple | list | Callable):
        raise TypeError(
            f"piece {number} must be a pair of rows and labels, a triple with weights, "
            f"or a function that returns one, got {type(item).__name__}"
        )
    return DataPiece(number, item)


def _parts(item: Any) -> list[Any]:
    return list(item) if isinstance(item, tuple | list) else [item]


def _is_lazy(value: Any) -> bool:
    """Return whether Dask has a value, or is to compute it."""
    return hasattr(value, "__dask_graph__") or hasattr(value, "add_done_callback")
