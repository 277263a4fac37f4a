"""Rules with a belief about every weight, for the engine ``coordinate``.

Each is a ``WeightwiseRule`` or a ``BeliefRule`` of ``core``. Others import them from
``rules``.
"""
