"""Commands that learn from tables, predict for tables, and show trained models.

``train``, ``predict`` and ``inspect`` have a file each. ``options`` has the options of
several commands, ``printing`` their text. Only ``cli.app`` imports this folder.
"""
