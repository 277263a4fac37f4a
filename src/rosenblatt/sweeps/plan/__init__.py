"""Plan of a sweep: tasks, axes, and a key for every experiment.

``spec`` reads a plan from a TOML file, ``checks`` finds wrong arguments before anything
runs. ``identity`` and ``keys`` give each experiment the key that its result is stored
under. ``store`` and ``workers`` import this folder; it imports neither.
"""
