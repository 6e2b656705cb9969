"""What a trace looks like: lanes in the terminal, one HTML page, and the formats of other viewers."""
