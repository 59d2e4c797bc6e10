"""Readers of a company's exports and the canonical tables they become.

Belongs here: file formats, quarantine, provenance, links between records, the folders of a dataset.
Does not belong here: replacing anything (`anonymize`), reading meaning out of it (`extract`).
"""
