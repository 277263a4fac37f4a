import numpy as np
import pandas as pd

from rosenblatt.river.frames import frame, named, series

X = pd.DataFrame({"a": [1.0, 2.0]}, index=["first", "second"])


def test_predictions_have_the_index_of_the_rows():
    labels = series(["no", "yes"], X)
    assert labels.to_dict() == {"first": "no", "second": "yes"}
    shares = frame(np.array([[0.9, 0.1], [0.2, 0.8]]), ["no", "yes"], X)
    assert shares.loc["second"].to_dict() == {"no": 0.2, "yes": 0.8}


def test_weights_are_numbers_of_one_model_and_arrays_of_several():
    assert named(["a"], np.array([[3.0, 7.0]])) == {"a": 3.0}  # 7 is the intercept
    found = named(["a"], np.array([[3.0, 7.0], [4.0, 8.0]]))
    assert found["a"].tolist() == [3.0, 4.0]
