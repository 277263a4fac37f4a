"""Figure 1 of the paper, and figures of our own."""

from __future__ import annotations

import numpy as np

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.papers.decorators import figure
from rosenblatt.papers.series import joined, line, sampled
from rosenblatt.papers.winther1997.binary import CURED, DIM, PRINTED, learned
from rosenblatt.papers.winther1997.binary_theory import LARGE, TIMES, large_runs
from rosenblatt.papers.winther1997.filters import DIM as FILTER_DIM
from rosenblatt.papers.winther1997.filters import TIMES as FILTER_TIMES
from rosenblatt.papers.winther1997.filters import batch_errors, filtered
from rosenblatt.papers.winther1997.spherical import NOISES, runs
from rosenblatt.rules import DiagonalBayes, FullBayes
from rosenblatt.theory import calibration, critical_alpha, solve_batch, solve_online

__all__ = [
    "figure_1",
    "figure_calibration",
    "figure_curve",
    "figure_filters",
    "figure_solved",
    "figure_trapped",
]

_RUNS, _MORE = 50, 1000  # of figure 1, and ours
_ALPHA = tuple(m / DIM for m in range(0, 6 * DIM + 1, 5))
_LONG = tuple(m / 10 for m in range(0, 81, 2))
_SIZES = {50: 1000, 200: 200, 1000: 40}  # runs of each N
_SMOOTH = np.linspace(0.0, 6.0, 121)
_LATE = np.geomspace(0.5, 30.0, 80)
_BARS = 2.0  # standard errors to each side
_TRANSITION = (3.0, 4.0)  # "for m/N between 3 and 4", section 3


@figure("winther1997/fig1", "figure 1")
def figure_1(*, quick: bool = False) -> FigureData:
    """Return the learning curve with a binary prior, from 50 and from 1000 runs."""
    many = learned(PRINTED, DIM, _ALPHA, 200 if quick else _MORE)
    alpha, errors = np.asarray(many["alpha"]), np.asarray(many["error"])
    limit = solve_online(_SMOOTH, prior="binary")["error"].sel(learner="bayes")
    ends = [([end, end], [0.0, 0.5]) for end in _TRANSITION]
    return FigureData(
        title=f"Binary prior, N = {DIM}, no noise: the rule as printed",
        caption=(
            f"Mean error of {_RUNS} runs, as in the paper, and of {len(errors)}; the "
            "error that the learner expects of itself, eq. (8); and the curve for N to "
            f"infinity, which falls to zero at alpha = {critical_alpha(0.0):.3f}. At "
            "N = 50 the transition is earlier: dotted are the ends of the interval in "
            "which the paper saw most of them. The tail is that of trapped runs, which "
            "do not know it."
        ),
        x_label=r"examples per weight $m/N$",
        y_label=r"error $\epsilon^{\mathrm{Bayes}}$",
        series=(
            sampled(f"{_RUNS} runs", alpha[::5], errors[:_RUNS, ::5], errors=_BARS),
            line(f"{len(errors)} runs", alpha, errors.mean(axis=0), role="simulation"),
            line(
                "expected by the learner",
                alpha,
                np.asarray(many["estimate"]).mean(axis=0),
                role="simulation",
            ),
            line("N to infinity", _SMOOTH, np.asarray(limit)),
            joined("most transitions lie between, text", ends, "published"),
        ),
    )


