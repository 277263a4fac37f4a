from dataclasses import dataclass

import pytest

from rosenblatt.committees import Committee
from rosenblatt.committees.averages import erf, moments_of, relu
from rosenblatt.committees.averages.smooth import Smooth
from rosenblatt.core import Activation
from rosenblatt.rules import Erf, ReLU, Tanh


@dataclass(frozen=True)
class Leaky(Activation):
    @property
    def kinks(self):
        return (0.0,)

    def bind(self):
        return lambda h: (h, 1.0) if h > 0.0 else (0.1 * h, 0.1)


def test_closed_forms_come_before_quadrature():
    def averages(activation):
        return moments_of(Committee(activation)).averages

    assert averages(Erf()) is erf.averages
    assert averages(ReLU()) is relu.averages
    assert isinstance(averages(Tanh()).__self__, Smooth)
    with pytest.raises(ValueError, match=r"Leaky\(\) has kinks; averages are"):
        moments_of(Committee(Leaky()))
