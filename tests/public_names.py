"""All public names with their signatures, for ``tests/keep.sh``.

Public names are those that ``rosenblatt`` and its folders list in ``__all__``, and the
methods of these classes that this package defines. Methods of ``core``, which engines
call, are not public. ``docs/maintaining.md`` names the folders that are not public.
"""

import inspect
import re

import rosenblatt as rb

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
