import inspect
import math
import sys
from contextlib import suppress
from dataclasses import fields

import pytest

import rosenblatt as rb
from rosenblatt.core import BeliefRule, Rule, Schedule, Stream, Teacher
from rosenblatt.specification.codec import kebab, load, parse, replace, spell

KINDS = {
    rb.rules: Rule,
    rb.schedules: Schedule,
    rb.teachers: Teacher,
    rb.streams: Stream,
    rb.starts: rb.starts.Start,
}


@pytest.mark.parametrize("module", KINDS, ids=lambda m: m.__name__)
def test_every_part_that_needs_nothing_is_found_by_all_its_names(module):
    kind = KINDS[module]
    for name in module.__all__:
        found = getattr(module, name)
        if not issubclass(found, kind) or inspect.isabstract(found):
            continue
        try:
            made = found()
        except TypeError:
            continue
        for text in (name, kebab(name), name.lower(), name.upper()):
            assert parse(kind, text) == made


@pytest.mark.parametrize(
    ("kind", "text", "part"),
    [
        (Rule, "adatron", rb.rules.AdaTron()),
        (Rule, "perceptron:margin=1e-1", rb.rules.Perceptron(0.1)),
        (Rule, "perceptron(margin=1)", rb.rules.Perceptron(1.0)),
        (
            Rule,
            "passive-aggressive: margin=2, aggressiveness=inf",
            rb.rules.PassiveAggressive(2.0, math.inf),
        ),
        (Rule, "delta:activation=tanh", rb.rules.Delta(rb.rules.Tanh())),
        (Rule, "delta:activation=tanh(gain=2)", rb.rules.Delta(rb.rules.Tanh(2.0))),
        (
            Rule,
            "shifted:rule=decay(rule=delta(activation=tanh(gain=2)),strength=3),"
            "by=fixed-shift(mean=1,teacher=0.5)",
            rb.rules.Shifted(
                rb.rules.Decay(rb.rules.Delta(rb.rules.Tanh(2.0)), 3.0),
                rb.rules.FixedShift(1.0, 0.5),
            ),
        ),
        (Schedule, "per-mistake:scale=2", rb.schedules.PerMistake(2.0)),
        (Teacher, "sign:noise=.1", rb.teachers.Sign(0.1)),
        (Stream, "gaussian:mean=4,overlap=-1.95", rb.streams.Gaussian(4.0, -1.95)),
        (rb.starts.Start, "overlap:teacher=0.9", rb.starts.Overlap(0.9)),
        (rb.starts.Start, "overlap:teacher=0,mean=none", rb.starts.Overlap(0.0)),
        (rb.starts.Start, "vector:weights=(1,-2)", rb.starts.Vector((1.0, -2.0))),
    ],
)
def test_text_becomes_the_part(kind, text, part):
    found = parse(kind, text)
    assert found == part
    for field in fields(found):
        assert type(getattr(found, field.name)) is type(getattr(part, field.name))


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (Rule, "nothing", "there is no rule 'nothing'; possible: ada-tron, decay, "),
        (Rule, "tanh", "there is no rule 'tanh'; possible: ada-tron"),
        (Rule, "a b", "rule must be name or name:key=value,..., got 'a b'"),
        (Rule, "hebb:x=1", "rule hebb has no parameter 'x=1'; possible: none"),
        (Rule, "perceptron:1", "has no parameter '1'; possible: margin"),
        (Rule, "perceptron:margin=x", "margin must be a number, got 'x'"),
        (Rule, "perceptron:margin=-1", "rule perceptron: margin must be a number not"),
        (Rule, "perceptron:margin=1,margin=2", "rule perceptron is given margin twice"),
        (Rule, "decay:strength=1", "rule decay needs rule=...; possible: rule, "),
        (Rule, "delta:activation=hebb", "no activation 'hebb'; possible: erf, lin"),
        (Rule, "delta:activation=tanh(gain=2", "activation must be name or"),
        (Schedule, "clock", "no schedule 'clock'; possible: constant, custom"),
        (Schedule, "custom:function=f", "function must be file.py:function, got 'f'"),
        (rb.starts.Start, "start", "no start 'start'; possible: hebbian, overlap"),
        (Rule, "nowhere.py:Rule", "there is no file 'nowhere.py'"),
    ],
)
def test_what_is_impossible_is_answered_by_what_is_possible(kind, text, message):
    with pytest.raises(ValueError) as failure:  # noqa: PT011 the message is compared
        parse(kind, text)
    assert message in str(failure.value)
    assert "\n" not in str(failure.value)


def test_parts_come_from_a_users_file_with_parameters_of_any_type(own):
    rule = parse(Rule, own("Timid:strength=0.25,steps=1e3,name=x,brave=true"))
    assert type(rule).__module__ == "own_parts"
    assert (rule.strength, rule.steps, rule.name, rule.brave) == (0.25, 1000, "x", True)
    assert type(parse(Teacher, own("Guess"))).__name__ == "Guess"


def test_a_function_of_the_clock_is_a_schedule(own):
    schedule = parse(Schedule, own("late"))
    assert schedule == parse(Schedule, f"custom:function={own('late')}")
    assert schedule.function.__name__ == "late"
    with pytest.raises(ValueError, match="is a function and has no parameters"):
        parse(Schedule, own("late:scale=1"))


