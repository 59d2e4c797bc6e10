"""What a company's clean archive says about its work: event log, cases, workflow, rules, outcomes, model.

Belongs here: reading meaning out of clean tables. Does not belong here: reading formats (`archive`),
replacing anything (`anonymize`), making worlds (`worldgen` reads the files that are written here).
"""
