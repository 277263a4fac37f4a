"""Callbacks of scikit-learn for each pass of ``fit``, if its version has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:  # before version 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for the class of newer versions."""

    def _with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]:
        """Return the method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "passes_of", "with_callbacks"]


def with_callbacks(method: Method) -> Method:
    """Remove callbacks after the method, also if it fails."""
    return cast(Method, _with_callbacks(method))


def passes_of(
    model: Any,
    passes: int,
    X: Any,
    y: Any,
    fitted: Callable[[], dict[str, Any]],
    done: Callable[[], bool] = lambda: False,
) -> Iterator[int]:
    """Yield the number of each pass, and tell callbacks where it begins and ends.

    Parameters
    ----------
    model
        The classifier that is being fitted.
    passes
        The most passes.
    X, y
        The examples.
    fitted
        Returns the attributes that the model would have after the pass just made, for
        callbacks that want to look at it.
    done
        Whether the pass just made was the last; callbacks may end the passes too.
    """
    called = hasattr(model, "_skl_callbacks")
    given = {"estimator": model, "X": X, "y": y}
    if called:
        whole = model._init_callback_context(max_subtasks=passes)
        whole.call_on_fit_task_begin(**given)
    for number in range(passes):
        stop = False
        if called:
            one = whole.subcontext(task_name="pass")
            one.call_on_fit_task_begin(**given)
        yield number
        if called:
            stop = one.call_on_fit_task_end(**given, reconstruction_attributes=fitted)
        if stop or done():
            break
    if called:
        whole.call_on_fit_task_end(**given, reconstruction_attributes=fitted)
