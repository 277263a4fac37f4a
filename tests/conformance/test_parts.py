"""Every part, discovered: a new file is covered without being listed."""

import copy
import inspect
import itertools
import math
import pickle

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.compiling import compiled
from rosenblatt.core import (
    Activation,
    BeliefRule,
    Clock,
    Heading,
    Labels,
    Likelihood,
    Machine,
    Motion,
    Observation,
    Part,
    Percept,
    Rule,
    Schedule,
    Stream,
    Teacher,
    VectorStream,
)
from rosenblatt.numerics.likelihood import drawing, evidence_of
from rosenblatt.numerics.random import generator, uniform
from rosenblatt.rules import Hebb, Perceptron
from tests.naming import in_words


def steady(clock):
    return 0.3


def disc(rng, s):
    """Rejects, so that the number of random numbers is not known beforehand."""
    while True:
        s[0] = 2 * uniform(rng) - 1
        s[1] = 2 * uniform(rng) - 1
        if s[0] ** 2 + s[1] ** 2 < 1:
            return


def parabola(s, w):
    return s[1] - w[0] - w[1] * s[0] ** 2


def slopes(s, w, out):
    out[0] = -1.0
    out[1] = -(s[0] ** 2)


# What the parameters without defaults are filled with.
FILL = {
    "rule": Perceptron(),
    "strength": 0.5,
    "function": steady,
    "speed": 0.5,
    "times": (2.0, 5.0),
}
FILL_STREAM = {
    "dim": 2,
    "function": disc,
    "probabilities": (0.2, 0.9),
    "means": ((0.0, 1.0), (2.0, 3.0)),
    "covariance": ((1.0, 0.5), (0.5, 1.0)),
    "rows": ((1.0, -1.0), (0.5, 2.0), (-1.0, 0.0)),
}
FILL_MACHINE = {"value": parabola, "gradient": slopes, "inputs": 2, "parameters": 2}


def examples(module, kind, fill=FILL):
    """One value of every class of a module, and combinators around two rules."""
    found = []
    for name in module.__all__:
        cls = getattr(module, name)
        if not (inspect.isclass(cls) and issubclass(cls, kind)):
            continue
        needed = [
            p.name
            for p in inspect.signature(cls).parameters.values()
            if p.default is inspect.Parameter.empty
        ]
        given = {name: fill[name] for name in needed}
        found.append(cls(**given))
        if "rule" in given:
            found.append(cls(**{**given, "rule": Hebb()}))
    return found


RULES = examples(rb.rules, Rule)
SCHEDULES = examples(rb.schedules, Schedule)
TEACHERS = examples(rb.teachers, Teacher)
LIKELIHOODS = examples(rb.likelihoods, Likelihood)
MOTIONS = examples(rb.motions, Motion)
STREAMS = examples(rb.streams, Stream, FILL_STREAM)
VECTOR_STREAMS = [s for s in STREAMS if isinstance(s, VectorStream)]
BELIEFS = examples(rb.rules, BeliefRule)
ACTIVATIONS = examples(rb.rules, Activation)
MACHINES = [
    *examples(rb.machines, Machine, FILL_MACHINE),
    rb.machines.Ball(3, 2.0),
    rb.machines.Parity(3, 2),
    rb.machines.Parity(3, 4, least_action=True),
    rb.machines.Parity(normalised=False),
]
PARTS = [
    *(*RULES, *BELIEFS, *SCHEDULES, *TEACHERS, *LIKELIHOODS, *MOTIONS, *STREAMS),
    *(*ACTIVATIONS, *MACHINES),
]

FIELDS = [-2.3, -1.0, -0.2, 0.0, 0.4, 1.0, 1.7]


def percepts(dim):
    for field in FIELDS:
        for label in (-1.0, 1.0):
            yield Percept(field, label, 0.8, 1.1, 0.7, dim, 0.2)


def test_everything_is_found():
    assert len(RULES) >= 12
    assert len(BELIEFS) >= 3
    assert len(SCHEDULES) >= 4
    assert TEACHERS
    assert len(LIKELIHOODS) >= 5
    assert len(MOTIONS) >= 4
    assert len(VECTOR_STREAMS) >= 3
    assert len(ACTIVATIONS) == 5
    assert len(MACHINES) >= 8


