"""Sweeps over agents and seeds, their statistics, and reports rendered from stored JSON.

Belongs here: what compares runs. How a shift runs is the runtime's, what it is worth the grader's.
"""
