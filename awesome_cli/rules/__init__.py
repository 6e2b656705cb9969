"""Validation: one topic a file, each rule a function with `@rule`; `checking` runs all of them.

Nothing is imported here: most commands need `preconditions` alone.
"""
