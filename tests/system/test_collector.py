"""Test the pause of the garbage collector."""

import gc

import pytest

import rosenblatt
from rosenblatt.system.collector import attach_stub, paused


def test_collector_runs_again_after_an_error():
    with pytest.raises(ZeroDivisionError), paused():
        1 / 0  # noqa: B018
    assert gc.isenabled()


def test_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_names_of_the_package_are_found_and_unknown_ones_are_not():
    load, _, public = attach_stub("rosenblatt", rosenblatt.__file__)
    assert load("BayesPerceptron") is rosenblatt.BayesPerceptron
    assert "BayesPerceptron" in public
    with pytest.raises(AttributeError, match="no_such_name"):
        load("no_such_name")
    assert gc.isenabled()