@pytest.mark.parametrize("part", PARTS, ids=in_words)
def test_parts_are_values(part):
    assert isinstance(part, Part)
    for twin in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part)):
        assert twin == part
        assert hash(twin) == hash(part)
    with pytest.raises(AttributeError):
        part.margin = 3.0


@pytest.mark.parametrize("motion", MOTIONS, ids=in_words)
def test_turns_of_drifts_have_the_velocity_that_theory_uses(motion):
    """To the first order in 1/N: 1 - cos is summed for random turns, or the angle."""
    angle = motion.angle(1e6)
    assert 0 < angle <= math.pi
    if motion.changes is None:
        random = motion.heading == Heading.RANDOM
        turned = 2 * math.sin(angle / 2) ** 2 if random else angle
        assert 1e6 * turned == pytest.approx(motion.velocity, rel=1e-9)
    else:
        assert motion.heading == Heading.RANDOM
        assert motion.velocity == 0


def points(part):
    """Return arguments of the function of a part."""
    if isinstance(part, Rule):
        return [(p,) for dim in (5.0, math.inf) for p in percepts(dim)]
    if isinstance(part, Schedule):
        return [(Clock(0.2, 0.1, 5.0),), (Clock(1e9, 25.0, math.inf),)]
    signs = part.labels == Labels.SIGNS
    return itertools.product((-1.0, 1.0) if signs else (0.0, 3.0), FIELDS)


@pytest.mark.parametrize("part", [*RULES, *SCHEDULES, *LIKELIHOODS], ids=in_words)
def test_compiled_functions_equal_plain_python(part):
    fast, plain = compiled(part), part.bind()
    for given in points(part):
        assert fast(*given) == pytest.approx(plain(*given), rel=1e-14)


def believed(rule, learn, turned=1.0):
    """Return what is believed after four examples, all signs turned or none."""
    n = 5
    state, mean, variance = np.zeros(rule.memory(n)), np.zeros(n), np.zeros(n)
    rule.begin(state, mean, variance)
    for k, label in enumerate((1.0, -1.0, 1.0, 1.0)):
        x = np.sin(np.arange(n) + k)
        total = variance.sum() / n
        o = Observation(
            mean @ x, turned * label, mean @ mean / n, x @ x, 0.7, n,
            variance @ x**2, total,
        )  # fmt: skip
        learn(state, mean, variance, x, o)
    return mean, variance


@pytest.mark.parametrize("rule", BELIEFS, ids=in_words)
def test_compiled_beliefs_equal_plain_python_and_treat_both_labels_alike(rule):
    mean, variance = believed(rule, compiled(rule))
    plain = rule.bind()
    plain = getattr(plain, "py_func", plain)
    np.testing.assert_allclose(believed(rule, plain), (mean, variance), rtol=1e-10)
    other, same = believed(rule, compiled(rule), turned=-1.0)
    np.testing.assert_allclose(other, -mean, rtol=1e-10)
    np.testing.assert_allclose(same, variance, rtol=1e-10)
    assert (variance > 0).all()
    assert (variance < 1).any()


@pytest.mark.parametrize("rule", RULES, ids=in_words)
def test_rules_treat_both_labels_alike(rule):
    """Turning the signs of label, field and shift turns the gain and no more."""
    step = rule.bind()
    for p in percepts(5.0):
        turned = p._replace(field=-p.field, label=-p.label, shift=-p.shift)
        a, b = step(p), step(turned)
        assert a.gain == pytest.approx(-b.gain, rel=1e-13, abs=1e-300)
        assert a.decay == pytest.approx(b.decay, rel=1e-13, abs=1e-12)


@pytest.mark.parametrize("rule", RULES, ids=in_words)
def test_rules_are_smooth_off_their_kinks(rule):
    """Jumps or corners anywhere else would spoil the quadrature."""
    step = rule.bind()
    h = 1e-4
    for stability in np.arange(-2.5, 2.5, 0.0371):
        if any(abs(stability - kink) < 3 * h for kink in rule.kinks):
            continue
        left, here, right = (
            np.array(step(Percept(stability + e, 1.0, 0.8, 1.0, 0.7, math.inf, 0.0)))
            for e in (-h, 0.0, h)
        )
        bend = (left - 2 * here + right) / h**2
        assert np.all(abs(bend) < 100)  # a jump of 1e-6 or a corner of 0.01 shows


