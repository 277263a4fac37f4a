"""Exported graphs in onnxruntime, compared with their models."""

import numpy as np
import onnxruntime

import rosenblatt as rb
from rosenblatt.estimators.counting import CountingClassifier

# Sums of some ten products are in another order in the runtime.
ROUNDING = 1e-12


def session(content):
    return onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])


def exported(model, folder):
    path = folder / "model.onnx"
    rb.export_onnx(model, path)
    return session(path.read_bytes())


def margins(model, X):
    """Return the distance of each row from the boundary; integers are exact."""
    scores = model.decision_function(X)
    if isinstance(model, CountingClassifier):
        return np.ones(len(scores))
    if scores.ndim == 1:
        return np.abs(scores)
    best = np.sort(scores, axis=1)
    return best[:, -1] - best[:, -2]


def compare(model, run, given, X):
    """Compare on rows as the model takes them and as plain numbers."""
    outputs = [output.name for output in run.get_outputs()]
    found = dict(
        zip(
            outputs,
            run.run(outputs, X if isinstance(X, dict) else {"X": X}),
            strict=True,
        )
    )
    expected = model.predict(given)
    sure = margins(model, given) > ROUNDING
    assert sure.mean() > 0.5
    assert found["label"][sure].tolist() == expected[sure].tolist()
    assert hasattr(model, "predict_proba") == ("probabilities" in found)
    if "probabilities" in found:
        np.testing.assert_allclose(
            found["probabilities"], model.predict_proba(given), rtol=1e-9, atol=ROUNDING
        )
