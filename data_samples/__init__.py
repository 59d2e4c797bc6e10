"""The invented sample archive, its maker and its answer key; nothing of the project is used here."""
