"""Views of a trace: lanes in the terminal, one HTML page, and the formats of other viewers."""
