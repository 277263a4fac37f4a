"""Prior beliefs of BayesPerceptron."""

import pandas
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.estimators import BayesPerceptron
from rosenblatt.estimators.bayes_perceptron import prior_filters
from tests.estimators.bayes_data import data


def test_auto_is_full_for_few_columns():
    X, y = data()
    for columns, classes, full in [
        (63, 2, 5),  # 64^2 = 2^12
        (64, 2, 3),
        (180, 2, 3),  # 181^2 < 2^15 < 182^2
        (181, 2, 2),
        (511, 2, 2),
        (512, 2, 0),
        (294, 3, 2),  # 3 * 295^2 < 2^18 < 3 * 296^2
        (295, 3, 0),
    ]:
        found = prior_filters("auto", "auto", None, columns, classes, False)
        covariances = [filter.covariance for filter in found.filters]
        assert covariances == full * ["full"] + (5 - full) * ["diagonal"]
    assert BayesPerceptron().fit(csr_matrix(X), y).covariance_ == "diagonal"


def test_a_covariance_that_is_no_text_is_refused():
    with pytest.raises(ValueError, match=r"covariance must be one of .*, got <NA>"):
        prior_filters(pandas.NA, "auto", None, 2, 2, False)
