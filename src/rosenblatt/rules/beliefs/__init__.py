"""Rules with a belief about every weight, for the engine ``coordinate``."""
