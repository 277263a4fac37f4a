"""Classes, gains and their naive versions: one place."""

import rosenblatt as rb
from rosenblatt.streams import TwoClasses

LINEAR = TwoClasses([(20, 40), (80, 60)], 400.0, constant=-1.0)
CONIC = TwoClasses([(4, 0), (10, 0)], (2.0, 4.0), prior=0.4, degree=2)
GAINS = {
    "time": rb.schedules.Power(1.0, 0.7),
    "mistakes": rb.schedules.PerMistake(2.0, 0.9),
}
NAIVE = {
    "time": lambda t, mistakes: t**-0.7,
    "mistakes": lambda t, mistakes: 2.0 * mistakes**-0.9,
}
