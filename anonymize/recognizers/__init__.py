"""Presidio recognizers, one subject per module; each knows the replacement of what it finds."""
