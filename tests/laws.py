"""Two samples of the same law: computed tolerances, one place."""

import numpy as np
from scipy import stats

LEAST = 1e-4  # smallest p value that passes; seeds are fixed, nothing is rerun


def assert_same_law(a, b, variables=("overlap", "norm", "mistakes")):
    """Compare two results of engines replica against replica, at every alpha.

    With n replicas each, a shift of a distribution by 2.2 sqrt(2 / n) in its function
    is caught. The smallest p value of all comparisons is taken (Bonferroni).
    """
    pvalues = []
    for name in variables:
        for i in range(a.sizes["alpha"]):
            x, y = a[name].values[:, i], b[name].values[:, i]
            # Normalised norms differ by rounding alone: not a question of law.
            x, y = np.round(x, 10), np.round(y, 10)
            if np.ptp(np.concatenate([x, y])) > 0:
                pvalues.append(stats.ks_2samp(x, y, method="asymp").pvalue)
    assert pvalues
    assert min(pvalues) * len(pvalues) > LEAST
