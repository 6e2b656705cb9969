"""Validation: rules in small topic files; `checking` runs them all, `soundness` what every analysis needs.

Nothing is imported here: most commands need a few of the rules.
"""
