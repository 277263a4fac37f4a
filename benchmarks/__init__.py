"""Speed as ratios against peers, measured in one run; ``make bench`` runs all of it."""
