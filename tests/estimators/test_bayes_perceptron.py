"""BayesPerceptron keeps scikit-learn's conventions and its own promises."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt.estimators import BayesPerceptron


@parametrize_with_checks(
    [
        BayesPerceptron(),
        BayesPerceptron("diagonal", noise=0.0),
        BayesPerceptron("spherical", half_life=50),
    ],
    expected_failed_checks=lambda _: dict.fromkeys(
        [
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
        ],
        "the check shuffles the rows, and the result depends on their order",
    ),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
