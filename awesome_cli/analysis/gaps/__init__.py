"""The evidence-gap map: which cells hold papers, and which do not."""
