"""Migrations of model files of older versions."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.filters.mixture import blank_record

__all__ = ["MIGRATIONS", "covariances_of_factors", "with_drift", "with_one_half_life"]

Content = tuple[Any, dict[str, Any]]  # the tree of a file, and its arrays by name


def covariances_of_factors(tree: Any, tensors: dict[str, Any]) -> Content:
    """Return the content of version 3 from that of version 2.

    Version 2 holds a full covariance :math:`V = L^T D L` by its factors. L is lower
    triangular with ones on its diagonal, in whose place D is. Version 3 holds V.

    Examples
    --------
    >>> factors = {"filters.0.belief": np.array([[[2.0, 0], [0.5, 4]]])}
    >>> covariances_of_factors({}, factors)[1]
    {'filters.0.belief': array([[[3., 2.],
            [2., 4.]]])}
    """
    found = dict(tensors)
    for name, factors in tensors.items():
        if name.endswith(".belief") and factors.ndim == 3:
            shares = np.diagonal(factors, axis1=1, axis2=2)
            units = np.tril(factors, -1) + np.eye(factors.shape[1])
            covariances = units.transpose(0, 2, 1) @ (shares[:, :, None] * units)
            found[name] = 0.5 * (covariances + covariances.transpose(0, 2, 1))
    return tree, found


def with_drift(tree: Any, tensors: dict[str, Any]) -> Content:
    """Return the content of version 4 from that of version 3.

    Filters of version 3 do not drift, and mixtures have no record of forgetting. Full
    covariances of version 3 forget at changes only, those of version 4 with each row.
    """
    found, experts = dict(tensors), (tree.get("state") or {}).get("filters")
    if experts is None:
        return tree, found
    rates = []
    for record in experts["fields"]["filters"]:
        filter = record["fields"]
        filter["drift_half_life"] = None
        life = filter["half_life"]
        rates.append(1.0 / life if life else 0.0)
        if life and filter["covariance"] == "full":
            rows, name = filter["examples"] - filter["last_change"], filter["belief"]
            found[name["array"]] = found[name["array"]] * 2.0 ** (rows / life)
    mixture = experts["fields"]["mixture"]
    if mixture is not None:
        own = mixture["fields"]
        name = own["statistics"]["array"]
        statistics, record, changes = blank_record()
        statistics[: len(found[name])] = found[name]
        new = {"rates": np.array(rates), "record": record, "changes": changes}
        for key, value in new.items():
            place = f"{name.removesuffix('statistics')}{key}"
            own[key], found[place] = {"array": place}, value
        found[name] = statistics
    return tree, found


def with_one_half_life(tree: Any, tensors: dict[str, Any]) -> Content:
    """Return the content of version 5 from that of version 4.

    Filters of version 4 have weights that drift, or a half-life after which examples
    counted half. The latter go on with drift of the same half-life, from the same
    belief, and standardise their columns with the same half-life as before.

    Examples
    --------
    >>> filter = {"half_life": 9.0, "drift_half_life": None}
    >>> fields = {"filters": [{"fields": filter}]}
    >>> tree, _ = with_one_half_life({"state": {"filters": {"fields": fields}}}, {})
    >>> filter
    {'half_life': 9.0, 'input_half_life': 9.0}
    """
    experts = (tree.get("state") or {}).get("filters")
    for record in experts["fields"]["filters"] if experts else ():
        filter = record["fields"]
        forgets, drifts = filter.pop("half_life"), filter.pop("drift_half_life")
        filter["half_life"], filter["input_half_life"] = drifts or forgets, forgets
    return tree, tensors


# What turns the content of a version into that of the next one.
MIGRATIONS = {2: covariances_of_factors, 3: with_drift, 4: with_one_half_life}
