r"""ONNX graphs in double precision, built node by node.

Nothing imports this module before a model is exported.

The runtime has no error function in double precision, so the normal law comes from a
polynomial. With :math:`t = (x - k) / (x + k)`, :math:`k = 3`, the function
:math:`(1 + 2x)\, e^{x^2} \mathrm{erfc}(x)` is smooth for t from -1 to 1. A polynomial
of degree 24 has an error of 5e-15 for all :math:`x \ge 0`. The change of variable is
that of Shepherd and Laframboise (1981).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.polynomial import chebyshev
from scipy.special import erfcx

from rosenblatt.system.extras import missing

try:
    import onnx
    from onnx import helper, numpy_helper
except ImportError:
    onnx = None  # type: ignore[assignment, unused-ignore]

__all__ = ["Graph"]

_OPSET, _IR = 17, 8  # of 2022; runtimes of that year and later read them
_CENTRE, _DEGREE = 3.0, 24
_FARTHEST = 1e6  # the tail is 0 long before


def _coefficients() -> npt.NDArray[np.float64]:
    """Return the polynomial of the scaled complementary error function."""
    nodes = chebyshev.chebpts1(_DEGREE + 1)  # 1 is none of them
    x = _CENTRE * (1.0 + nodes) / (1.0 - nodes)
    fitted = chebyshev.chebfit(nodes, (1.0 + 2.0 * x) * erfcx(x), _DEGREE)
    return np.asarray(chebyshev.cheb2poly(fitted), np.float64)


class Graph:
    """An ONNX graph; each call adds a node and returns the name of its result.

    Examples
    --------
    >>> graph = Graph(columns=2)
    >>> total = graph("ReduceSum", graph.input, np.array([1]))
    >>> graph.output("total", total, np.float64, [None, 1])
    >>> len(graph.finished({})) > 0
    True
    """

    input = "X"

    def __init__(self, columns: int) -> None:
        if onnx is None:
            raise missing("onnx", "exporting to ONNX")
        self._columns = columns
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._outputs: list[Any] = []

    def __call__(self, operation: str, *inputs: Any, **attributes: Any) -> str:
        """Add a node; inputs are names, or numbers and arrays, which are constants."""
        names = [
            given if isinstance(given, str) else self.constant(given)
            for given in inputs
        ]
        name = f"{operation}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operation, names, [name], **attributes))
        return name

    def constant(self, value: Any) -> str:
        """Add a constant."""
        array = np.asarray(value)
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(array, name))
        return name

    def output(self, name: str, source: str, dtype: Any, shape: list[Any]) -> None:
        """Add an output of the graph."""
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        self._nodes.append(helper.make_node("Identity", [source], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def product(self, rows: str, matrix: Any, added: Any) -> str:
        """Return rows times a matrix, plus a vector."""
        return self("Add", self("MatMul", rows, matrix), np.asarray(added, np.float64))

    def compared(self, scores: str, models: int) -> str:
        """Return one score for each class; the first of the largest wins.

        One model tells two classes apart: the second if its score is above 0.
        """
        if models > 1:
            return scores
        return self("Concat", self("Neg", scores), scores, axis=1)

    def tail(self, far: str) -> tuple[str, str]:
        r"""Return the probability of more than far >= 0 deviations, and its logarithm.

        .. math:: \Phi(-a) = \tfrac12 e^{-x^2} \mathrm{erfcx}(x), \quad x = a/\sqrt 2.
        """
        x = self("Min", self("Mul", far, np.sqrt(0.5)), _FARTHEST)
        t = self("Div", self("Sub", x, _CENTRE), self("Add", x, _CENTRE))
        last = np.array([-1])
        powers = self("Pow", self("Unsqueeze", t, last), np.arange(_DEGREE + 1.0))
        smooth = self("Squeeze", self("MatMul", powers, _coefficients()[:, None]), last)
        half = self("Div", smooth, self("Add", self("Mul", x, 4.0), 2.0))
        square = self("Mul", x, x)
        small = self("Mul", half, self("Exp", self("Neg", square)))
        return small, self("Sub", self("Log", half), square)

    def finished(self, properties: dict[str, str]) -> bytes:
        """Check the model with ONNX's own checks, and return its bytes."""
        double = helper.np_dtype_to_tensor_dtype(np.dtype(np.float64))
        rows = helper.make_tensor_value_info(
            self.input, double, ["rows", self._columns]
        )
        graph = helper.make_graph(
            self._nodes, "rosenblatt", [rows], self._outputs, self._constants
        )
        model = helper.make_model(
            graph,
            producer_name="rosenblatt",
            opset_imports=[helper.make_opsetid("", _OPSET)],
            ir_version=_IR,
        )
        helper.set_model_props(model, properties)
        onnx.checker.check_model(model)
        content: bytes = model.SerializeToString(deterministic=True)
        return content
