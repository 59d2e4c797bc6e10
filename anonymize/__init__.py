"""Consistent pseudonymisation: registry, surrogates, detection, replacement, vault and audit.

Belongs here: everything that sees real values and decides what stands in their place. Does not belong
here: reading source formats (`archive`) and anything that works on clean tables only.
"""
