"""Agreement between coders: sheets for the second coder, figures, the report."""
