"""A second coder that is a program: what it is asked, what it may answer, and the audit that comes of it."""