@figure("winther1997/trapped", "text after eq. (11)")
def figure_trapped(*, quick: bool = False) -> FigureData:
    """Return single runs: some solve the problem, some are trapped."""
    run = learned(PRINTED, DIM, _LONG, 400)
    alpha, errors = np.asarray(run["alpha"]), np.asarray(run["error"])
    lost = np.flatnonzero(~np.asarray(run["solved"], dtype=bool)[:, -1])[:4]
    found = np.flatnonzero(np.asarray(run["solved"], dtype=bool)[:, -1])[:4]
    series = [
        line(f"trapped {k + 1}", alpha, errors[row], role="simulation")
        for k, row in enumerate(lost)
    ]
    others = [(alpha, errors[row]) for row in found]
    series.append(joined("four that are not trapped", others))
    return FigureData(
        title=f"Trapped runs of the printed rule, N = {DIM}",
        caption=(
            "True errors of single runs. A trapped run is certain of one or two wrong "
            "weights, and its own estimate of the error, eq. (8), is zero; the next "
            "example that it gets wrong moves it to another such state."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label="error",
        series=tuple(series),
    )


@figure("winther1997/solved", "text after eq. (11)")
def figure_solved(*, quick: bool = False) -> FigureData:
    """Return shares of runs that know the teacher, as printed and cured."""
    series = []
    for rule, name in ((PRINTED, "as printed"), (CURED, "rho at least 1")):
        for dim, replicas in _SIZES.items():
            run = learned(rule, dim, _LONG, replicas // (4 if quick else 1))
            share = np.asarray(run["solved"], dtype=np.float64).mean(axis=0)
            series.append(
                Series(
                    f"N = {dim}, {name}",
                    np.asarray(run["alpha"]).tolist(),
                    share.tolist(),
                    "simulation",
                    shape="line" if rule == PRINTED else "points",
                )
            )
    critical = critical_alpha(0.0)
    series.append(line("limit of the transition", [critical] * 2, [0.0, 1.0]))
    ends = [([end, end], [0.0, 1.0]) for end in _TRANSITION]
    series.append(joined("most transitions lie between, text", ends, "published"))
    return FigureData(
        title="Share of runs with all weights right",
        caption=(
            "As printed (lines), and with the variance kept at rho = 1 at least, in "
            "the paper's units (points): then all runs end with the teacher. Upright "
            "is where the theory for N to infinity has the transition, "
            f"{critical:.3f}. Dotted are the ends of the interval in which the paper "
            "saw most transitions."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label="share solved",
        series=tuple(series),
    )


@figure("winther1997/curve", "section 4, outlook")
def figure_curve(*, quick: bool = False) -> FigureData:
    """Return the curve of the binary prior in theory, at finite N, and in batch."""
    alpha, series = np.linspace(0.0, 20.0, 101 if quick else 201), []
    for noise in (0.0, 0.1, 0.2):
        curve = solve_online(alpha, noise, prior="binary")["error"]
        series.append(
            line(
                f"on-line, noise {noise:g}",
                alpha,
                np.asarray(curve.sel(learner="bayes")),
            )
        )
    for noise in (0.0, 0.1, 0.2):
        run = large_runs(noise, quick)
        errors = np.asarray(run["error"])
        dim = int(run.attrs.get("dim", LARGE))
        series.append(
            sampled(f"N = {dim}, noise {noise:g}", TIMES, errors, errors=_BARS)
        )
    batch = solve_batch(_SMOOTH, 0.0, prior="binary")["error"].sel(learner="bayes")
    series.append(line("all examples at once, no noise", _SMOOTH, np.asarray(batch)))
    return FigureData(
        title="Learning curves with a binary prior",
        caption=(
            "Theory for N to infinity and runs of the learner that is not trapped, "
            "with standard errors times two. On-line learning finds the teacher at a "
            "finite alpha, for every noise: "
            + ", ".join(f"{critical_alpha(k):.2f} (noise {k:g})" for k in (0, 0.1, 0.2))
            + ". The best learner that sees all examples at once knows it much earlier."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label="error",
        series=tuple(series),
    )


@figure("winther1997/filters", "section 4, outlook")
def figure_filters(*, quick: bool = False) -> FigureData:
    """Return on-line, batch and optimal learning of the spherical prior together."""
    online = solve_online(_LATE)["error"].sel(learner="bayes")
    best = solve_batch(_LATE)["error"].sel(learner="bayes")
    times = np.array(FILTER_TIMES)
    batch_times = (1.0, 2.0, 5.0) if quick else (1.0, 2.0, 5.0, 10.0)
    propagated = np.array([batch_errors(alpha, quick) for alpha in batch_times]).T
    return FigureData(
        title=f"What a simple posterior loses, N = {FILTER_DIM}",
        caption=(
            "Errors of filters, which see each example once: with one variance (eq. 9, "
            "theory for N to infinity), one for each weight, and a full covariance. "
            "Errors of expectation propagation, which sees all examples until it "
            "settles. The least possible error, by the replica equations. Bars are two "
            "standard errors."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label="error",
        x_log=True,
        y_log=True,
        series=(
            sampled(
                "full covariance",
                times,
                np.asarray(filtered(FullBayes(), quick)["error"]),
                errors=_BARS,
            ),
            sampled(
                "a variance each",
                times,
                np.asarray(filtered(DiagonalBayes(), quick)["error"]),
                errors=_BARS,
            ),
            sampled("expectation propagation", batch_times, propagated, errors=_BARS),
            line("eq. (9)", _LATE, np.asarray(online)),
            line("least error", _LATE, np.asarray(best)),
        ),
    )


@figure("winther1997/calibration", "eq. (7)")
def figure_calibration(*, quick: bool = False) -> FigureData:
    """Return the share of right predictions against the predicted probability."""
    series = []
    for noise, assumed in ((0.0, 0.0), (0.1, 0.1), (0.1, 0.2)):
        levels = 0.5 + (0.5 - assumed) * np.linspace(0.0, 0.98, 50)
        run = runs(noise, assumed, quick).sel(alpha=5.0)
        right = [
            calibration(
                levels,
                overlap=float(overlap),
                norm=float(norm),
                noise=noise,
                assumed=assumed,
            )
            for overlap, norm in zip(run["overlap"], run["norm"], strict=True)
        ]
        series.append(
            line(
                f"noise {noise:g}, {assumed:g} assumed",
                levels,
                np.mean(right, axis=0),
                role="simulation",
            )
        )
    series.append(line("calibrated", [0.5, 1.0], [0.5, 1.0]))
    return FigureData(
        title="Calibration of predictive probabilities",
        caption=(
            "Spherical prior, alpha = 5, N = 10 000: the share of right predictions "
            "among those with a probability by eq. (7), exact given the students. A "
            f"learner that knows the noise ({NOISES[0]:g} or {NOISES[1]:g}) is "
            "calibrated; one that assumes twice as much is too careful."
        ),
        x_label="predicted probability",
        y_label="share that is right",
        series=tuple(series),
    )
