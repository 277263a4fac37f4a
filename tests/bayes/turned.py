"""Full covariances in another standardisation, by NumPy."""

import numpy as np

__all__ = ["turned"]


def turned(filter, shifts, ratios):
    """Return means and covariances: scales by each variance, shifts exactly."""
    known = (ratios > 0) & (ratios < 1e4)
    ratio, shift = np.where(known, ratios, 0.0), np.where(known, shifts, 0.0)
    prior, features, weights = filter.prior, len(ratios), filter.mean.shape[1]
    means, covariances = [], []
    for m, V in zip(filter.mean, filter.belief, strict=True):
        part = np.minimum(V.diagonal()[:features] / prior, 1.0)
        q = np.where(known, ratio**2 + (1 - ratio**2) * part, np.inf)
        scale = np.append(1 / np.sqrt(q), np.ones(weights - features))
        V = scale[:, None] * V * scale
        V[np.diag_indices(features)] += np.where(known, 0.0, prior)
        m = np.append(ratio / q, np.ones(weights - features)) * m
        if weights > features:
            move, old = np.eye(weights), np.append(shift, -1.0)
            move[-1, :-1] = shift
            A = np.linalg.inv(move @ V @ move.T)
            told = A @ (move @ m)
            A[-1, -1] += 1 / prior
            V = np.linalg.inv(A - np.outer(old, old) / prior)
            m = V @ told
        means.append(m)
        covariances.append(V)
    return np.stack(means), np.stack(covariances)
