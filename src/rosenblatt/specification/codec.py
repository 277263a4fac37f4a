"""Codec of parts: plain data for files, and text for commands and addresses.

Plain data is what JSON can hold:

========================  ==========================================================
None, True, 3, 0.1        themselves
tuple, list, array        a list
a part of this package    ``{"part": "rules.Perceptron", "fields": {...}}``
a user's own part         ``{"own": "Cautious", "fields": {...}, "source": "..."}``
a user's own function     ``{"own": "halving", "source": "..."}``
anything else             ``{"text": repr}``, for people to read only
========================  ==========================================================

Decoding runs nothing that a file brings along. Names are looked up in one list, which
does not change when modules move; a user's own parts come from the caller, never from
the file. A part gets its own fields only, with values of their annotated types.

As text a part is ``name`` or ``name:key=value,key=value``. ``passive-aggressive``,
``PassiveAggressive`` and ``passiveaggressive`` are the same. A class in a user's own
file is ``file.py:Name``; a schedule may also be a function of the clock there. A value
is a number, or a part with its parameters in parentheses:
``delta:activation=tanh(gain=2)``.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import importlib.util
import inspect
import json
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType, NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from rosenblatt.core import AverageShift, FixedShift, Part, Schedule, starts
from rosenblatt.core.arguments import shown
from rosenblatt.schedules import Custom

FORMAT = 5  # a test asks for another number when the layout changes
Kind = TypeVar("Kind")
_KINDS = (Part, starts.Start, FixedShift, AverageShift)
# Imported by constant names: as `from rosenblatt import rules` the top package, which
# has the engines, would depend on itself.
_KIND_FOLDERS = "rules schedules teachers likelihoods motions streams machines"
_FOLDERS = {
    name: import_module(f"rosenblatt.{name}") for name in _KIND_FOLDERS.split()
} | {"starts": starts}
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_WORDS = {"none": None, "true": True, "false": False}
_FORM = re.compile(
    r"(?:(?P<file>[^=]+?\.py):)?(?P<name>[A-Za-z_][\w-]*)"
    r"(?::(?P<after>.*)|\((?P<inside>.*)\))?"
)
_PLAIN = (bool, float, int, str, NoneType, inspect.Parameter.empty)


class SpecificationError(ValueError):
    """A specification that cannot be read, in one line."""


# ---- the parts of this package and their names


@functools.cache
def parts() -> MappingProxyType[str, type]:
    """Return all public parts by name.

    Examples
    --------
    >>> parts()["rules.Perceptron"]
    <class 'rosenblatt.rules.perceptron.Perceptron'>
    >>> "subprocess.call" in parts()
    False
    """
    found: dict[str, type] = {}
    for folder, package in _FOLDERS.items():
        for name in package.__all__:
            kind = vars(package)[name]
            concrete = inspect.isclass(kind) and not inspect.isabstract(kind)
            if concrete and issubclass(kind, _KINDS):
                found[f"{folder}.{name}"] = kind
    return MappingProxyType(found)


def name_of(kind: Any) -> str | None:
    """Return the name of a class in files, or None if it is no public part.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> name_of(Perceptron), name_of(dict)
    ('rules.Perceptron', None)
    """
    return next((name for name, known in parts().items() if known is kind), None)


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of a part's fields."""
    known = get_type_hints(kind)
    return {field.name: known[field.name] for field in dataclasses.fields(kind)}


def default(field: dataclasses.Field[Any]) -> Any:
    """Return the default of a field."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


# ---- parts as plain data


def _source(thing: Any) -> dict[str, str]:
    """Return the source text of a user's part, for readers of the file."""
    try:
        return {"source": inspect.getsource(thing)}
    except (OSError, TypeError):  # typed into an interpreter, say
        return {}


def _own_name(thing: Any) -> str:
    return str(getattr(thing, "__name__", type(thing).__name__))


def encode(given: Any) -> Any:
    """Return a part, or a value that a part may hold, as plain data.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> encode(Perceptron(0.5))
    {'part': 'rules.Perceptron', 'fields': {'margin': 0.5}}
    """
    if isinstance(given, _KINDS):
        kind: Any = type(given)
        name = name_of(kind)
        if name is not None:
            inside = {field: encode(getattr(given, field)) for field in _hints(kind)}
            return {"part": name, "fields": inside}
        inside = {field: encode(entry) for field, entry in vars(given).items()}
        return {"own": _own_name(kind), "fields": inside, **_source(kind)}
    if isinstance(given, tuple | list):
        return [encode(entry) for entry in given]
    if isinstance(given, np.ndarray | np.generic):
        return given.tolist()
    if callable(given):
        return {"own": _own_name(given), **_source(given)}
    if given is None or isinstance(given, bool | int | float | str):
        return given
    return {"text": repr(given)}


