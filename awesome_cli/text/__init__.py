"""Text processing: LaTeX, Markdown, HTML, author names, safe output and messages about unknown names."""
