"""Checks that tests of several classifiers share."""

import pytest

__all__ = ["depends_on_order", "refuses"]


def depends_on_order(model=None):
    """Return the checks of scikit-learn that a learner from a stream fails."""
    return dict.fromkeys(
        [
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
        ],
        "the check shuffles the rows, and the result depends on their order",
    )


def refuses(model, method, arguments, message, snapshot):
    """Check that bad data raise an error and leave a model as it was."""
    before = snapshot(model)
    X, y, weights = (*arguments, None)[:3]
    with pytest.raises(ValueError, match=message):
        getattr(model, method)(X, y, sample_weight=weights)
    assert snapshot(model) == before
