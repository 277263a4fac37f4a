"""A linear BayesRegressor in ONNX and in C predicts what it predicts here."""

import subprocess

import numpy as np
import onnxruntime
import pandas as pd
import pytest

import rosenblatt as rb

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3)) * [1.0, 10.0, 1e3] + 5.0
Y = X @ [1.0, -0.2, 1e-3] + RNG.standard_normal(60) + 100.0

MAIN = """
#include <stdio.h>
#include "model.h"
int main(void)
{
    double x[model_columns];
    while (scanf("%lf %lf %lf", x, x + 1, x + 2) == 3)
        printf("%.17g %.17g\\n", model_predict(x), model_std(x));
    return 0;
}
"""
KINDS = {
    "later rows": {},
    "next row": {"horizon": 1},
    "curved": {"boundary": "curved", "cosines": 9},
    "Gaussian": {"likelihood": rb.likelihoods.Gaussian(2.0)},
    "Student": {"likelihood": rb.likelihoods.StudentT(4.0, 2.0)},
    "Poisson": {"likelihood": rb.likelihoods.Poisson()},
}


@pytest.mark.parametrize("settings", KINDS.values(), ids=KINDS)
def test_exports_have_mean_and_standard_deviation(settings, tmp_path):
    model = rb.BayesRegressor(**settings).fit(X, np.maximum(Y - 97.0, 0.0).round())
    wanted = np.column_stack(model.predict(X, return_std=True))
    rb.export_onnx(model, tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    found = np.hstack(session.run(["prediction", "std"], {"X": X}))
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    rb.export_c(model, tmp_path / "model.h")
    (tmp_path / "main.c").write_text(MAIN)
    command = "cc -std=c99 -Wall -Wextra -Werror -pedantic -O1 -o main main.c -lm"
    subprocess.run(command.split(), cwd=tmp_path, check=True)
    given = "\n".join(" ".join(map(repr, row)) for row in X.tolist())
    done = subprocess.run(
        [tmp_path / "main"], input=given, capture_output=True, text=True, check=True
    )
    printed = np.array(done.stdout.split(), float).reshape(-1, 2)
    np.testing.assert_allclose(printed, wanted, rtol=1e-9)


def test_tables_are_exported_with_their_columns(tmp_path):
    table = pd.DataFrame(
        {"side": np.tile(["left", "right", "up"], 20), "size": X[:, 0]}
    )
    model = rb.BayesRegressor().fit(table, Y)
    rb.export_onnx(model, tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    given = {
        "side": table[["side"]].to_numpy(object), "size": table[["size"]].to_numpy()
    }  # fmt: skip
    (found,) = session.run(["prediction"], given)
    np.testing.assert_allclose(found[:, 0], model.predict(table), rtol=1e-12)
    rb.export_c(model, tmp_path / "model.h")
    assert "model_features" in (tmp_path / "model.h").read_text()


@pytest.mark.parametrize("export", [rb.export_onnx, rb.export_c])
def test_other_laws_are_refused(export, tmp_path):
    model = rb.BayesRegressor(rb.likelihoods.Sign(0.1)).fit(X, np.sign(Y - Y.mean()))
    with pytest.raises(ValueError, match="model must have the likelihood None, Gaus"):
        export(model, tmp_path / "model")
    assert not list(tmp_path.iterdir())
