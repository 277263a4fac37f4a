import inspect
import math
from contextlib import suppress
from dataclasses import fields

import pytest

import rosenblatt as rb
from rosenblatt.core import Rule, Schedule, Stream, Teacher
from rosenblatt.specification.codec import kebab, parse

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
