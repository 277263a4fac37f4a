from . import gradient as gradient
from .learner import MISTAKES as MISTAKES
from .learner import Learner as Learner
from .learning import learn as learn
