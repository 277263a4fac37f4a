"""The laboratory, a page to play with."""
