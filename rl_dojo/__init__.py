"""The command line: thin commands over the packages below.

Belongs here: arguments, exit codes, tables and progress on a terminal. Does not belong here: work on data.
"""
