"""Keep a literature survey as data: validate it, count it, find its gaps, check its claims, publish it."""

__version__ = "0.1.0"
RELEASED = ""
"""The newest version that the package registry has as `awesome-survey`; empty before the first release."""
