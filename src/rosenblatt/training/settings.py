"""Settings of a training run: all that its result depends on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from rosenblatt.core.arguments import whole
from rosenblatt.tables import CATEGORIES, FORMATS, GAPS, ROLES, STANDARD, format_of
from rosenblatt.training.evaluation.decisions import check_decisions

__all__ = ["Settings", "check_on_error", "check_save_path"]

_ERRORS = ("stop", "skip")
_COLUMNS = ("numeric", "categorical", "dates", "text", "ignore")
_LISTS = ("classes", *_COLUMNS, "missing", "costs")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that the result of a training run depends on.

    Parameters
    ----------
    files
        Files to learn from, one after the other; ``"-"`` is standard input.
    target
        The column of labels; in a table without names its number, from 0, or -1 for
        the last.
    model
        One of :data:`MODELS`, with parameters as in ``bayes:half_life=1000``.
    rule, schedule
        Parts of the model ``perceptron``, as on the command line of ``simulate``.
    format
        One of csv, tsv, parquet, arrow, svmlight, npy; by default by the file's name.
    header
        Whether CSV and TSV begin with the names of the columns.
    features
        The number of columns of svmlight, one more than the largest index; needed for
        standard input.
    classes
        All labels that will ever come. By default those in the files, which are read
        once to find them; of standard input those in the first batch.
    delimiter
        The character between fields of CSV and TSV.
    numeric, categorical, dates, text, ignore
        Columns that are numbers, categories, dates, text of several words, or left out,
        whatever they look like.
    id
        A column that names rows. It is left out, and predictions begin with it.
    weight
        A column of whole numbers: how often each row counts.
    missing
        Words that stand for a missing value besides nothing at all; ``"nan"`` is also
        the number.
    categories
        ``"one-hot"``: each value in the first batch is a feature, and all others
        together one more. ``"hash"``: hashed. ``"auto"``: columns of more than 128
        values are hashed.
    hash_bits
        The logarithm to base 2 of the number of columns for hashed values. By default
        it is 10 to 18, from the number of values in the first batch.
    standardise
        Whether columns are standardised by the first batch; by default for the model
        perceptron, and for hashed tables. The Bayesian models standardise dense rows by
        themselves, as the rows come.
    holdout
        Share of the rows to evaluate the finished model on; it does not learn them.
        They are spread over the files.
    holdout_last
        The same, with rows at the end of the files.
    threshold
        Probability from which on the second of two classes is predicted.
    costs
        Costs of a mistake on a row of a class, ``"yes=5"``; 1 for other classes. The
        prediction is the class of the least expected cost.
    passes
        How many times to go through the files; perceptron only.
    batch_rows
        Rows of a batch; by default 8192, fewer for more than 128 columns.
    start
        Digest of the model file that learning started from; None: from nothing.
    """

    files: tuple[str, ...]
    target: str
    model: str = "bayes"
    rule: str | None = None
    schedule: str | None = None
    format: str | None = None
    header: bool = True
    features: int | None = None
    classes: tuple[str, ...] | None = None
    numeric: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    id: str | None = None
    weight: str | None = None
    missing: tuple[str, ...] = GAPS
    delimiter: str | None = None
    categories: str = "auto"
    hash_bits: int | None = None
    standardise: bool | None = None
    passes: int = 1
    batch_rows: int | None = None
    holdout: float | None = None
    holdout_last: float | None = None
    threshold: float | None = None
    costs: tuple[str, ...] = ()
    start: str | None = None

    def __post_init__(self) -> None:
        if not self.files:
            raise ValueError("files must name one file or more, got none")
        if STANDARD in self.files and len(self.files) > 1:
            raise ValueError("files must be files only, or standard input alone")
        if self.format is not None and self.format not in FORMATS:
            raise ValueError(
                f"format must be one of {', '.join(FORMATS)}, got {self.format!r}"
            )
        if self.categories not in CATEGORIES:
            raise ValueError(
                f"categories must be one of {', '.join(CATEGORIES)}, "
                f"got {self.categories!r}"
            )
        whole("passes", self.passes, low=1)
        bits = (
            1 if self.hash_bits is None else whole("hash_bits", self.hash_bits, low=1)
        )
        if not 1 <= bits <= 28:
            raise ValueError(f"hash_bits must be from 1 to 28, got {self.hash_bits}")
        if self.delimiter is not None and len(self.delimiter.encode()) != 1:
            raise ValueError(
                f"delimiter must be one ASCII character, got {self.delimiter!r}"
            )
        self._check_holdout()
        if self.decides:
            check_decisions(self.threshold, self.costs)
        self._check_formats()
        if self.batch_rows is not None:
            whole("batch_rows", self.batch_rows, low=1)
        if self.features is not None:
            whole("features", self.features, low=1)
        if self.passes > 1 and self.model_name != "perceptron":
            raise ValueError(
                "passes must be 1 but for the model perceptron: others count every row "
                f"as new evidence, got {self.passes}"
            )
        if self.passes > 1 and self.files == (STANDARD,):
            raise ValueError("passes must be 1 for standard input, which ends")
        if self.classes is not None and len(set(self.classes)) < 2:
            raise ValueError(
                f"classes must be two different labels or more, got {self.classes}"
            )

    @property
    def model_name(self) -> str:
        """Name of the model, without its parameters."""
        return self.model.partition(":")[0]

    @property
    def holds_out(self) -> bool:
        """True if some rows are not learned, to evaluate the finished model on them."""
        return self.holdout is not None or self.holdout_last is not None

    @property
    def decides(self) -> bool:
        """True if a threshold or costs decide, instead of the largest probability."""
        return self.threshold is not None or bool(self.costs)

    def _check_holdout(self) -> None:
        """Raise ValueError if the rows to hold out cannot be found."""
        given = [self.holdout, self.holdout_last]
        for share in given:
            if share is not None and not 0.0 < share < 1.0:
                raise ValueError(f"holdout must be between 0 and 1, got {share}")
        if None not in given:
            raise ValueError(
                f"holdout must not be given with holdout_last, got {given}"
            )
        if given != [None, None] and self.files == (STANDARD,):
            raise ValueError(
                "holdout needs files, which are read again; standard input ends"
            )

    def _check_formats(self) -> None:
        """Raise ValueError for an option that has no meaning for the files."""
        for file in self.files:
            found = self.format or format_of(file)
            text, sparse = found in ("csv", "tsv"), found == "svmlight"
            unused = [*self.roles.values(), *(["hash_bits"] if self.hash_bits else [])]
            for option, given, possible in (
                ("delimiter", self.delimiter, text),
                ("features", self.features, sparse),
                (next(iter(unused), ""), unused, not sparse),
            ):
                if given and not possible:
                    raise ValueError(
                        f"{option} must not be given for {found} files, got {file!r}"
                    )

    @property
    def roles(self) -> dict[str, str]:
        """Roles of columns by name, as far as they were given."""
        found: dict[str, str] = {}
        for role in ROLES:
            value = getattr(self, role)
            names = [value] if isinstance(value, str) else value or ()
            for name in names:
                if found.setdefault(name, role) != role:
                    raise ValueError(
                        f"column {name!r} must be in one list, got it in "
                        f"{found[name]} and {role}"
                    )
        return found

    @classmethod
    def of(
        cls,
        files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        target: str | None,
        settings: dict[str, Any],
    ) -> Self:
        """Return settings from the arguments of a user."""
        if target is None:
            raise ValueError("target must name the column of labels, got none")
        plain = dict(settings)
        for key in _LISTS:
            if plain.get(key) is not None:
                plain[key] = tuple(map(str, plain[key]))
        given = [files] if isinstance(files, str | os.PathLike) else files
        if not isinstance(given, Sequence):
            raise TypeError(
                "files must be a path or a list of paths, got "
                f"{type(files).__name__}; estimators learn tables in memory"
            )
        names = tuple(os.fspath(name) for name in given)
        return cls(files=names, target=str(target), **plain)

    @property
    def new_classes(self) -> bool:
        """True if labels may come that are not known when learning begins.

        Those of files are collected before, unless a model goes on with other files.
        """
        name = self.model_name
        linear = name == "perceptron" or name.startswith("bayes")
        unread = self.files == (STANDARD,) or self.start is not None
        return linear and self.classes is None and unread

    @property
    def standardised(self) -> bool | None:
        """True if columns are standardised before learning; None if sparse ones are."""
        if self.standardise is not None:
            return self.standardise
        return True if self.model_name == "perceptron" else None

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values."""
        return {
            k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()
        }


def check_on_error(on_error: str) -> None:
    """Raise ValueError for an unknown value of on_error."""
    if on_error not in _ERRORS:
        raise ValueError(
            f"on_error must be one of {', '.join(_ERRORS)}, got {on_error!r}"
        )


def check_save_path(save: str | os.PathLike[str] | None) -> Path | None:
    """Return the path of a model; raise ValueError if it cannot be written."""
    where = None if save is None else Path(save)
    if where is not None and not where.parent.is_dir():
        raise ValueError(
            f"save must be a file in an existing folder, got {str(where)!r}"
        )
    return where
