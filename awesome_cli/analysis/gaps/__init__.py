"""Evidence gap map: the terms and pairs of terms that have papers, and those that lack papers."""
