"""Text as people write it: LaTeX, Markdown, names of authors."""