def _fits(hint: Any, given: Any) -> bool:
    """Return whether a value is of the type that a field is annotated with."""
    origin, inside = get_origin(hint), get_args(hint)
    plain = isinstance(given, int | float) and not isinstance(given, bool)
    if origin in (Union, UnionType):
        return any(_fits(one, given) for one in inside)
    if origin is tuple:
        if not isinstance(given, tuple):
            return False
        kinds = inside[:1] * len(given) if inside[1:] == (...,) else inside
        return len(given) == len(kinds) and all(map(_fits, kinds, given))
    if origin is collections.abc.Callable:
        return callable(given)
    if hint in (float, int):
        return plain and (hint is float or float(given).is_integer())
    if hint is Any:  # of the parts here: a number, or a matrix of numbers
        return plain or (
            isinstance(given, tuple) and all(_fits(Any, entry) for entry in given)
        )
    return isinstance(given, NoneType if hint is None else hint)


def _check_type(name: str, field: str, hint: Any, given: Any) -> None:
    if not _fits(hint, given):
        wanted = getattr(hint, "__name__", None) or str(hint)
        raise SpecificationError(
            f"{field} of the part {name!r} must be of type {wanted}, got {shown(given)}"
        )


def _made(name: str, kind: Any, given: dict[str, Any]) -> Any:
    """Return a part, made by its own constructor, which checks ranges."""
    try:
        return kind(**given)
    except (TypeError, ValueError, ArithmeticError) as failure:
        reason = " ".join(str(failure).split())
        raise SpecificationError(
            f"the part {name!r} cannot be made: {reason}"
        ) from None


def make_part(name: Any, given: dict[str, Any]) -> Any:
    """Return a part of this package with fields of the types that it has.

    Examples
    --------
    >>> make_part("rules.Perceptron", {"margin": 0.5})
    Perceptron(margin=0.5)
    >>> make_part("rules.Perceptron", {"margin": "wide"})
    Traceback (most recent call last):
    rosenblatt.specification.codec.SpecificationError: margin of the part ...
    """
    kind = parts().get(name) if isinstance(name, str) else None
    if kind is None:
        raise SpecificationError(
            f"there is no part {shown(name)} in this version of rosenblatt"
        )
    hints = _hints(kind)
    if sorted(hints) != sorted(given):
        raise SpecificationError(
            f"the part {name!r} must have the fields {sorted(hints)}, "
            f"got {shown(sorted(given))}"
        )
    for field, hint in hints.items():
        _check_type(name, field, hint, given[field])
    return _made(name, kind, given)


def _users(name: Any, plain: dict[str, Any], own: Mapping[str, Any]) -> Any:
    """Return a user's own function, or a part made from his class."""
    if not isinstance(name, str) or name not in own:
        raise SpecificationError(
            f"the result was made with {shown(name)}, which is not in rosenblatt, and "
            f"no code is run from a file: pass it as parts={{{shown(name)}: ...}}"
        )
    if "fields" not in plain and callable(own[name]):
        return own[name]
    if "fields" in plain and inspect.isclass(own[name]):
        return _made(name, own[name], _fields(plain, own))
    kind = "class" if "fields" in plain else "function"
    raise TypeError(f"parts[{name!r}] must be a {kind}, got {own[name]!r}")