def test_a_name_that_a_users_file_has_not_is_answered_by_those_it_has(own):
    with pytest.raises(ValueError, match=r"no rule 'Guess'; possible: Timid, Bro"):
        parse(Rule, own("Guess"))
    with pytest.raises(ValueError, match=r"no schedule 'Timid'; possible: late$"):
        parse(Schedule, own("Timid"))


HOSTILE = [
    "{path}:Rule",
    "{path}:Rule:x=1",
    "shifted:rule={path}:Rule",
    "decay:rule=({path}:Rule),strength=1",
    "normalised({path}:Rule)",
    "normalised:rule={path}:Rule",
    "custom:function={path}:rate",
    "__import__('os').system('touch {touched}')",
    "perceptron:margin=__import__('os').getpid()",
    "perceptron:__class__=1",
    "perceptron:margin=1e400",
    "perceptron:margin=nan",
    "os.system",
    "rule",
    "combinator",
    "(" * 90,
    "decay(" * 30,
    "",
    ":",
    "=",
    "perceptron:",
    "perceptron\x00",
    "../../etc/passwd",
    "file:///etc/passwd.py:Name",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("kind", [rb.core.Rule, rb.core.Schedule])
def test_without_files_no_text_runs_anything(tmp_path, text, kind):
    touched = tmp_path / "touched"
    path = tmp_path / "evil.py"
    path.write_text(f"open({str(touched)!r}, 'w').close()\nclass Rule: pass\n")
    filled = text.replace("{path}", str(path)).replace("{touched}", str(touched))
    made = None
    with suppress(ValueError, TypeError):
        made = parse(kind, filled, rb.core.BeliefRule, files=False)
    assert made in (None, rb.rules.Perceptron())  # of which a colon too many is nothing
    assert not touched.exists()


PARTS = [
    rb.rules.Perceptron(),
    rb.rules.Perceptron(margin=1 / 3),
    rb.rules.PassiveAggressive(margin=2.0, aggressiveness=0.1),
    rb.rules.PassiveAggressive(aggressiveness=math.inf),
    rb.rules.Delta(rb.rules.Logistic(gain=1e-7)),
    rb.rules.BinaryBayes(noise=0.1, floor=0.0, implicit=True),
    rb.rules.Decay(rb.rules.Hebb(), 0.5),
    rb.rules.Shifted(rb.rules.Perceptron(), rb.rules.AverageShift(uniform=False)),
    rb.rules.Shifted.known(rb.rules.Perceptron(), overlap=-1.95),
]


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_what_is_spelled_is_read_as_the_same_part(part):
    assert parse(Rule, spell(part), BeliefRule) == part


def test_defaults_are_left_out():
    assert spell(rb.schedules.Power(scale=2.0)) == "power:scale=2"
    assert spell(rb.rules.Hebb()) == "hebb"


def test_a_file_is_a_module_of_its_own_name_with_its_neighbours(own):
    module = load(own("")[:-1])
    assert module is sys.modules["own_parts"]
    assert module.HALF == 0.5
    assert load(own("")[:-1]) is module


def test_a_name_that_is_taken_is_refused(tmp_path):
    (tmp_path / "typing.py").write_text("")
    with pytest.raises(ValueError, match="must be renamed: 'typing' is another"):
        load(str(tmp_path / "typing.py"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("\nx = 1 / 0", "line 2: ZeroDivisionError: division by zero"),
        ("x = (", r"line 1: '\(' was never closed"),
        ("import own_nowhere", "ModuleNotFoundError: No module named 'own_nowhere'"),
    ],
)
def test_a_file_that_fails_says_where(tmp_path, monkeypatch, text, fault):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own_broken.py").write_text(text)
    with pytest.raises(ValueError, match=f"cannot be loaded: .*{fault}"):
        load(str(tmp_path / "own_broken.py"))
    assert "own_broken" not in sys.modules


SHIFTED = rb.rules.Shifted(rb.rules.Perceptron(0.5), rb.rules.FixedShift(1.0, 0.25))


def test_a_field_of_a_part_inside_is_replaced_and_nothing_else():
    found = replace(SHIFTED, "rule.margin", 2.0)
    assert found.rule == rb.rules.Perceptron(2.0)
    assert (found.by, found.opening) == (SHIFTED.by, SHIFTED.opening)
    assert SHIFTED.rule.margin == 0.5


def test_texts_are_read_as_in_commands():
    assert replace(SHIFTED, "rule.margin", "1e-1").rule.margin == 0.1
    assert replace(SHIFTED, "rule", "perceptron:margin=3").rule.margin == 3.0
    assert replace(SHIFTED, "by.teacher", "0.5").by.teacher == 0.5


@pytest.mark.parametrize(
    ("path", "given", "match"),
    [
        ("rate", 1.0, "shifted has no parameter 'rate'; possible: rule, by, opening"),
        ("rule.rate", 1.0, "perceptron has no parameter 'rate'; possible: margin"),
        ("rule.margin", -1.0, "'Perceptron' cannot be made: margin must"),
        ("rule.margin", True, "margin of the part 'Perceptron' must be of type float"),
        ("rule", 3, "rule of the part 'Shifted' must be of type Rule, got 3"),
        ("rule", "mine.py:Rule", "rule must be one of rosenblatt here"),
        ("rule", "oracle", "there is no rule 'oracle'"),
    ],
)
def test_other_fields_and_values_are_refused(path, given, match):
    with pytest.raises(ValueError, match=match) as refused:
        replace(SHIFTED, path, given)
    assert "\n" not in str(refused.value)
