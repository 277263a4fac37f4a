r"""Any thresholded smooth function, and the inputs it is learned from.

A machine answers an input :math:`s` with :math:`\operatorname{sgn} f(s, w)`, where
:math:`f` is differentiable in its parameters :math:`w`. It learns on mistakes,

.. math:: w \leftarrow w + \eta\, y\, \nabla_w f(s, w)
    \quad\text{if}\quad y\, f(s, w) \le 0,  \tag{1}

after which each normalised group of parameters is rescaled to length 1. The scaling of
perceptrons does not apply here: inputs and parameters are what the machine says, and
time is the number of examples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rosenblatt.core.types import FloatArray
from rosenblatt.core.vocabulary import Part, Stream


class VectorStream(Stream):
    """A law of input vectors, as a function that draws them.

    Attributes
    ----------
    dim
        Number of components of an input.
    """

    if TYPE_CHECKING:  # a field of a dataclass, or a property: both will do

        @property
        def dim(self) -> int:
            """Number of components of an input."""

    @abstractmethod
    def bind(self) -> Callable[[npt.NDArray[np.uint64], FloatArray], None]:
        """Return ``(rng, s) -> None`` as a plain function that numba can compile.

        It fills ``s`` with one input, from :func:`rosenblatt.numerics.random.uniform`,
        ``normal`` and the like; ``rng`` is what these take.
        """

    @property
    def many(self) -> bool:
        """True if it also fills a longer ``s`` with inputs one after the other.

        It is then called for many inputs at a time, which is faster.
        """
        return False

    def between(self, a: FloatArray, b: FloatArray) -> FloatArray | None:
        """Return the probability that a number lies between a and b, if known.

        For inputs of one component only; accurate also where it is tiny.
        """
        return None


class NormalStream(VectorStream):
    """Independent normal components of one scale, for which more is known exactly."""

    @property
    @abstractmethod
    def center(self) -> FloatArray:
        """The mean of every component."""

    @property
    @abstractmethod
    def spread(self) -> float:
        """The standard deviation of all components."""


class Machine(Part, ABC):
    """A thresholded smooth function of inputs and parameters.

    Attributes
    ----------
    inputs
        Number of components of an input.
    parameters
        Number of parameters, the weights.
    """

    if TYPE_CHECKING:  # fields of a dataclass, or properties: both will do

        @property
        def inputs(self) -> int:
            """Number of components of an input."""

        @property
        def parameters(self) -> int:
            """Number of parameters, the weights."""

    @property
    def groups(self) -> int:
        """Number of equal consecutive groups of weights kept at length 1, or 0."""
        return 0

    @abstractmethod
    def bind(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return ``(s, w, gradient) -> f`` as a plain function that numba can compile.

        It writes the gradient with respect to ``w`` into ``gradient``.
        """

    def plain(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return the same function with all that it calls left to Python."""
        return self.bind()

    def error(
        self, weights: FloatArray, target: FloatArray, stream: VectorStream
    ) -> FloatArray | None:
        """Return the probability that signs differ from the target's, if known.

        ``weights`` has one student a row. None says that it is not known for this
        stream; it is then measured with fresh inputs.
        """
        return None
