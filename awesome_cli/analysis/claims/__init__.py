"""The survey's claims: whether they hold, since when not, and what would make them fall."""
