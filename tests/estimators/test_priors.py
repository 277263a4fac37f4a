"""Prior beliefs of BayesPerceptron."""

from scipy.sparse import csr_matrix

from rosenblatt.estimators import BayesPerceptron
from rosenblatt.estimators.priors import prior_filters
from tests.estimators.bayes_data import data


def test_auto_is_full_for_few_columns():
    X, y = data()
    for columns, classes, wanted in [
        (5, 2, "full"),
        (511, 2, "full"),
        (512, 2, "diagonal"),
        (294, 3, "full"),  # 3 * 295^2 < 2^18 < 3 * 296^2
        (295, 3, "diagonal"),
    ]:
        found = prior_filters("auto", "auto", None, columns, classes, False)
        assert [filter.covariance for filter in found.filters] == [
            *(3 * [wanted]),
            "diagonal",
        ]
    assert BayesPerceptron().fit(csr_matrix(X), y).covariance_ == "diagonal"
