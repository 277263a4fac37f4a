"""Calibration layers and their mixture: short, slow, obviously right; NumPy only.

Small layers correct the log-odds of each expert. The prediction is the mixture of all
layers of all experts, weighted by their predictions so far.
"""

import numpy as np

PRECISION = 4  # of slope and offsets, before any label


def softmax(logits):
    p = np.exp(logits - logits.max())
    return p / p.sum()


class Layer:
    """A slope and offsets of the classes, or a slope alone.

    Later rows count more, row tau with weight tau / t: what it corrects changes.
    """

    def __init__(self, n_classes, offset):
        self.slope, self.offsets = 1.0, np.zeros(n_classes)
        self.slope_told, self.offsets_told = 0.0, np.zeros(n_classes)
        self.offset, self.t = offset, 0

    def predict(self, logits):
        return softmax(self.slope * logits + self.offsets)

    def learn(self, logits, label, power=1):
        p = self.predict(logits)
        mean = p @ logits
        fade = self.t / (self.t + 1)
        self.t += 1
        self.slope_told = fade * self.slope_told + power * p @ (logits - mean) ** 2
        self.slope += power * (logits[label] - mean) / (PRECISION + self.slope_told)
        if self.offset:
            self.offsets_told = fade * self.offsets_told + power * 2 * p * (1 - p)
            missing = power * (np.eye(len(p))[label] - p)
            self.offsets += missing / (PRECISION + self.offsets_told)


class Mixture:
    """Predict, then learn, row by row, from the log-odds of each expert."""

    def __init__(self, n_experts, n_classes):
        self.layers = [
            [Layer(n_classes, offset) for offset in (False, True)]
            for _ in range(n_experts)
        ]
        self.weights = np.full(2 * n_experts, 0.5 / n_experts)
        self.t = 0

    def inputs(self, odds):
        """Return all layers, expert by expert, each with its logits."""
        for layers, o in zip(self.layers, odds, strict=True):
            for layer in layers:
                yield layer, np.append(0.0, o) if len(o) == 1 else o

    def predict(self, odds):
        """Return the probability of each class; odds are (experts, 1 or classes)."""
        return self.weights @ [lay.predict(o) for lay, o in self.inputs(odds)]

    def learn(self, odds, label, power=1):
        inputs = list(self.inputs(odds))
        likelihood = np.array([lay.predict(o)[label] for lay, o in inputs])
        posterior = self.weights * likelihood**power
        share = 1 / (self.t + 2)  # fixed share: what was worse may become better
        self.weights = (1 - share) * posterior / posterior.sum()
        self.weights += share / len(posterior)
        for layer, logits in inputs:
            layer.learn(logits, label, power)
        self.t += 1

    def progressive(self, odds, y, powers=None):
        """Return the predictions made row by row, each before its label was learned."""
        powers = np.ones(len(y)) if powers is None else powers
        P = []
        for i, label in enumerate(y):
            P.append(self.predict(odds[:, i]))
            self.learn(odds[:, i], label, powers[i])
        return np.array(P)
