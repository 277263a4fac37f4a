"""Random generators from checked states; NumPy does not check them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.models.errors import ModelFileError

__all__ = ["generator"]

_WORD = 2**64
# What each kind of generator keeps, but for its name: the number and the type of the
# entries of an array, or the largest of a whole number.
_FLOATS = {"has_uint32": 1, "uinteger": 2**32 - 1}
_STATES: dict[str, tuple[Any, dict[str, Any]]] = {
    "MT19937": (
        np.random.MT19937,
        {"state": {"key": (624, "uint32"), "pos": 624}},
    ),
    "PCG64": (
        np.random.PCG64,
        {"state": {"state": _WORD**2 - 1, "inc": _WORD**2 - 1}, **_FLOATS},
    ),
    "PCG64DXSM": (
        np.random.PCG64DXSM,
        {"state": {"state": _WORD**2 - 1, "inc": _WORD**2 - 1}, **_FLOATS},
    ),
    "Philox": (
        np.random.Philox,
        {
            "state": {"counter": (4, "uint64"), "key": (2, "uint64")},
            "buffer": (4, "uint64"),
            "buffer_pos": 4,
            **_FLOATS,
        },
    ),
    "SFC64": (np.random.SFC64, {"state": {"state": (4, "uint64")}, **_FLOATS}),
}
# What RandomState keeps beside its generator: whether a normal number is left, and it.
_LEFT = {"has_gauss": 1}


def _check(place: str, value: Any, wanted: Any) -> None:
    """Raise an error unless a state is as wanted."""
    if isinstance(wanted, dict):
        if not isinstance(value, dict) or value.keys() != wanted.keys():
            raise ModelFileError(f"{place} of a generator must have {sorted(wanted)}")
        for key, inner in wanted.items():
            _check(key, value[key], inner)
        return
    if isinstance(wanted, tuple):
        size, kind = wanted
        right = isinstance(value, np.ndarray) and value.dtype == kind
        right = right and value.shape == (size,)
    else:
        right = type(value) is int and 0 <= value <= wanted
    if not right:
        raise ModelFileError(f"{place} of a generator must be {wanted}, got {value!r}")


def generator(kind: str, state: Any) -> Any:
    """Return a generator with a given state.

    Parameters
    ----------
    kind
        ``"RandomState"`` or ``"Generator"``.
    state
        State of the generator, as NumPy returns it.

    Examples
    --------
    >>> random = np.random.default_rng(3)
    >>> again = generator("Generator", random.bit_generator.state)
    >>> bool(again.integers(1000) == random.integers(1000))
    True
    """
    name = state.get("bit_generator") if isinstance(state, dict) else None
    if kind not in ("RandomState", "Generator") or name not in _STATES:
        raise ModelFileError(f"there is no generator {kind!r} with {name!r}")
    source, wanted = _STATES[name]
    own = {key: value for key, value in state.items() if key != "bit_generator"}
    if kind == "RandomState":
        gauss = own.pop("gauss", None)
        if type(gauss) is not float:
            raise ModelFileError(f"gauss of a generator must be a number, got {gauss}")
        wanted = {**wanted, **_LEFT}
    _check("state", own, wanted)
    bits = source(0)
    if kind == "Generator":
        bits.state = state
        return np.random.Generator(bits)
    found = np.random.RandomState(bits)
    found.set_state(state)
    return found