@pytest.mark.parametrize("rule", RULES, ids=in_words)
def test_rules_for_mistakes_only_do_nothing_else(rule):
    step = rule.bind()
    moves = [any(step(p)) for p in percepts(5.0) if p.label * p.field > 0]
    assert rule.mistakes_only == (not any(moves))


@pytest.mark.parametrize("teacher", TEACHERS, ids=in_words)
def test_teachers_return_probabilities(teacher):
    positive = compiled(teacher)
    for b in (-1e9, -1.0, 0.0, 1e-9, 3.0):
        assert 0 <= positive(b) <= 1


def some_labels(likelihood):
    """Return labels, and their weights in a sum over all labels."""
    if likelihood.labels == Labels.SIGNS:
        return np.array([-1.0, 1.0]), np.ones(2)
    if likelihood.labels == Labels.COUNTS:
        return np.arange(200.0), np.ones(200)
    t = np.linspace(-25.0, 25.0, 2001)
    return likelihood.scale * np.sinh(t), likelihood.scale * np.cosh(t) * (t[1] - t[0])


@pytest.mark.parametrize("likelihood", LIKELIHOODS, ids=in_words)
def test_probabilities_of_labels_add_up_to_1(likelihood):
    log_probability = likelihood.bind()
    labels, weights = some_labels(likelihood)
    for field in FIELDS:
        chances = np.exp([log_probability(y, field) for y in labels.tolist()])
        assert chances @ weights == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("likelihood", LIKELIHOODS, ids=in_words)
@pytest.mark.parametrize("variance", [0.05, 0.5, 9.0])
def test_evidence_is_the_gaussian_average_of_the_likelihood(likelihood, variance):
    """A sum over fine steps of the field, and differences of it by the mean.

    The sum is exact to a step where the likelihood jumps, 6e-4 times the ratio of
    density and probability there, which is below 6. Quadrature is exact to 1e-5.
    """
    found, log_probability = evidence_of(likelihood), likelihood.bind()
    t = np.linspace(-12.0, 12.0, 40_001)
    weights = np.exp(-0.5 * t * t) * (t[1] - t[0]) / math.sqrt(2.0 * math.pi)
    spread, step = math.sqrt(variance), 1e-3
    labels = (-1.0, 1.0) if likelihood.labels == Labels.SIGNS else (0.0, 1.0, 7.0)
    for mean in (-1.3, 0.4):
        for label in labels:
            one = found(mean, variance, label)
            fields = (mean + spread * t).tolist()
            chances = np.exp([log_probability(label, f) for f in fields])
            total = float(weights @ chances)
            assert one.log_probability == pytest.approx(math.log(total), abs=4e-3)
            low, high = (
                found(mean + e * spread, variance, label) for e in (-step, step)
            )
            width = 2.0 * step * spread
            slope = (high.log_probability - low.log_probability) / width
            bend = (low.slope - high.slope) / width
            scale = 1.0 / spread
            assert one.slope == pytest.approx(slope, rel=1e-4, abs=1e-4 * scale)
            near = 1e-4 * scale * scale
            assert one.curvature == pytest.approx(bend, rel=1e-4, abs=near)


@pytest.mark.parametrize("likelihood", LIKELIHOODS, ids=in_words)
def test_labels_are_drawn_with_their_probabilities(likelihood):
    """Five standard errors; tails of numbers by their probability beyond 1."""
    draw, log_probability = drawing(likelihood), likelihood.bind()
    rng, field, count = generator(np.random.SeedSequence(1)), 0.7, 20_000
    drawn = np.array([draw(field, rng) for _ in range(count)])
    labels, weights = some_labels(likelihood)
    at = labels + field if likelihood.labels == Labels.NUMBERS else labels
    chances = weights * np.exp([log_probability(y, field) for y in at.tolist()])
    for low in (-1.0, 0.2, 2.0):
        chance = float(chances[at > low].sum())
        error = math.sqrt(max(chance * (1.0 - chance), 0.0) / count)
        # the sum over numbers is exact to one step of the grid
        assert (drawn > low).mean() == pytest.approx(chance, abs=5 * error + 0.012)
