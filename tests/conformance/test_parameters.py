"""Every parameter refuses what is not of its kind, in words, and changes nothing."""

import inspect
import pickle
import warnings

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt import river
from tests.conformance.estimators import data, every, one_pass
from tests.fuzz.hostile import WRONG
from tests.models.forging import forged

RIVER = [getattr(river, name) for name in river.__all__]


def check_message(name, failure):
    """Assert that an error names the argument, and says what is wanted and given."""
    text = str(failure)
    assert text.startswith(name), text
    assert " must " in text, text
    assert ", got " in text, text
    assert len(text) < 400, text
    assert "\n" not in text, text


@every
def test_wrong_parameters_are_refused_and_change_nothing(kind):
    X, y = data(kind, rows=6)
    models = []
    for name in kind().get_params(deep=False):
        refused = 0
        for wrong in WRONG:
            model = kind(**{name: wrong})
            empty = set(vars(model))
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model.fit(X, y)
            except (TypeError, ValueError) as failure:
                refused += 1
                check_message(name, failure)
                assert vars(model).keys() == empty
                with pytest.raises((TypeError, ValueError), match=name):
                    model.partial_fit(X, y, classes=[0, 1])
                assert vars(model).keys() == empty
                models.append((name, wrong))
        assert refused >= len(WRONG) - 3, name
    check_fitted_models(kind, models, X, y)


def check_fitted_models(kind, models, X, y):
    """Assert that a fitted model whose parameter has become wrong stays as it is."""
    fitted = pickle.dumps(one_pass(kind).fit(X, y))
    for name, wrong in models:
        model, other = pickle.loads(fitted), pickle.loads(fitted)
        setattr(model, name, wrong)
        refused = [(model.fit, X, y), (model.partial_fit, X, y)]
        if hasattr(kind, "merge"):
            refused += [(model.merge, other), (other.merge, model)]
        for call, *given in refused:
            with pytest.raises((TypeError, ValueError)) as failure:
                call(*given)
            check_message(name, failure.value)
        for call, *given in ((model.predict, X), (model.partial_fit, X[:1], y[:1])):
            try:
                call(*given)
            except (TypeError, ValueError) as failure:
                check_message(name, failure)


def test_a_wrong_parameter_is_neither_saved_nor_loaded(tmp_path):
    with pytest.raises(TypeError, match="noise must be 'auto' or a number"):
        rb.save_model(rb.BayesPerceptron(noise=[1]), tmp_path / "model")
    path = tmp_path / "good"
    rb.save_model(rb.BayesPerceptron(half_life=5.0), path)

    def change(tree, tensors):
        (pair,) = (p for p in tree["parameters"]["dict"] if p[0] == "half_life")
        pair[1] = -5.0

    path.write_bytes(forged(path, change))
    with pytest.raises(rb.models.ModelFileError, match="half_life must be None or a"):
        rb.load_model(path)


@pytest.mark.parametrize("kind", RIVER, ids=lambda kind: kind.__name__)
def test_classifiers_for_river_refuse_wrong_parameters(kind):
    for name in inspect.signature(kind).parameters:
        refused = 0
        for wrong in WRONG:
            try:
                kind(**{name: wrong})
            except (TypeError, ValueError) as failure:
                refused += 1
                check_message(name, failure)
        assert refused >= len(WRONG) - 6, name


COMMITTEE = rb.committees.Committee(rb.rules.Erf(), students=1, teachers=1)
RULE = {"rule": rb.rules.Perceptron(), "schedule": rb.schedules.Constant()}
CALLS = {
    rb.simulate: {**RULE, "dim": 4, "alpha": 1},
    rb.solve: {**RULE, "alpha": 1},
    rb.committees.simulate: {"committee": COMMITTEE, "rate": 0.1, "dim": 4, "alpha": 1},
    rb.committees.solve: {"committee": COMMITTEE, "rate": 0.1, "alpha": 1},
}


def test_functions_refuse_wrong_arguments():
    few = [one for one in WRONG if not isinstance(one, list) and one is not None]
    for function, given in CALLS.items():
        for name in inspect.signature(function).parameters.keys() - {"progress"}:
            for wrong in few:
                if isinstance(wrong, np.ndarray) and name == "alpha":
                    continue  # these are times
                with pytest.raises((TypeError, ValueError)) as failure:
                    function(**given | {name: wrong})
                check_message(name, failure.value)
