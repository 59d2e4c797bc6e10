"""Frozen word lists from which surrogates are made, and the script that made them."""