def _fields(plain: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    inside = plain["fields"]
    if not isinstance(inside, dict):
        raise SpecificationError(f"fields must be a table, got {shown(inside)}")
    return {name: decode(entry, own) for name, entry in inside.items()}


def decode(plain: Any, own: Mapping[str, Any] = _NOTHING) -> Any:
    """Return the value that :func:`encode` was given.

    Parameters
    ----------
    plain
        Plain data, perhaps from a file of somebody else.
    own
        The caller's own parts and functions, by name.

    Examples
    --------
    >>> decode({"part": "schedules.Constant", "fields": {"rate": 0.5}})
    Constant(rate=0.5)
    >>> decode({"part": "subprocess:call", "fields": {"args": "true"}})
    Traceback (most recent call last):
    SpecificationError: there is no part 'subprocess:call' ...
    """
    if isinstance(plain, list):
        return tuple(decode(entry, own) for entry in plain)
    if plain is None or isinstance(plain, bool | int | float | str):
        return plain
    if isinstance(plain, dict):
        keys = set(plain)
        if keys == {"part", "fields"}:
            return make_part(plain["part"], _fields(plain, own))
        if "own" in keys and keys <= {"own", "fields", "source"}:
            return _users(plain["own"], plain, own)
        if keys == {"text"}:
            raise SpecificationError(
                f"a part holds {shown(plain['text'])}, which cannot be stored"
            )
    raise SpecificationError(f"unknown entry {shown(plain)}")


def replace(part: Any, path: str, given: Any) -> Any:
    """Return a part with another value of one of its fields, or of a part inside it.

    A text is read as in a command, but never from a user's file.

    Examples
    --------
    >>> from rosenblatt.rules import Delta, Perceptron, Tanh
    >>> replace(Delta(Tanh()), "activation.gain", 2.0)
    Delta(activation=Tanh(gain=2.0))
    >>> replace(Delta(Tanh()), "activation", "erf")
    Delta(activation=Erf())
    >>> replace(Perceptron(), "margin", [])
    Traceback (most recent call last):
    SpecificationError: margin of the part 'Perceptron' must be of type float, got []
    """
    kind: Any = type(part)
    first, _, rest = path.partition(".")
    name = kind.__name__
    hints = _hints(kind) if hasattr(kind, "__dataclass_fields__") else {}
    if first not in hints:
        raise SpecificationError(
            f"{kebab(name)} has no parameter {first!r}; {possible(hints)}"
        )
    if rest:
        given = replace(getattr(part, first), rest, given)
    elif isinstance(given, str) and hints[first] is not str:
        given = _value(first, hints[first], given, files=False)
    _check_type(name, first, hints[first], given)
    return _made(
        name,
        functools.partial(dataclasses.replace, part),
        {first: given},
    )


# ---- specifications of results


def describe(task: str, **given: Any) -> dict[str, Any]:
    """Return the name of a function and its arguments as plain data.

    Examples
    --------
    >>> describe("solve", alpha=2) == {"format": FORMAT, "task": "solve", "alpha": 2}
    True
    """
    plain = {name: encode(entry) for name, entry in given.items()}
    return {"format": FORMAT, "task": task} | plain


def rebuild(text: Any, own: Mapping[str, Any] = _NOTHING) -> dict[str, Any]:
    """Return a function's name and arguments from the specification in a file.

    Parameters
    ----------
    text
        The specification in a file's attribute.
    own
        The user's own parts and functions by name.

    Examples
    --------
    >>> rebuild(json.dumps({"format": FORMAT, "dim": 3}))
    {'dim': 3}
    >>> rebuild('{"format": 0}')
    Traceback (most recent call last):
    SpecificationError: the specification has format 0; ...
    """
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise SpecificationError(
            f"the specification must be a table in JSON, got {shown(text)}"
        )
    version = found.pop("format", None)
    if isinstance(version, bool) or version != FORMAT:
        raise SpecificationError(
            f"the specification has format {shown(version)}; this version of "
            f"rosenblatt reads {FORMAT}"
        )
    try:
        return {name: decode(entry, own) for name, entry in found.items()}
    except RecursionError:
        raise SpecificationError(
            "the specification has parts in parts too deep"
        ) from None


# ---- parts as text


def kebab(name: str) -> str:
    """Return the name of a class as it is written on a command line.

    Examples
    --------
    >>> kebab("PassiveAggressive")
    'passive-aggressive'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def possible(known: Iterable[str]) -> str:
    """Return the end of an error message: the possible names."""
    return f"possible: {', '.join(known) or 'none'}"


def names(*kinds: type) -> list[str]:
    """Return the command-line names of the classes of some kinds.

    Examples
    --------
    >>> from rosenblatt.core import Teacher
    >>> names(Teacher)[-1]
    'sign'
    """
    found = (kind for kind in parts().values() if issubclass(kind, kinds))
    return [kebab(kind.__name__) for kind in found]


def number(name: str, text: str) -> float:
    """Return a number.

    Examples
    --------
    >>> number("rate", "fast")
    Traceback (most recent call last):
    ValueError: rate must be a number, got 'fast'
    """
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name} must be a number, got {text!r}") from None


def whole(name: str, text: str) -> int:
    """Return a whole number, which may be written like 1e6.

    Examples
    --------
    >>> whole("dim", "1e6")
    1000000
    """
    try:
        return int(text)  # exact, however many digits there are
    except ValueError:
        result = number(name, text)
    if not result.is_integer():
        raise ValueError(f"{name} must be a whole number, got {text!r}")
    return int(result)


def split(text: str) -> list[str]:
    """Split at commas outside parentheses.

    Examples
    --------
    >>> split("margin=1, by=fixed-shift(mean=1,teacher=2)")
    ['margin=1', 'by=fixed-shift(mean=1,teacher=2)']
    """
    pieces, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return [piece.strip() for piece in pieces] if text.strip() else []


def _value(name: str, hint: Any, text: str, files: bool) -> Any:
    """Return the value of a parameter that is annotated like this."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if get_origin(kinds[0]) is tuple:
        inside = split(text.removeprefix("(").removesuffix(")"))
        kind = get_args(kinds[0])[0]
        return tuple(_value(name, kind, piece, files) for piece in inside)
    if get_origin(kinds[0]) is collections.abc.Callable:
        form = _FORM.fullmatch(text)
        if form is None or form["file"] is None:
            raise ValueError(f"{name} must be file.py:function, got {text!r}")
        _refuse(name, form["file"], files)
        return function(form["file"], form["name"])
    inner = tuple(k for k in kinds if inspect.isclass(k) and k not in _PLAIN)
    if inner:
        return _part(name, inner, text, files)
    word = text.lower()
    if word in _WORDS and type(_WORDS[word]) in kinds:
        return _WORDS[word]
    if float in kinds:
        return number(name, text)
    if int in kinds:
        return whole(name, text)
    if str in kinds:
        return text
    if bool in kinds:
        raise ValueError(f"{name} must be true or false, got {text!r}")
    try:
        return number(name, text)
    except ValueError:
        return text  # of a parameter without a type


def _arguments(
    what: str, made: Callable[..., Any], text: str, files: bool
) -> dict[str, Any]:
    """Return the parameters that the text gives, by name."""
    known = inspect.signature(made).parameters
    try:  # of each class as its own module reads them; others are no dataclasses
        source = made if dataclasses.is_dataclass(made) else made.__init__
        hints = get_type_hints(source)
    except NameError:  # annotations that only type checkers can read
        hints = {}
    given: dict[str, Any] = {}
    for piece in split(text):
        key, equals, written = (side.strip() for side in piece.partition("="))
        key = key.replace("-", "_")
        if key in given:
            raise ValueError(f"{what} is given {key} twice")
        if key not in known or not equals:
            raise ValueError(f"{what} has no parameter {piece!r}; {possible(known)}")
        hint = hints.get(key, inspect.Parameter.empty)
        given[key] = _value(key, hint, written, files)
    for key, parameter in known.items():
        if key not in given and parameter.default is inspect.Parameter.empty:
            raise ValueError(f"{what} needs {key}=...; {possible(known)}")
    return given


def _refuse(what: str, file: str | None, files: bool) -> None:
    """Raise ValueError for a name in a user's file, where these are not allowed."""
    if file is not None and not files:
        raise ValueError(f"{what} must be one of rosenblatt here, got one in {file!r}")


def _part(what: str, kinds: tuple[type, ...], text: str, files: bool) -> Any:
    """Parse a part of one of these kinds."""
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise ValueError(f"{what} must be name or name:key=value,..., got {text!r}")
    _refuse(what, form["file"], files)
    made = maker(what, kinds, form["file"], form["name"])
    written = form["after"] or form["inside"] or ""
    full = f"{what} {form['name']}"
    if not inspect.isclass(made):
        if written:
            raise ValueError(f"{full} is a function and has no parameters")
        return Custom(made)
    arguments = _arguments(full, made, written, files)
    try:
        return made(**arguments)
    except (ValueError, TypeError) as failure:
        raise ValueError(f"{full}: {failure}") from failure


def parse(
    kind: Callable[..., Kind], text: str, *others: type, files: bool = True
) -> Kind:
    """Return the part that a text describes, of this kind or of one of the others.

    A file that the text names is run. With ``files=False`` such a text is refused, so
    texts of strangers are safe.

    Examples
    --------
    >>> from rosenblatt.core import Rule, Teacher
    >>> parse(Rule, "passive-aggressive:margin=2")
    PassiveAggressive(margin=2.0, aggressiveness=inf)
    >>> parse(Rule, "delta:activation=tanh(gain=2)")
    Delta(activation=Tanh(gain=2.0))
    >>> parse(Teacher, "oracle")
    Traceback (most recent call last):
    ValueError: there is no teacher 'oracle'; possible: sign
    >>> parse(Rule, "mine.py:Rule", files=False)
    Traceback (most recent call last):
    ValueError: rule must not be in a file here, got one in 'mine.py'
    """
    assert isinstance(kind, type)  # Callable only because base classes are abstract
    part: Kind = _part(kind.__name__.lower(), (kind, *others), text, files)
    return part


def _written(given: Any) -> str:
    if given is None or isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int | float):
        return repr(given).removesuffix(".0")
    if isinstance(given, str):
        return given
    if isinstance(given, tuple):
        return f"({','.join(map(_written, given))})"
    name, _, inside = spell(given).partition(":")
    return f"{name}({inside})" if inside else name


