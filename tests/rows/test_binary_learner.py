from rosenblatt.rows.binary_learner import BinaryLearner, noise_of


def test_estimated_noise_starts_at_a_quarter():
    prior = BinaryLearner.prior(2, False, models=3)
    assert noise_of(prior, "auto").tolist() == [0.25] * 3
    assert noise_of(prior, 0.1).tolist() == [0.1] * 3
