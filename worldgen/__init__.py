"""Worlds: from a template and a seed to the bundle that runtime and grader work with.

Belongs here: templates, fitting them to a company model, seeded building, knowledge of the reference.
Does not belong here: running a shift, grading it, reading archives.
"""
