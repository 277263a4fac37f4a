"""Base classes of the classifiers, one for each kind of model, and their state.

The classifiers of ``estimators`` and the exports of ``models`` import it. It imports
``inputs`` and the engines: ``linear``, ``bayes``, ``counting``.
"""
