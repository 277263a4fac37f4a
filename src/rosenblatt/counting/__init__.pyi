from .binary_weights import Signs as Signs
from .binary_weights import clipped_hebb_weights as clipped_hebb_weights
from .binary_weights import influence_weights as influence_weights
from .guarantee import required_examples as required_examples
from .thresholds import Threshold as Threshold
from .thresholds import histogram as histogram
from .thresholds import least_error_threshold as least_error_threshold
from .thresholds import printed_threshold as printed_threshold
