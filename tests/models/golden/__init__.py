"""Model files of the present version of the format, which must stay readable.

``python -m tests.models.golden`` writes them, once, when the version is new. Each
file holds rows, and what the model predicted for them, beside the model.
"""

from pathlib import Path

import rosenblatt as rb
from tests.models.examples import Case, shaped

FOLDER = Path(__file__).parent
# One of each form that a state can have.
CASES = {
    "bayes-auto": Case("BayesPerceptron", 0, "dense", "words"),
    "bayes-full": Case("BayesPerceptron", 1, "dense", "numbers"),
    "bayes-diagonal": Case("BayesPerceptron", 2, "named", "objects"),
    "bayes-spherical": Case("BayesPerceptron", 3, "dense", "bools"),
    "bayes-sparse": Case("BayesPerceptron", 0, "sparse", "words"),
    "binary-bayes": Case("BinaryBayesPerceptron", 0, "dense", "words"),
    "binary-bayes-packed": Case("BinaryBayesPerceptron", 1, "packed", "numbers"),
    "binary-perceptron": Case("BinaryPerceptron", 0, "dense", "words"),
    "clipped-hebb": Case("ClippedHebb", 0, "packed", "numbers"),
    "gradient": Case("GradientPerceptron", 1, "dense", "numbers"),
    "online": Case("OnlinePerceptron", 1, "dense", "floats"),
    "online-shuffled": Case("OnlinePerceptron", 3, "sparse", "words"),
    "shifted": Case("ShiftedPerceptron", 0, "dense", "numbers"),
}


def write(folder: Path) -> None:
    """Write the files of the present version."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, case in CASES.items():
        model = case.fitted()
        rows = Case(case.name, 0, "dense", "words").rows(9)[0]
        extra = {"rows": rows, "labels": model.predict(shaped(rows, case.kind))}
        if hasattr(model, "predict_proba"):
            extra["shares"] = model.predict_proba(shaped(rows, case.kind))
        rb.save_model(model, folder / f"{name}.safetensors", extra=extra)
