"""The query language of the command line, the claims and the taxonomy."""
