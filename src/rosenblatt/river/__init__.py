"""The classifiers for River."""
