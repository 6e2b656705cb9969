"""What stands beside the codings: evidence, a source, a place in it, a quote, a contest."""
