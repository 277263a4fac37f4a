"""The automatic Bayesian classifier: short, slow, obviously right; NumPy only.

Experts of three prior widths see the same standardised row. Each keeps a Gaussian
belief about the weights; small calibration layers correct an expert's logits; the
prediction is the mixture of all layers of all experts, weighted by how well they
predicted so far.
"""

from itertools import pairwise

import numpy as np

WIDTHS = 1 / 8, 1 / 2, 2.0  # prior sd of a weight on a standardised feature
CLIP = 3.0  # three standard deviations: outliers and rare indicators count no more
LAYER_WIDTH = 1 / 4  # prior sd of each weight of a calibration layer
ORDER_WEIGHT = 1 / 2  # prior mean of the weight of the label order


def softmax(logits):
    p = np.exp(logits - logits.max())
    return p / p.sum()


class Frame:
    """Running mean and sd; the pair in use is renewed at t = 1, 2, 3, 4, 8, 16, ..."""

    def __init__(self, n_features):
        self.t = 0
        self.mean, self.square = np.zeros(n_features), np.zeros(n_features)
        self.centre, self.scale = np.zeros(n_features), np.full(n_features, np.inf)

    def row(self, x):
        """Return the standardised row and 1 for the intercept."""
        z = np.clip((x - self.centre) / self.scale, -CLIP, CLIP)
        return np.append(z, 1.0)

    def learn(self, x):
        """Take a row into the moments; return whether the frame in use is stale."""
        self.t += 1
        step = x - self.mean
        self.mean = self.mean + step / self.t
        self.square = self.square + step * (x - self.mean)
        return self.t == 3 or self.t & (self.t - 1) == 0

    def renew(self):
        """Use the moments of now; return T with old weights = T @ new weights."""
        sd = np.sqrt(self.square / self.t)
        constant = sd <= 1e-12 * np.abs(self.mean)
        centre, scale = self.mean.copy(), np.where(constant, np.inf, sd)
        seen = np.isfinite(self.scale)  # never seen to vary: no evidence to move
        ratio = np.where(seen, self.scale, 0.0) / scale
        shift = np.where(seen, centre - self.centre, 0.0) / scale
        T = np.diag(np.append(ratio, 1.0))
        T[-1, :-1] = -shift
        self.centre, self.scale = centre, scale
        return T


class Expert:
    """Gaussian belief about one weight vector per field; the covariance is shared.

    The likelihood is logistic or softmax; with v the variance of a field, its mean is
    moderated by r = 1 / sqrt(1 + pi v / 8), MacKay's approximation, and the belief
    moves by the first and second derivative of the log of the moderated likelihood.
    """

    def __init__(self, n_features, n_fields, width, diagonal=False):
        self.prior = np.append(np.full(n_features, width**-2), 1.0)  # precisions
        self.m = np.zeros((n_fields, n_features + 1))
        self.V = np.diag(1 / self.prior)
        self.diagonal = diagonal

    def logits(self, z):
        """Return the moderated fields; a single one is class 1 against class 0."""
        self.q = self.V @ z
        self.r = 1 / np.sqrt(1 + np.pi / 8 * (z @ self.q))
        fields = self.r * (self.m @ z)
        return np.append(0.0, fields) if len(fields) == 1 else fields

    def learn(self, z, label):
        p = softmax(self.logits(z))
        slope = (np.arange(len(p)) == label) - p
        curvature = self.r**2 * np.mean(p * (1 - p))
        self.m += self.r * np.outer(slope[-len(self.m) :], self.q)
        downdate = curvature * np.outer(self.q, self.q)
        self.V -= np.diag(np.diag(downdate)) if self.diagonal else downdate

    def move(self, T):
        """Carry the evidence to the new frame and put the prior back on."""
        A = np.linalg.inv(self.V)
        evidence, linear = A - np.diag(self.prior), self.m @ A
        if self.diagonal:  # the mean of the intercept moves, correlations are dropped
            moved = self.m[:, -1] - self.m[:, :-1] @ shift_of(T)
            linear[:, -1] = moved * A[-1, -1]
            T = np.diag(np.diag(T))
        evidence, linear = T.T @ evidence @ T, linear @ T
        self.V = np.linalg.inv(evidence + np.diag(self.prior))
        self.V = (self.V + self.V.T) / 2
        self.m = linear @ self.V


