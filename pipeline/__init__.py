"""The road from archive to company model as a Dagster job: the only importer of dagster.

Belongs here: partitions, resources, assets, checks, jobs and their assembly. Does not belong here: work on
data. An asset resolves paths, calls one function of a domain package and publishes counts.
"""
