"""Posterior of the weights given all examples at once.

Papers may import it; it imports ``numerics`` and below.
"""
