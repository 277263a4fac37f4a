"""Headers are compiled, without a warning, and predict the same."""

import shutil
import subprocess

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.estimators.counting import CountingClassifier
from tests.models.examples import Case, cases

COMPILER = shutil.which("cc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"]
# Rows come in as doubles, numbers of classes go out, and the labels first.
MAIN = """
#include "model.h"
#include "model.h"
#include <stdio.h>
int main(void)
{
    double x[model_columns], scores[model_models];
    int k;
    for (k = 0; k < model_classes; k++)
        printf("%s\\n", model_label(k));
    while (fread(x, sizeof x, 1, stdin) == 1) {
        model_scores(x, scores);
        printf("%d\\n", model_predict(x));
    }
    return 0;
}
"""
BITS = """
#include "model.h"
#include <stdio.h>
int main(void)
{
    uint64_t row[model_words];
    while (fread(row, sizeof row, 1, stdin) == 1)
        printf("%d\\n", model_predict_bits(row));
    return 0;
}
"""


def run(folder, source, given):
    """Compile a program with the header and return the lines that it prints."""
    (folder / "main.c").write_text(source)
    made = subprocess.run(
        [COMPILER, *FLAGS, "main.c", "-o", "main"],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    done = subprocess.run([folder / "main"], input=given, capture_output=True)
    return done.stdout.decode().splitlines()


def chosen():
    """One case of each form that a header can have."""
    found = [
        Case("OnlinePerceptron", 0, "dense", "words"),
        Case("GradientPerceptron", 0, "dense", "numbers"),
        Case("BinaryPerceptron", 0, "dense", "words"),
        Case("BinaryPerceptron", 1, "dense", "numbers"),
        Case("ClippedHebb", 0, "packed", "floats"),
        Case("BinaryBayesPerceptron", 0, "dense", "words"),
        Case("BinaryBayesPerceptron", 1, "packed", "numbers"),
    ]
    new = {case.name for case in cases()} - {case.name for case in found}
    return found + [Case(n, 0, "dense", "words") for n in new - {"BayesPerceptron"}]


@needs_compiler
@pytest.mark.parametrize("case", chosen(), ids=lambda case: "-".join(map(str, case)))
def test_the_compiled_predictor_is_the_model(case, tmp_path):
    model = case.fitted()
    rb.export_c(model, tmp_path / "model.h")
    X, _ = case._replace(kind="dense").rows(7, 500)
    given, _ = case.rows(7, 500)
    lines = run(tmp_path, MAIN, X.tobytes())
    labels, found = lines[: len(model.classes_)], lines[len(model.classes_) :]
    assert labels == [str(label) for label in model.classes_.tolist()]
    scores = model.decision_function(given)
    codes = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
    found = np.array(found, int)
    if isinstance(model, CountingClassifier) or case.setting == 1:  # bits: exact
        np.testing.assert_array_equal(found, codes)
    else:
        order = np.sort(
            np.column_stack([scores, -scores] if scores.ndim == 1 else scores.T)
        )
        sure = order[:, -1] - order[:, -2] > 1e-12
        assert sure.mean() > 0.9
        np.testing.assert_array_equal(found[sure], codes[sure])


@needs_compiler
def test_packed_rows_and_edges_of_columns(tmp_path):
    """More columns than a word has, weights that are zero, levels of all kinds."""
    random = np.random.default_rng(2)
    high = random.random((400, 131)) < 0.5
    scales, levels = random.integers(1, 5, 131), random.integers(-3, 3, 131)
    X = high * scales + levels
    y = np.where(high[:, :9].sum(axis=1) > 5, 'yes "?\u00e9\\', "no")
    model = rb.BinaryPerceptron(threshold="least error", eps=0.5).fit(X, y)
    assert (model.coef_ == 0).any()
    rb.export_c(model, tmp_path / "model.h")
    codes = (model.predict(X) == model.classes_[1]).astype(int).tolist()
    labels = model.classes_.tolist()
    lines = run(tmp_path, MAIN, X.astype(float).tobytes())
    assert lines == [*labels, *map(str, codes)]
    words = rb.bits.pack(high).words
    assert run(tmp_path, BITS, words.tobytes()) == list(map(str, codes))


@needs_compiler
def test_two_headers_live_in_one_program(tmp_path):
    for name, seed in (("first", 0), ("second", 1)):
        X = np.random.default_rng(seed).standard_normal((50, 3))
        model = rb.OnlinePerceptron().fit(X, X[:, 0] > 0)
        rb.export_c(model, tmp_path / f"{name}.h", name=name)
    source = """
#include "first.h"
#include "second.h"
#include <stdio.h>
int main(void)
{
    double x[3] = { 5.0, 0.0, 0.0 };
    printf("%s %s\\n", first_label(first_predict(x)), second_label(second_predict(x)));
    return 0;
}
"""
    assert run(tmp_path, source, b"") == ["true true"]


def test_what_has_no_header_is_told(tmp_path):
    path = tmp_path / "model.h"
    with pytest.raises(TypeError, match="export_onnx"):
        rb.export_c(Case("BayesPerceptron", 0, "dense", "words").fitted(), path)
    model = Case("OnlinePerceptron", 0, "dense", "words").fitted()
    for name in ("two words", "1st", "", "caf\u00e9", 3):
        with pytest.raises(ValueError, match="name must be"):
            rb.export_c(model, path, name=name)
    with pytest.raises(TypeError, match="model must be one of"):
        rb.export_c(object(), path)
    assert not path.exists()
