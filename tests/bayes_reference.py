"""Calibration layers and their mixture: short, slow, obviously right; NumPy only.

Small layers correct the log-odds of each expert; the prediction is the mixture of all
layers of all experts, weighted by how well they predicted so far.
"""

import numpy as np

LAYER_WIDTH = 1 / 4  # prior sd of each weight of a calibration layer


def softmax(logits):
    p = np.exp(logits - logits.max())
    return p / p.sum()


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


class Mixture:
    """Predict, then learn, row by row, from the log-odds of each expert."""

    def __init__(self, n_experts, n_classes):
        means = [[1.0], [1.0, 0.0, 0.0]] if n_classes == 2 else [[1.0]]
        self.layers = [[Layer(mean) for mean in means] for _ in range(n_experts)]
        self.weights = np.full(n_experts * len(means), 1 / (n_experts * len(means)))
        self.t = 0

    def inputs(self, odds):
        """Return all layers, expert by expert, each with its features."""
        for layers, o in zip(self.layers, odds, strict=True):
            logits = np.append(0.0, o) if len(o) == 1 else o
            yield layers[0], logits[:, None]
            if len(o) == 1:
                yield layers[1], np.array([[0.0, 0.0, 0.0], [o[0], 1.0, abs(o[0])]])

    def predict(self, odds):
        """Return the probability of each class; odds are (experts, 1 or classes)."""
        return self.weights @ [lay.predict(phi) for lay, phi in self.inputs(odds)]

    def learn(self, odds, label):
        inputs = list(self.inputs(odds))
        likelihood = np.array([lay.predict(phi)[label] for lay, phi in inputs])
        posterior = self.weights * likelihood
        share = 1 / (self.t + 2)  # fixed share: what was worse may become better
        self.weights = (1 - share) * posterior / posterior.sum()
        self.weights += share / len(posterior)
        for layer, phi in inputs:
            layer.learn(phi, label)
        self.t += 1

    def progressive(self, odds, y):
        """Return the predictions made row by row, each before its label was learned."""
        P = []
        for i, label in enumerate(y):
            P.append(self.predict(odds[:, i]))
            self.learn(odds[:, i], label)
        return np.array(P)
