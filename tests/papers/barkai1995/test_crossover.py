import numpy as np

from rosenblatt.papers.barkai1995.crossover import figure_crossover


def test_the_figure_shows_means_that_bend_and_moments_that_do_not():
    mean, moment, law, limit = figure_crossover(quick=True).series
    assert mean.x == moment.x
    assert mean.x[0] == law.x[0] == 2
    bars = (np.array(moment.high) - np.array(moment.low)) / 2
    assert np.all(np.abs(np.array(moment.y) - limit.y[0]) < 5 * bars)
    bars = (np.array(mean.high) - np.array(mean.low)) / 2
    assert limit.y[0] - mean.y[0] > 10 * bars[0]
    assert abs(limit.y[0] - mean.y[-1]) < 5 * bars[-1] + 0.01
