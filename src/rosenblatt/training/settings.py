"""Settings of a training run: all that its result depends on."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from rosenblatt.core.arguments import whole
from rosenblatt.tables import CATEGORIES, FORMATS, STANDARD

__all__ = ["Settings", "check_on_error", "check_same", "check_save_path", "fingerprint"]

_ERRORS = ("stop", "skip")
_LISTS = ("classes", "numeric", "categorical", "ignore", "missing")
_HEAD = 2**16  # bytes from the start of a file by which it is known again


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
        Of the model ``perceptron``, as on the command line of ``simulate``.
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
    numeric, categorical, ignore
        Columns that are numbers, categories, or left out, whatever they look like.
    missing
        Words that stand for a missing value besides nothing at all; ``"nan"`` is also
        the number.
    categories
        ``"one-hot"``: each value in the first batch is a feature, and all others
        together one more. ``"hash"``: hashed. ``"auto"``: hashed if a column has more
        than 64 values in the first batch.
    hash_bits
        The logarithm to base 2 of the number of columns for hashed values.
    standardise
        Whether columns are standardised by the first batch; by default for the model
        perceptron. The Bayesian models do this by themselves, as the rows come.
    passes
        How many times to go through the files; perceptron only.
    batch_rows
        Rows of a batch; by default 8192, fewer for more than 128 columns.
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
    missing: tuple[str, ...] = ()
    categories: str = "auto"
    hash_bits: int = 16
    standardise: bool | None = None
    passes: int = 1
    batch_rows: int | None = None

    def __post_init__(self) -> None:
        if not self.files:
            raise ValueError("files must name one file or more, got none")
        if STANDARD in self.files and len(self.files) > 1:
            raise ValueError("files must be others, or standard input alone")
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
        if not 1 <= whole("hash_bits", self.hash_bits, low=1) <= 28:
            raise ValueError(f"hash_bits must be from 1 to 28, got {self.hash_bits}")
        if self.batch_rows is not None:
            whole("batch_rows", self.batch_rows, low=1)
        if self.features is not None:
            whole("features", self.features, low=1)
        name = self.model.partition(":")[0]
        if self.passes > 1 and name != "perceptron":
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

    @classmethod
    def of(
        cls,
        files: Sequence[str | os.PathLike[str]],
        target: str,
        settings: dict[str, Any],
    ) -> Self:
        """Return settings from the arguments of a user."""
        plain = dict(settings)
        for key in _LISTS:
            if plain.get(key) is not None:
                plain[key] = tuple(map(str, plain[key]))
        names = tuple(os.fspath(name) for name in files)
        return cls(files=names, target=str(target), **plain)

    @property
    def new_classes(self) -> bool:
        """True if labels may come that are not known when learning begins."""
        name = self.model.partition(":")[0]
        linear = name == "perceptron" or name.startswith("bayes")
        return linear and self.classes is None and self.files == (STANDARD,)

    @property
    def standardised(self) -> bool:
        """True if columns are standardised before the model sees them."""
        if self.standardise is not None:
            return self.standardise
        return self.model.partition(":")[0] == "perceptron"

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


def check_same(given: Settings, before: dict[str, Any]) -> None:
    """Raise ValueError if a run is resumed with other settings."""
    for key, value in given.as_dict().items():
        if value != before.get(key):
            raise ValueError(
                f"{key} must be as it was to resume, {before.get(key)!r}, got {value!r}"
            )


def fingerprint(files: Sequence[str]) -> list[list[Any] | None]:
    """Return size and digest of the first bytes of each file."""
    found: list[list[Any] | None] = []
    for name in files:
        if name == STANDARD:
            found.append(None)
            continue
        path = Path(name)
        if not path.is_file():
            raise ValueError(f"there is no file {name!r}")
        with path.open("rb") as file:
            start = hashlib.blake2b(file.read(_HEAD), digest_size=16).hexdigest()
        found.append([path.stat().st_size, start])
    return found
