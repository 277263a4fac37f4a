"""Two-sample tests of results of committees."""

from scipy import stats


def pvalues(one, other):
    """Return the p values of all overlaps at all alphas, the first ones aside.

    Overlaps that are the same for all replicas have no law to compare.
    """
    found = []
    for i in range(one.sizes["alpha"]):
        for name in ("R", "Q", "outputs"):
            a, b = (
                x[name].values[:, i].reshape(x.sizes["replica"], -1)
                for x in (one, other)
            )
            found += [
                stats.ks_2samp(a[:, j], b[:, j], method="asymp").pvalue
                for j in range(a.shape[1])
                if a[:, j].std() > 0
            ]
    return found
