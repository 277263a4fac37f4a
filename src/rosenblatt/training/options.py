"""Options of a training run, which determine its result; models by name."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core import Part, Rule, Schedule
from rosenblatt.core.arguments import whole
from rosenblatt.estimators import (
    BayesPerceptron,
    BayesRegressor,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
    OnlinePerceptron,
)
from rosenblatt.estimators.base import checked_parameters
from rosenblatt.specification.codec import parse, split
from rosenblatt.tables.reading import FORMATS, GAPS, ROLES, STANDARD, format_of

# Models by name: estimator, parameters, and when to take it.
MODELS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "bayes": (BayesPerceptron, {}, "the default, also for numbers: nothing to tune"),
    "bayes-full": (
        BayesPerceptron,
        {"covariance": "full"},
        "one filter with all correlations; slow above 500 features",
    ),
    "bayes-diagonal": (
        BayesPerceptron,
        {"covariance": "diagonal"},
        "one filter without correlations; fastest for many features",
    ),
    "bayes-spherical": (
        BayesPerceptron,
        {"covariance": "spherical"},
        "one filter with one variance for all weights; for research",
    ),
    "perceptron": (OnlinePerceptron, {}, "with --rule and --schedule"),
    "clipped-hebb": (ClippedHebb, {}, "weights +1, -1 by counting; two levels"),
    "binary-perceptron": (BinaryPerceptron, {}, "weights -1, 0, +1; two levels"),
    "binary-bayes": (BinaryBayesPerceptron, {}, "beliefs of +1, -1; two levels"),
}
# Options that a run which continues a model does not take from it.
_OWN = {"files", "format", "header", "delimiter", "batch_rows", "piece_rows"}
_OWN |= {"holdout", "holdout_last", "costs", "start"}
_LEVELS = 20  # whole numbers in a target of classes, at most
_OF_FIT = ("max_iter", "shuffle", "warm_start")  # files are learned by partial_fit
_WORDS = {"none": None, "true": True, "false": False}


def make(
    text: str,
    rule: str | None = None,
    schedule: str | None = None,
    task: str | None = None,
) -> Any:
    """Return the model that a text describes, ``name`` or ``name:key=value,...``.

    Examples
    --------
    >>> make("bayes:half_life=1000")
    BayesPerceptron(half_life=1000.0)
    >>> make("bayes", task="regress")
    BayesRegressor()
    >>> make("perceptron", rule="passive-aggressive").rule
    PassiveAggressive(margin=1.0, aggressiveness=inf)
    >>> make("forest")
    Traceback (most recent call last):
    ValueError: model must be one of bayes, ..., binary-bayes, got 'forest'
    """
    name, _, after = text.partition(":")
    if name not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}, got {name!r}")
    kind, given, _ = MODELS[name]
    if task == "regress":
        kind = BayesRegressor
    given = dict(given)
    known = [key for key in kind().get_params() if key not in _OF_FIT]
    for piece in split(after) if after else ():
        key, equals, written = (side.strip() for side in piece.partition("="))
        key = key.replace("-", "_")
        if not equals or key not in known or key in given:
            raise ValueError(
                f"model {name} has no parameter {piece!r}; possible: "
                f"{', '.join(k for k in known if k not in given)}"
            )
        given[key] = _value(written)
    for option, wanted, part in (
        ("rule", rule, Rule),
        ("schedule", schedule, Schedule),
    ):
        if wanted is not None:
            if kind is not OnlinePerceptron:
                raise ValueError(f"{option} goes with the model perceptron only")
            given[option] = parse(part, wanted)
    model = kind(**given)
    checked_parameters(model)
    return model


def _value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return float(text)
    except ValueError:
        return text


def parts_of(model: Any) -> dict[str, Any]:
    """Return rules, schedules and functions of a model, as its file asks for them.

    Examples
    --------
    >>> parts_of(make("perceptron", "adatron", "power"))
    {'Power': <class '...Power'>, 'AdaTron': <class '...AdaTron'>}
    """
    found: dict[str, Any] = {}
    left = list(model.get_params(deep=False).values())
    while left:
        part = left.pop()
        if inspect.isfunction(part):
            found[part.__name__] = part
        elif isinstance(part, Part):
            found[type(part).__name__] = type(part)
            left += vars(part).values()  # parts may be made of others
    return found


@dataclass(frozen=True, kw_only=True)
class Options:
    """All that the result of a training run depends on, besides the rows.

    Parameters
    ----------
    files
        Files to learn from, one after the other; ``"-"`` is standard input. A table in
        memory has no files.
    target
        The column of labels or numbers; in a table without names its number, from 0.
    task
        ``"classify"`` or ``"regress"``; by default what the target looks like.
    model
        One of ``MODELS``, with parameters as in ``bayes:half_life=1000``.
    rule, schedule
        Parts of the model ``perceptron``, as on the command line of ``simulate``.
    columns
        Roles of columns by name, for columns that are not what they look like:
        ``target``; ``weight``, how often each row counts, perhaps a fraction; ``id``,
        names of rows, left out; ``ignore``; ``number``; ``category``; ``one-hot`` or
        ``hash``, a category encoded like that; ``date``; ``text`` of several words.
    classes
        All labels that will ever come. By default the first batch has those of models
        with binary weights; for other models a new label becomes a class.
    costs
        Cost of a mistake on a row of each class; 1 for other classes. The prediction is
        the class of the least expected cost.
    missing
        Words that stand for a missing value besides nothing at all; ``"nan"`` is also
        the number.
    holdout, holdout_last
        Share of the rows to evaluate the finished model on, which does not learn them:
        spread over the files, or at their end.
    format, header, delimiter
        One of csv, tsv, parquet, arrow, svmlight, by default by the file's name;
        whether CSV and TSV begin with the names of the columns; the character between
        their fields.
    batch_rows
        Rows of a batch; by default 8192, fewer for more than 128 columns.
    piece_rows
        Least number of rows of a piece of a Parquet file; None if the files are not
        learned in pieces.
    start
        Digest of the model file that learning started from; None: from nothing.
    """

    files: tuple[str, ...]
    target: str
    task: str | None = None
    model: str = "bayes"
    rule: str | None = None
    schedule: str | None = None
    columns: dict[str, str] = field(default_factory=dict)
    classes: tuple[str, ...] | None = None
    costs: dict[str, float] = field(default_factory=dict)
    missing: tuple[str, ...] = GAPS
    holdout: float | None = None
    holdout_last: float | None = None
    format: str | None = None
    header: bool = True
    delimiter: str | None = None
    batch_rows: int | None = None
    piece_rows: int | None = None
    start: str | None = None

    def __post_init__(self) -> None:
        once, mark, formats = STANDARD in self.files, self.delimiter, FORMATS
        shares = [s for s in (self.holdout, self.holdout_last) if s is not None]
        roles = sorted({*self.columns.values()}.difference(ROLES))
        small = [label for label, cost in self.costs.items() if not cost > 0]
        for name in ("batch_rows", "piece_rows"):
            if getattr(self, name) is not None:
                whole(name, getattr(self, name), low=1)

        def check(fine: Any, message: str) -> None:
            if not fine:
                raise ValueError(message)

        check(
            not once or len(self.files) == 1,
            "files must be either files or standard input, not both",
        )
        check(
            self.format in (None, *formats),
            f"format must be one of {', '.join(formats)}, got {self.format!r}",
        )
        found = {self.format or format_of(file) for file in self.files}
        check(
            self.task in (None, "classify", "regress"),
            f"task must be one of classify, regress, got {self.task!r}",
        )
        check(
            self.task != "regress" or self._takes_numbers,
            "task must be classify for classes, costs and models other than bayes, got "
            "'regress'",
        )
        check(
            not roles,
            f"columns must have roles among target, {', '.join(ROLES)}, got {roles}",
        )
        check(
            self.target not in self.columns,
            f"{self.columns.get(self.target)} must not have the target, "
            f"{self.target!r}",
        )
        check(
            not self.columns or "svmlight" not in found,
            "columns must not be given for svmlight files",
        )
        check(
            mark is None or len(mark.encode()) == 1,
            f"delimiter must be one ASCII character, got {mark!r}",
        )
        check(
            mark is None or found <= {"csv", "tsv"},
            f"delimiter must be for csv and tsv files only, got {sorted(found)}",
        )
        check(not small, f"costs must be LABEL=NUMBER with 0 < NUMBER, got {small}")
        check(
            self.classes is None or len(set(self.classes)) > 1,
            f"classes must be two different labels or more, got {self.classes}",
        )
        check(
            len(shares) < 2,
            f"holdout must not be given with holdout_last, got {shares}",
        )
        check(
            all(0.0 < share < 1.0 for share in shares),
            f"holdout must be between 0 and 1, got {shares[:1]}",
        )
        check(
            not shares or not once,
            "holdout needs rows that can be read again, got standard input or an "
            "iterator",
        )

    @property
    def model_name(self) -> str:
        """Name of the model, without its parameters."""
        return self.model.partition(":")[0]

    @property
    def _takes_numbers(self) -> bool:
        """True if nothing says that the target has classes."""
        return self.model_name == "bayes" and not (self.classes or self.costs)

    def task_of(self, targets: npt.NDArray[np.float64]) -> str:
        """Return the task, by the numbers in the first batch; NaN are none.

        Examples
        --------
        >>> given, nan = Options(files=(), target="y"), float("nan")
        >>> [given.task_of(np.array([1.0, 2.0, y, nan])) for y in (3.0, 3.5)]
        ['classify', 'regress']
        """
        if self.task is not None:
            return self.task
        found = np.unique(targets[np.isfinite(targets)])
        levels = _LEVELS if np.all(found == np.rint(found)) else 2
        numbers = self._takes_numbers and len(found) > levels
        return "regress" if numbers else "classify"

    @property
    def weight(self) -> str | None:
        """The column of weights."""
        return next((n for n, role in self.columns.items() if role == "weight"), None)

    @property
    def open(self) -> bool:
        """True if new labels become classes when they first appear."""
        linear = self.model_name == "perceptron" or self.model_name.startswith("bayes")
        return linear and self.classes is None and self.piece_rows is None


def options_of(
    files: Sequence[str | os.PathLike[str]],
    target: str | None,
    given: dict[str, Any],
    before: Options | None = None,
) -> Options:
    """Return options from the arguments of a user.

    Parameters
    ----------
    files, target, given
        Arguments of ``train``; a pattern stands for the files that it matches, a folder
        for all its files.
    before
        Options of the model to continue, if there is one.

    Examples
    --------
    >>> before = options_of(["mo.csv"], "y", {"columns": {"id": "ignore"}})
    >>> options_of(["tu.csv"], None, {}, before).columns
    {'id': 'ignore'}
    >>> options_of(["tu.csv"], None, {"model": "clipped-hebb"}, before)
    Traceback (most recent call last):
    ValueError: model is 'bayes' in the model to continue, and cannot become ...
    """
    plain = dict(given)
    for name in ("classes", "missing"):
        if plain.get(name) is not None:
            plain[name] = tuple(map(str, plain[name]))
    costs = plain.get("costs") or {}
    plain["costs"] = {str(label): float(cost) for label, cost in costs.items()}
    columns = {str(name): role for name, role in (plain.get("columns") or {}).items()}
    named = {name for name, role in columns.items() if role == "target"}
    named |= set() if target is None else {str(target)}
    if len(named) > 1:
        raise ValueError(f"target must be one column, got {', '.join(sorted(named))}")
    plain["columns"] = {n: role for n, role in columns.items() if role != "target"}
    plain["files"] = tuple(expanded for file in files for expanded in _expanded(file))
    if named:
        plain["target"] = named.pop()
    elif before is None:
        raise ValueError("target must name the column of labels, got none")
    for key, known in ({} if before is None else vars(before)).items():
        if key in _OWN:
            continue
        if plain.get(key) and plain[key] != known:
            raise ValueError(
                f"{key} is {known!r} in the model to continue, and cannot become "
                f"{plain[key]!r}"
            )
        plain[key] = known
    return Options(**plain)


def _expanded(file: str | os.PathLike[str]) -> list[str]:
    """Return the files of a folder, or those that a pattern matches."""
    name = os.fspath(file)
    if Path(name).is_dir():
        return sorted(str(path) for path in Path(name).iterdir() if path.is_file())
    if not Path(name).exists() and any(mark in name for mark in "*?["):
        return sorted(glob(name)) or [name]
    return [name]


def check_same(given: Options, before: Options, path: Path) -> None:
    """Raise ValueError if a run is resumed from a path with other options.

    Examples
    --------
    >>> monday = Options(files=("mo.csv",), target="y")
    >>> check_same(Options(files=("tu.csv",), target="y"), monday, Path("m"))
    Traceback (most recent call last):
    ValueError: cannot resume from m: files must be ('mo.csv',) as before, ...
    """
    for key, known in vars(before).items():
        value = getattr(given, key)
        if value == known or (key == "task" and value is None):
            continue
        if key == "start":
            raise ValueError(f"cannot resume from {path}: it continues another model")
        raise ValueError(
            f"cannot resume from {path}: {key} must be {known!r} as before, got "
            f"{value!r}; give the same options, or --continue to learn more files"
        )


def check_on_error(on_error: str) -> None:
    """Raise ValueError for an unknown value of on_error."""
    if on_error not in ("stop", "skip"):
        raise ValueError(f"on_error must be one of stop, skip, got {on_error!r}")
