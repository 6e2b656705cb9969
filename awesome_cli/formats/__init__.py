"""Bibliographic formats: what other programs write is read, what they read is written."""
