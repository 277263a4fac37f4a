"""Jobs of the laboratory: computations in processes, with fair shares for visitors.

``work`` is a job, ``messages`` what its process sends, ``experiment`` and
``asymptotes`` what it computes; ``process`` starts it and ``scheduler`` shares the
cores. ``preload`` and ``fork_server`` run in the fork server. Tabs import this folder.
"""
