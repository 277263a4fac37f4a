"""Headers are compiled, without a warning, and predict the same."""

import shutil
import subprocess

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.estimators.counting import CountingClassifier
from tests.models.examples import CLASSIFIERS, Case, curved_model
from tests.models.mixed_tables import rows_of_c, table

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
        [COMPILER, *FLAGS, "main.c", "-o", "main", "-lm"],
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
    new = {*CLASSIFIERS} - {case.name for case in found}
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
    high = random.random((400, 129)) < 0.5
    scales, levels = random.integers(1, 5, 129), random.integers(-3, 3, 129)
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
    X = np.eye(4)
    weighed = rb.BinaryBayesPerceptron(class_weight={0: 2.0}).fit(X, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="must not weigh classes"):
        rb.export_c(weighed, path)
    model = Case("OnlinePerceptron", 0, "dense", "words").fitted()
    for name in ("two words", "1st", "", "caf\u00e9", 3):
        with pytest.raises(ValueError, match="name must be"):
            rb.export_c(model, path, name=name)
    with pytest.raises(TypeError, match="model must be one of"):
        rb.export_c(object(), path)
    assert not path.exists()


BELIEF = """
#include "model.h"
#include <stdio.h>
int main(void)
{
    double x[model_columns], p[model_classes];
    int k;
    while (fread(x, sizeof x, 1, stdin) == 1) {
        model_probabilities(x, p);
        printf("%d", model_predict(x));
        for (k = 0; k < model_classes; k++)
            printf(" %.17g", p[k]);
        printf("\\n");
    }
    return 0;
}
"""


def check_probabilities(model, given, lines):
    found = np.array([line.split() for line in lines], float)
    p = model.predict_proba(given)
    np.testing.assert_allclose(found[:, 1:], p, rtol=1e-9, atol=1e-12)
    best = np.sort(p, axis=1)
    sure = best[:, -1] - best[:, -2] > 1e-9
    assert sure.mean() > 0.9
    labels = model.classes_[found[:, 0].astype(int)]
    np.testing.assert_array_equal(labels[sure], model.predict(given)[sure])


@needs_compiler
@pytest.mark.parametrize("labels", ["numbers", "words"])
@pytest.mark.parametrize("setting", range(5))
@pytest.mark.parametrize("weight", [None, "balanced"])
def test_beliefs_have_the_same_probabilities(setting, labels, weight, tmp_path):
    """Columns of all scales, and rows far away from where all others were."""
    random = np.random.default_rng(3)
    scales = 10.0 ** np.arange(-3, 3)
    X = random.standard_normal((300, 6)) * scales + scales
    code = np.digitize(X[:, 0] / 1e-3 + X[:, 3] / scales[3], [0.5, 2.5])
    classes = ["a", "b", "c"] if labels == "words" else [0, 1, 1]
    model = Case("BayesPerceptron", setting, "dense", labels).new()
    model.set_params(class_weight=weight).fit(X, np.array(classes)[code])
    rb.export_c(model, tmp_path / "model.h")
    far = np.vstack([X, 30 * X, -1e6 * X, np.zeros((1, 6)), 1e300 * np.ones((1, 6))])
    check_probabilities(model, far, run(tmp_path, BELIEF, far.tobytes()))


@needs_compiler
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("horizon", [None, 1])
def test_curves_that_lines_cannot_follow_are_in_the_header(classes, horizon, tmp_path):
    model, X = curved_model(classes, horizon)
    rb.export_c(model, tmp_path / "model.h")
    check_probabilities(model, X, run(tmp_path, BELIEF, X.tobytes()))


ROWS = BELIEF.replace(
    "while (fread(x, sizeof x, 1, stdin) == 1) {",
    "for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {\n"
    "        model_features(&rows[i], x);",
)


def check_rows(model, frame, folder):
    """Compare the header of a model of a table with the model."""
    rb.export_c(model, folder / "model.h")
    source = ROWS.replace(
        "double x[model_columns]",
        f"static const model_row rows[] = {{ {rows_of_c(frame)} }};\n"
        "    unsigned i;\n    double x[model_columns]",
    )
    check_probabilities(model, frame, run(folder, source, b""))


@needs_compiler
@pytest.mark.parametrize(
    "encoder", [{}, {"standardise": True}, {"categories": "hash", "hash_bits": 5}]
)
def test_tables_are_rows_with_a_field_for_each_column(encoder, tmp_path):
    """Hashes of more than 128 bytes, too, which are two blocks of BLAKE2b."""
    frame, y = table(0)
    model, made = rb.BayesPerceptron(), rb.TableEncoder(**encoder)
    later, _ = table(1, 60, unseen=True)
    for one in (frame, later):
        one["city"] = one["city"].replace({"Oslo": "Oslo " * 50})
    model.fit(made.fit_transform(frame), y)
    model.encoder_ = made
    check_rows(model, later, tmp_path)


@needs_compiler
@pytest.mark.filterwarnings("ignore:labels come in long runs")
def test_models_trained_on_files_are_exported_and_reported(tmp_path):
    frame, y = table(2)
    frame["member"] = frame["member"].astype(int)
    frame.assign(label=y).to_csv(tmp_path / "table.csv", index=False)
    rb.train(tmp_path / "table.csv", "label", save=tmp_path / "model")
    model = rb.load_model(tmp_path / "model")
    later, _ = table(3, 60, unseen=True)
    check_rows(model, later, tmp_path)
    effects = {one["column"]: one["effects"] for one in model.report(later)}
    assert effects.keys() == set(frame.columns)
    assert {one["feature"] for one in effects["city"]} >= {"city=Oslo"}
    for effect in effects["age"] + effects["city"]:
        assert effect["low"] < effect["mean"] < effect["high"]
