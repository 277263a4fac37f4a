from .bayes_perceptron import BayesPerceptron as BayesPerceptron
from .bayes_regressor import BayesRegressor as BayesRegressor
from .binary_bayes_perceptron import BinaryBayesPerceptron as BinaryBayesPerceptron
from .binary_perceptron import BinaryPerceptron as BinaryPerceptron
from .counting import ClippedHebb as ClippedHebb
from .gradient_perceptron import GradientPerceptron as GradientPerceptron
from .online_perceptron import OnlinePerceptron as OnlinePerceptron
from .online_perceptron import ShiftedPerceptron as ShiftedPerceptron
