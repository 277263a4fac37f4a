"""Kernels: one signature each, and the same numbers as plain Python."""

import importlib
import json
import os
import pkgutil
import subprocess
import sys

import numba
import numpy as np
import pytest

import rosenblatt as rb
from tests.scripts import run_script

SCRIPT = """
import json
import rosenblatt as rb
rule = rb.rules.Normalised(rb.rules.Perceptron())
found = {}
for engine in ("full", "reduced", "events"):
    run = rb.simulate(rule, rb.schedules.Power(1.0, 0.5), rb.teachers.Sign(0.1),
                      rb.streams.Gaussian(1.0, 0.5), dim=7, alpha=[0, 1, 20],
                      replicas=2, engine=engine)
    found[engine] = [run.angle.values.tolist(), run.mistakes.values.tolist()]
run = rb.simulate_machine(rb.machines.Parity(3, 2), rb.schedules.Constant(0.1),
                          [1.0, 0.0, 0.0, 1.0, 1.0, 1.0],
                          rb.streams.Uniform(6), examples=[0, 300],
                          noise=0.1, replicas=2, tests=500)
found["machine"] = [run.weights.values.tolist(), run.error.values.tolist()]
for name, stream in (("coordinate", None), ("signs", rb.streams.UniformBits(9))):
    run = rb.simulate(rb.rules.BinaryBayes(0.1), rb.schedules.Constant(),
                      rb.teachers.Sign(0.1), stream, dim=9, alpha=[0, 2], replicas=2)
    found[name] = [run.angle.values.tolist(), run.estimate.values.tolist()]
stream = rb.streams.TwoClasses([(0, 1), (2, 3)], (1, 2), degree=2)
run = rb.simulate_classes(rb.rules.Perceptron(), rb.schedules.PerMistake(), stream,
                          examples=[0, 300], replicas=2, tests=20)
found["classes"] = [run.weights.values.tolist(), run.error.values.tolist()]
curve = rb.solve(rule, rb.schedules.Constant(), alpha=[1, 2])
found["theory"] = [curve.angle.values.tolist(), curve.mistakes.values.tolist()]
print(json.dumps(found))
"""


def test_plain_python_gives_the_same_numbers_to_rounding(tmp_path):
    fast = json.loads(run_script(SCRIPT, tmp_path).stdout)
    slowly = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        capture_output=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=True,
    )
    plain = json.loads(slowly.stdout)
    for name in fast:
        # inputs of these are of single precision, and fused products round otherwise
        rounding = 1e-5 if name in ("full", "coordinate") else 1e-9
        np.testing.assert_allclose(fast[name][0], plain[name][0], rtol=rounding)
        np.testing.assert_allclose(fast[name][1], plain[name][1], rtol=rounding)


def kernels():
    for info in pkgutil.walk_packages(rb.__path__, "rosenblatt."):
        if info.name == "rosenblatt.__main__":
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            ours = getattr(value, "__module__", "") == module.__name__
            if ours and hasattr(value, "build"):
                yield f"{module.__name__}.{name}", value


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_every_kernel_has_exactly_one_signature():
    for rule in (rb.rules.Perceptron(), rb.rules.Normalised(rb.rules.Perceptron())):
        for engine in ("full", "reduced", "events"):
            rb.simulate(rule, rb.schedules.Constant(), dim=5, alpha=1, engine=engine)
    for machine in (rb.machines.Ball(), rb.machines.Threshold()):
        target = [0.0] * machine.parameters
        rb.simulate_machine(machine, rb.schedules.Constant(), target, examples=5)
    for learner in (rb.rules.BinaryBayes(), rb.rules.FullBayes()):
        rb.simulate(learner, rb.schedules.Constant(), dim=5, alpha=1)
    for degree in (1, 2):
        stream = rb.streams.TwoClasses([(0, 1), (2, 3)], degree=degree)
        rb.simulate_classes(rule, rb.schedules.Constant(), stream, examples=5)
    found = dict(kernels())
    assert len(found) >= 5
    for name, kernel in found.items():
        assert len(kernel.build().signatures) == 1, name
