"""A text on the survey: the numbers, tables, citations and claims of `paper.yaml`, and checks of a LaTeX document."""
