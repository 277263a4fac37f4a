"""Speed as ratios against peers, measured in one run; ``make bench`` runs all of it.

Peers of a pass learn the same rows, in the same order.
"""
