"""The exceptions of evaluation."""

from __future__ import annotations


class EvaluationError(Exception):
    """A sweep or report cannot be made as asked: says what is wrong, where, and what to do next."""
