"""The exceptions of this package; none of them ever carries a raw value or a key."""

from __future__ import annotations


class AnonymizeError(Exception):
    """Base of all errors of this package."""


class KeyRefused(AnonymizeError):
    """A key file is missing, malformed, readable by others or not allowed for this dataset."""


class VaultError(AnonymizeError):
    """A vault cannot be read with this key or was edited."""


class AccessRefused(AnonymizeError):
    """What is asked for needs a reason, another place or another person than was given."""


class ReviewRefused(AnonymizeError):
    """A verdict names no pair of the queue, nobody who gives it, or contradicts others."""


class PolicyRefused(AnonymizeError):
    """A policy names a column that is not there, or asks of it what cannot be done."""


class ExplainRefused(AnonymizeError):
    """What is to be explained is not there, or its ledger is not the one of the clean tables."""


class PoolExhausted(AnonymizeError):
    """A pool has fewer surrogates than the dataset has entities."""


class AuditFailed(AnonymizeError):
    """Pending tables may not be published, because their audit is missing or found something."""


class ModelMissing(AnonymizeError):
    """A language model that the manifest names is not installed."""
