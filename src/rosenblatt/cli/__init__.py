"""The command line.

``app`` loads the other files when their command is called; ``tables`` has the commands
on tables. ``options``, ``output`` and ``results`` serve several commands. Nothing
imports this folder but ``__main__``; it may import all others.
"""
