"""All public names with their signatures: ``python -m tests.public_names`` stores them.

Public names are those that ``rosenblatt`` and its folders list in ``__all__``, and the
methods of these classes that this package defines. Methods of ``core``, which engines
call, are not public. ``docs/maintaining.md`` names the folders that are not public. The
changelog is stored beside the list, so that a change of a name can be asked for a line
that is new.
"""

import inspect
import re
from pathlib import Path

import rosenblatt as rb

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"
STORED = Path(__file__).parent / "golden" / "public_names.txt"
STORED_CHANGELOG = STORED.with_name("changelog.md")
INTERNAL = ("bayes", "papers", "starts", "tables", "training")
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def signature(value):
    """Return the signature of a value as text; nothing if it has none."""
    try:
        found = ADDRESS.sub("", str(inspect.signature(value)))
        return found.replace("-> 'None'", "-> None")  # of generated functions or not
    except (TypeError, ValueError):
        return ""


def methods(kind):
    """Yield names and signatures of the public methods that this package defines."""
    for name, value in inspect.getmembers_static(kind):
        own = getattr(getattr(kind, name, None), "__module__", None) or ""
        if not name.startswith("_") and own.startswith("rosenblatt"):
            callable_ = getattr(kind, name)
            yield f".{name}{signature(callable_) if callable(callable_) else ''}"
        elif isinstance(value, property) and not name.startswith("_"):
            owner = inspect.getmodule(value.fget)
            if owner is not None and owner.__name__.startswith("rosenblatt"):
                yield f".{name}"


def listed(name, value):
    """Yield the lines of one public name."""
    if inspect.ismodule(value):
        for inner in sorted({*value.__all__} - {*rb.__all__}):
            if not inspect.ismodule(getattr(value, inner)):
                yield from listed(f"{name}.{inner}", getattr(value, inner))
        return
    yield f"{name}{signature(value) if callable(value) else ''}"
    if inspect.isclass(value) and not name.startswith("core."):
        yield from (f"{name}{method}" for method in methods(value))


def public_names():
    """Return all lines, sorted."""
    names = {*rb.__all__} - {*INTERNAL}
    return sorted(line for name in names for line in listed(name, getattr(rb, name)))


def silent(before, now, old_changelog, changelog):
    """Return the lines that changed and that no new line of the changelog names."""
    new = {*changelog.splitlines()} - {*old_changelog.splitlines()}
    quoted = [text for line in new for text in re.findall(r"`([^`]+)`", line)]
    named = {*re.findall(r"\w+", " ".join(quoted))}
    return [
        line
        for line in sorted({*before} ^ {*now})
        if named.isdisjoint(re.match(r"[\w.]+", line)[0].split(".")[-2:])
    ]


if __name__ == "__main__":
    STORED.write_text("\n".join(public_names()) + "\n")
    STORED_CHANGELOG.write_text(CHANGELOG.read_text())
