"""The command line.

``app`` loads the other files when their command is called. ``options`` and ``output``
serve several commands. Nothing imports this folder but ``__main__``; it may import all
others.
"""
