"""Reports and findings, independent of an output format."""
