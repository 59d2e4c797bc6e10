"""What every floor shares: schemas, canonical forms and the small pure functions behind them.

Belongs here: what two packages must agree on. Does not belong here: anything that needs more than
the standard library and pydantic, or that only one package uses.
"""
