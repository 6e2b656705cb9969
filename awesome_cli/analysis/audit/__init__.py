"""Inter-rater agreement: sheets for a second coder, coefficients, reports."""
