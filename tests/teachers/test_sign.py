from rosenblatt.teachers import Sign


def test_labels_are_wrong_with_the_noise():
    assert Sign(0.1).bind()(2.0) == 0.9
    assert Sign(0.1).bind()(-2.0) == 0.1
