"""LaTeX, Markdown and names of authors."""
