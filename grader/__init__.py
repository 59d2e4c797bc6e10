"""Grading: a shift's log and its truth in, a grade with reasons and evidence out."""
