"""The exceptions of this package; none of them ever carries a raw value or a key."""

from __future__ import annotations


class AnonymizeError(Exception):
    """Base of all errors of this package."""


class KeyRefused(AnonymizeError):
    """A key file is missing, malformed, readable by others or not allowed for this dataset."""


class VaultError(AnonymizeError):
    """A vault cannot be read with this key or was edited."""


class PoolExhausted(AnonymizeError):
    """A pool has fewer surrogates than the dataset has entities."""


class AuditFailed(AnonymizeError):
    """Pending tables may not be published, because their audit is missing or found something."""
