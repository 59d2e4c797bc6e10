"""What can go wrong in a shift beyond a refused action."""

from __future__ import annotations


class RuntimeShiftError(Exception):
    """Base of this package's errors: wrong use by the code around a shift, never by an agent."""


class UnknownAgent(RuntimeShiftError):
    """No agent has the name."""


class MachineError(RuntimeShiftError):
    """A world's buyers cannot be run: a machine, a wording or a parameter is missing or wrong."""
