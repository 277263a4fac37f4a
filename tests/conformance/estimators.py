"""The estimators that conformance tests are about, data for them, and comparison."""

import importlib
import inspect
import pickle
import pkgutil

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

import rosenblatt.estimators

SEED = 2026


def discovered():
    """Return every class of the package that can be fitted."""
    found = set()
    for module in pkgutil.iter_modules(rosenblatt.estimators.__path__):
        content = importlib.import_module(f"rosenblatt.estimators.{module.name}")
        for thing in vars(content).values():
            if (
                inspect.isclass(thing)
                and issubclass(thing, BaseEstimator)
                and thing.__module__.startswith("rosenblatt.")
                and hasattr(thing, "fit")
                and "__init__" in vars(thing)  # bases have no parameters
            ):
                found.add(thing)
    return sorted(found, key=lambda kind: kind.__name__)


ESTIMATORS = discovered()
CLASSIFIERS = [kind for kind in ESTIMATORS if issubclass(kind, ClassifierMixin)]
REGRESSORS = [kind for kind in ESTIMATORS if issubclass(kind, RegressorMixin)]
every = pytest.mark.parametrize("kind", CLASSIFIERS, ids=lambda kind: kind.__name__)
every_regressor = pytest.mark.parametrize(
    "kind", REGRESSORS, ids=lambda kind: kind.__name__
)


def one_pass(kind, **parameters):
    """Return an estimator whose fit takes the rows once, in their order."""
    plain = {"passes": 1, "max_iter": 1, "shuffle": False, "presentation": "fixed"}
    known = kind().get_params()
    some = {name: value for name, value in plain.items() if name in known}
    return kind(**some, **parameters)


def seeded(kind):
    return {"random_state": 0} if "random_state" in kind().get_params() else {}


def data(kind, classes=2, rows=90, columns=6):
    """Return inputs of the kind that is wanted, and classes that they mostly decide.

    Classifiers that count are about columns of two levels.
    """
    rng = np.random.default_rng(SEED)
    X = rng.standard_normal((rows, columns))
    if "binarise" in kind().get_params():
        X = np.sign(X)
    fields = X @ rng.standard_normal((columns, classes))
    y = (fields + 0.3 * rng.standard_normal(fields.shape)).argmax(axis=1)
    y[:classes] = np.arange(classes)
    return X, y


def finished(model, X, y, sample_weight=None):
    """Let a classifier that looks at the examples twice do so."""
    if hasattr(model, "fit_threshold"):
        model.fit_threshold([(X, y, sample_weight)])
    return model


def learned(model):
    """Return all public attributes that a fit leaves, records field by field."""
    names = {name for name in dir(model) if name[0] != "_" and name[-1] == "_"}
    found = {name: getattr(model, name, None) for name in names}
    for name in [name for name in found if hasattr(found[name], "_asdict")]:
        fields = found.pop(name)._asdict()
        found |= {f"{name}.{field}": np.array(fields[field]) for field in fields}
    return {name: value for name, value in found.items() if value is not None}


def assert_same(a, b, rounding=1e-9):
    """Assert that two models have learned the same, up to rounding."""
    mine, its = learned(a), learned(b)
    assert "classes_" in mine.keys() & its.keys()
    for name in mine.keys() & its.keys():
        left, right = mine[name], its[name]
        if isinstance(left, np.ndarray) and left.dtype.kind == "f":
            np.testing.assert_allclose(left, right, rounding, rounding, err_msg=name)
        elif isinstance(left, np.ndarray):
            np.testing.assert_array_equal(left, right, err_msg=name)
        else:
            assert left == right, name


def state(model):
    """Return everything about a model, to the bit."""
    return pickle.dumps(model)