def spell(part: Any) -> str:
    """Return the text of a part; parameters at their default are left out.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> spell(rb.rules.PassiveAggressive(margin=2))
    'passive-aggressive:margin=2'
    >>> spell(rb.rules.Delta(rb.rules.Tanh(gain=0.1)))
    'delta:activation=tanh(gain=0.1)'
    """
    given = [
        f"{field.name}={_written(getattr(part, field.name))}"
        for field in dataclasses.fields(part)
        if getattr(part, field.name) != default(field)
    ]
    name = kebab(type(part).__name__)
    return f"{name}:{','.join(given)}" if given else name


# ---- users' own files, which commands may name


def _own(what: str, fits: Callable[[Any], bool], file: str, name: str) -> Any:
    """Return the object of this name in a user's file."""
    module = load(file)
    inside = {key: found for key, found in vars(module).items() if fits(found)}
    if name not in inside:
        here = [k for k, v in inside.items() if v.__module__ == module.__name__]
        raise ValueError(f"{file} has no {what} {name!r}; {possible(here)}")
    return inside[name]


def function(file: str, name: str) -> Callable[..., Any]:
    """Return a function of a user's file."""
    found: Callable[..., Any] = _own("function", inspect.isfunction, file, name)
    return found


def maker(
    what: str, kinds: tuple[type, ...], file: str | None, name: str
) -> Callable[..., Any]:
    """Return the class of this name; from a file also a function of the clock.

    Examples
    --------
    >>> maker("schedule", (Schedule,), None, "per-mistake")
    <class 'rosenblatt.schedules.per_mistake.PerMistake'>
    """
    if file is not None:
        timed = Schedule in kinds

        def fits(found: object) -> bool:
            if inspect.isclass(found):
                return issubclass(found, kinds) and found not in kinds
            return timed and inspect.isfunction(found)

        made: Callable[..., Any] = _own(what, fits, file, name)
        return made
    bare = re.sub("[-_]", "", name).lower()
    for kind in parts().values():
        if issubclass(kind, kinds) and kind.__name__.lower() == bare:
            return kind
    raise ValueError(f"there is no {what} {name!r}; {possible(names(*kinds))}")


