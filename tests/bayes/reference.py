"""The Gaussian filters, slow and plain: NumPy and SciPy only.

Every row is kept, and the frame is taken from all rows so far.
"""

import numpy as np
from scipy.special import softmax
from scipy.stats import norm

from rosenblatt.bayes.label_law import NOISE, SLOPE, blank
from tests.bayes.formulas import class_law, guess, probit_law

CHANGES = {0, *(2**j for j in range(30)), *(3 * 2**j for j in range(7))}


class Model:
    """One label against the rest: mean m and covariance V, always as a matrix."""

    def __init__(self, covariance, size, prior, noise):
        self.kind, self.prior = covariance, prior
        self.statistics = blank(1, noise)
        self.noise = self.statistics[0, NOISE]
        self.m, self.V = np.zeros(size), prior * np.eye(size)
        self.log_evidence = 0.0

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
        self.move_by(z, y * F / np.sqrt(v), F * (u + F) / v)
        self.log_evidence += np.log(Z)
        guess(self.statistics, probit_law(h / np.sqrt(v)), int(y > 0))

    def move_by(self, z, slope, curvature):
        step = self.V @ z
        self.m = self.m + slope * step
        self.V = self.project(self.V - curvature * np.outer(step, step))

    def project(self, V):
        if self.kind == "full":
            return V
        if self.kind == "diagonal":
            return np.diag(np.diag(V))
        return np.eye(len(V)) * np.trace(V) / len(V)

    def take_in(self, later):
        """Let the mean have the slope, labels the noise; older ones count less."""
        self.m = self.m * self.statistics[0, SLOPE]
        self.noise, self.statistics[0, SLOPE] = self.statistics[0, NOISE], 1.0
        self.statistics[0, -3:] *= later

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


def predict_classes(models, z, width):
    """Return certainties, and the probability of each class without and with noise."""
    r = np.array([1 / np.sqrt(width + np.pi / 8 * (z @ m.V @ z)) for m in models])
    p = softmax(r * [m.m @ z for m in models])
    k = models[0].noise
    return r, p, (1 - k) * p + k * (1 - p) / (len(p) - 1)


def learn_classes(models, z, code, width):
    """Move several models by one label: it is the largest field, blurred."""
    r, p, chances = predict_classes(models, z, width)
    k, Z = models[0].noise, chances[code]
    right = (1 - k - k / (len(p) - 1)) * p[code] / Z  # that it is no other's
    logs = r * [m.m @ z for m in models]
    for c, model in enumerate(models):
        slope = right * r[c] * ((c == code) - p[c])
        model.move_by(z, slope, right * r[c] ** 2 * p[c] * (1 - p[c]))
        model.log_evidence += np.log(Z)
        guess(model.statistics, class_law(logs), code)


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
):
    """Return the models, the probabilities before each label, and the frame."""
    d = X.shape[1]
    models = [
        Model(covariance, d + 1, prior, noise)
        for _ in range(1 if classes == 2 else classes)
    ]
    chances = []
    center, scale = np.zeros(d), np.ones(d)
    changed = 0
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
                model.take_in(changed / max(t, 1))
            changed = t
            center, scale = new, spread
        z = np.append(np.clip((x - center) / scale, -clip, clip), 1.0)
        if classes == 2:
            chances.append([models[0].predict(z, width)[2]])
            models[0].learn(z, 1 if codes[t] == 1 else -1, width)
        else:
            chances.append(predict_classes(models, z, width)[2])
            learn_classes(models, z, codes[t], width)
    return models, np.array(chances), center, scale
