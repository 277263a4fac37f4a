"""The list of all kinds of beliefs, by their names."""

from rosenblatt.bayes.belief import Belief
from rosenblatt.bayes.diagonal import Diagonal
from rosenblatt.bayes.full import Full
from rosenblatt.bayes.spherical import Spherical

BELIEFS: dict[str, Belief] = {
    belief.name: belief for belief in (Spherical(), Diagonal(), Full())
}
COVARIANCES = tuple(BELIEFS)
