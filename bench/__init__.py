"""Speed against stated floors: every figure is a ratio of two measurements of one run."""
