"""The Gaussian filters, slow and plain: NumPy and SciPy only.

Every row is kept, and the frame is taken from all rows so far. Models are one-vs-rest.
"""

import numpy as np
from scipy.stats import norm

CHANGES = {0, *(2**j for j in range(30)), *(3 * 2**j for j in range(7))}


class Model:
    """One label against the rest: mean m and covariance V, always as a matrix."""

    def __init__(self, covariance, size, prior, noise):
        self.kind, self.prior, self.noise = covariance, prior, noise
        self.m, self.V = np.zeros(size), prior * np.eye(size)
        self.log_evidence = 0.0
        self.flips = 0.0

    def predict(self, z, width):
        h, v = self.m @ z, width + z @ self.V @ z
        p = self.noise + (1 - 2 * self.noise) * norm.cdf(h / np.sqrt(v))
        return h, v, p

    def learn(self, z, y, width):
        h, v, p = self.predict(z, width)
        k = self.noise
        Z = p if y > 0 else 1 - p
        u = y * h / np.sqrt(v)
        F = (1 - 2 * k) * norm.pdf(u) / Z
        step = self.V @ z
        self.m = self.m + y * F / np.sqrt(v) * step
        self.V = self.project(self.V - F * (u + F) / v * np.outer(step, step))
        self.log_evidence += np.log(Z)
        self.flips += k * norm.cdf(-u) / Z

    def project(self, V):
        if self.kind == "full":
            return V
        if self.kind == "diagonal":
            return np.diag(np.diag(V))
        return np.eye(len(V)) * np.trace(V) / len(V)

    def move(self, shift, ratio, keep):
        """Change to z' = (z - shift) * ratio, with the prior put back.

        Columns of ratio 0 have told nothing so far.
        """
        P = np.linalg.inv(self.V)
        size, own = len(P), np.eye(len(P)) / self.prior
        T = np.eye(size)
        T[: len(ratio), : len(ratio)] = np.diag(ratio)
        T[: len(ratio), -1] = -ratio * shift
        if self.kind == "full":
            P = own + keep * T @ (P - own) @ T.T
            self.m = np.linalg.solve(P, keep * T @ np.linalg.inv(self.V) @ self.m)
            self.V = np.linalg.inv(P)
            return
        scaled = np.append(ratio, 1.0)
        A = np.maximum(np.diag(P) - 1 / self.prior, 0) * scaled**2
        m = scaled * np.diag(P) * self.m / (1 / self.prior + A)
        m[-1] = self.m[-1] + m[:-1] @ (ratio * shift)
        if self.kind == "spherical":
            A = np.full(size, A.sum() / np.count_nonzero(scaled))
        self.V = np.diag(1 / (1 / self.prior + keep * A))
        self.m = keep * (1 / self.prior + A) * m @ self.V


def stream(
    X,
    codes,
    *,
    covariance,
    classes=2,
    prior=1.0,
    width=1.0,
    noise=0.0,
    clip=np.inf,
    first_flips=None,
):
    """Return the models, the probabilities before each label, and the frame."""
    d = X.shape[1]
    models = [
        Model(covariance, d + 1, prior, noise)
        for _ in range(1 if classes == 2 else classes)
    ]
    chances = []
    center, scale = np.zeros(d), np.ones(d)
    counted, changed = 0.0, 0
    for t, x in enumerate(X):
        if t in CHANGES:
            new = X[: t + 1].mean(axis=0)
            spread = X[: t + 1].std(axis=0)
            flat = (X[: t + 1] == X[0]).all(axis=0)
            new = np.where(flat, X[0], new)
            spread = np.where(flat, np.where(X[0] == 0, 1.0, np.abs(X[0])), spread)
            for model in models:
                if t:
                    same = (X[:t] == X[0]).all(axis=0)
                    ratio = np.where(same, 0.0, scale / spread)
                    model.move((new - center) / scale, ratio, 1.0)
                if first_flips:
                    flips, seen = first_flips
                    # example number s counts with its time, changed / t when it is old
                    model.noise = (model.flips + flips) / (counted + t - changed + seen)
                    model.flips *= changed / max(t, 1)
            counted = (counted + t - changed) * changed / max(t, 1)
            changed = t
            center, scale = new, spread
        z = np.append(np.clip((x - center) / scale, -clip, clip), 1.0)
        chances.append([model.predict(z, width)[2] for model in models])
        for k, model in enumerate(models):
            right = codes[t] == (1 if classes == 2 else k)
            model.learn(z, 1 if right else -1, width)
    return models, np.array(chances), center, scale
