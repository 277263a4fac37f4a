"""Learning from files that are larger than memory."""