def shift_of(T):
    """Return by how many old scales the centre moved down, feature by feature."""
    ratio = np.diag(T)[:-1]
    return np.divide(T[-1, :-1], ratio, out=np.zeros_like(ratio), where=ratio > 0)


class Layer:
    """A conditional logit with a handful of weights, shared by the classes.

    Later rows count more, row tau with weight tau / t: what it corrects changes.
    """

    def __init__(self, means):
        self.a, n = np.array(means, float), len(means)
        self.prior, self.evidence = np.eye(n) / LAYER_WIDTH**2, np.zeros((n, n))
        self.t = 0

    def predict(self, phi):
        return softmax(phi @ self.a)

    def learn(self, phi, label):
        p = self.predict(phi)
        away = phi - p @ phi
        self.evidence *= self.t / (self.t + 1)
        self.t += 1
        self.evidence += away.T @ (p[:, None] * away)
        self.a = self.a + np.linalg.solve(self.prior + self.evidence, away[label])


class LabelOrder:
    """How much more (log odds) the last label repeats than its frequency explains."""

    def __init__(self, n_classes):
        self.counts, self.last, self.stays = np.zeros(n_classes), None, 0

    def feature(self):
        phi, n = np.zeros(len(self.counts)), self.counts.sum()
        if self.last is not None:
            share = (self.counts[self.last] + 1 / 2) / (n + len(phi) / 2)
            stay = (self.stays + share) / n  # n - 1 transitions and one by chance
            phi[self.last] = np.log(stay / (1 - stay)) - np.log(share / (1 - share))
        return phi

    def learn(self, label):
        self.stays += label == self.last
        self.counts[label] += 1
        self.last = label


class BayesReference:
    """Predict, then learn, row by row."""

    def __init__(self, n_features, n_classes, covariance="full", order=True):
        self.n_classes, self.order = n_classes, order
        fields = 1 if n_classes == 2 else n_classes
        self.frame, self.labels = Frame(n_features), LabelOrder(n_classes)
        self.experts = [
            Expert(n_features, fields, width, covariance == "diagonal")
            for width in WIDTHS
        ]
        means = [[1.0], [1.0, 0.0, 0.0]] if n_classes == 2 else [[1.0]]
        if order:
            means.append([*means[-1], ORDER_WEIGHT])
        self.layers = [[Layer(mean) for mean in means] for _ in self.experts]
        self.weights = np.full(len(self.experts) * len(means), 1.0)
        self.weights /= len(self.weights)
        self.t = 0

    def features(self, logits):
        """Return each layer's features: logit; offset and |logit|; label order."""
        found = [logits[:, None]]
        if self.n_classes == 2:
            bend = np.array([[0.0, 0.0], [1.0, abs(logits[1])]])
            found.append(np.hstack([found[-1], bend]))
        if self.order:
            found.append(np.column_stack([found[-1], self.labels.feature()]))
        return found

    def inputs(self, z):
        """Return all layers, expert by expert, each with its features."""
        return [
            (layer, phi)
            for expert, layers in zip(self.experts, self.layers, strict=True)
            for layer, phi in zip(layers, self.features(expert.logits(z)), strict=True)
        ]

    def predict(self, x):
        """Return the probability of each class."""
        each = [lay.predict(phi) for lay, phi in self.inputs(self.frame.row(x))]
        return self.weights @ np.array(each)

    def learn(self, x, label):
        z = self.frame.row(x)
        inputs = self.inputs(z)
        likelihood = np.array([lay.predict(phi)[label] for lay, phi in inputs])
        posterior = self.weights * np.maximum(likelihood, 1e-15)
        share = 1 / (self.t + 2)  # fixed share: what was worse may become better
        self.weights = (1 - share) * posterior / posterior.sum()
        self.weights += share / len(posterior)
        for layer, phi in inputs:
            layer.learn(phi, label)
        for expert in self.experts:
            expert.learn(z, label)
        self.labels.learn(label)
        self.t += 1
        if self.frame.learn(x):
            T = self.frame.renew()
            for expert in self.experts:
                expert.move(T)

    def progressive(self, X, y):
        """Return the predictions made row by row, each before its label was learned."""
        P = np.empty((len(y), self.n_classes))
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            P[i] = self.predict(x)
            self.learn(x, label)
        return P


def clock_blocks(n):
    """Return the blocks of rows that one frame serves: what a fast kernel may fuse."""
    times = [0, 1, 2, 3] + [2**j for j in range(2, max(3, n).bit_length() + 1)]
    return list(pairwise([t for t in times if t < n] + [n]))
