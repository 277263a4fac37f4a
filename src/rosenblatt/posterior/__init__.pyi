from .batch import BatchPosterior as BatchPosterior
from .batch import batch_posterior as batch_posterior