def _line(failure: Exception, path: Path) -> str:
    """Return the line of the file that raised the error."""
    if isinstance(failure, SyntaxError):
        return f"line {failure.lineno}: {failure.msg}"
    frames = traceback.extract_tb(failure.__traceback__)
    lines = [f"line {f.lineno}: " for f in frames if f.filename == str(path)]
    what = " ".join(f"{type(failure).__name__}: {failure}".split())
    return "".join(lines[-1:]) + what


def load(file: str) -> ModuleType:
    """Run a file once and return it as a module; its folder becomes importable.

    Examples
    --------
    >>> load("nowhere.py")
    Traceback (most recent call last):
    ValueError: there is no file 'nowhere.py'
    """
    path = Path(file).expanduser().resolve()
    name = path.stem
    if not path.is_file():
        raise ValueError(f"there is no file {file!r}")
    known = sys.modules.get(name)
    if known is not None:
        if getattr(known, "__file__", None) == str(path):
            return known
        raise ValueError(f"{file} must be renamed: {name!r} is another module already")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)  # where Python puts the folder of a script
    sys.modules[name] = module  # dataclasses look their module up while it runs
    try:
        spec.loader.exec_module(module)
    except Exception as failure:
        del sys.modules[name]
        raise ValueError(
            f"{file} cannot be loaded: {_line(failure, path)}"
        ) from failure
    return module
