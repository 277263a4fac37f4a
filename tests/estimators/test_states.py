"""The state of a fitted estimator is as its schema says."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core.schema import SchemaError
from rosenblatt.estimators.states import STATES

X = np.random.default_rng(0).choice([-1.0, 1.0], (60, 5))
Y = np.where(X[:, 0] > 0, "yes", "no")


@pytest.fixture(params=STATES)
def fitted(request):
    return getattr(rb, request.param)().fit(X, Y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_fitted_estimators_have_their_state(fitted):
    state = STATES[type(fitted).__name__]
    sizes = state.check(fitted)
    assert sizes["columns"] == 5
    assert sizes["classes"] == 2
    kept = {name for name in vars(fitted) if name not in fitted.get_params()}
    assert kept - {"_codes"} == set(state.fields) - {"feature_names_in_", "_open"}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_state_of_other_columns_is_refused(fitted):
    fitted.n_features_in_ = 7
    with pytest.raises(SchemaError):
        STATES[type(fitted).__name__].check(fitted)
