"""Optional packages: the extra that installs each, and the error where one is missing.

``pip install rosenblatt`` brings the estimators, simulation and theory. Everything else
is an extra of ``pyproject.toml``.
"""

from __future__ import annotations

EXTRAS = {  # packages, and the extra that brings each
    "bokeh": "lab",
    "dask": "dask",
    "h5py": "files",
    "matplotlib": "plot",
    "onnx": "onnx",
    "pyarrow": "files",
    "rich": "cli",
    "river": "river",
    "safetensors": "files",
    "typer": "cli",
}


def missing(package: str, purpose: str) -> ImportError:
    """Return the error for a package that is not installed.

    Examples
    --------
    >>> raise missing("matplotlib", "drawing")
    Traceback (most recent call last):
    ImportError: drawing needs matplotlib: pip install 'rosenblatt[plot]'
    """
    extra = EXTRAS[package]
    return ImportError(
        f"{purpose} needs {package}: pip install 'rosenblatt[{extra}]'",
        name=package,
    )
